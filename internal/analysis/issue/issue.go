// Package issue lists what versions of runtimes and packages are known to do badly on arm64, each with its source: for
// explain, which measures them, and for port, which reads their versions.
package issue

import (
	"slices"
	"strings"
)

// Issue is a known defect of versions on arm64.
type Issue struct {
	Versions
	ID     string
	Names  []string // of the runtime or package: its image, or "ecosystem/name"
	Fails  bool     // it does not run, instead of slowly
	Says   string
	Remedy string
	Source string
}

// JDKAES is the slow encryption of OpenJDK.
func JDKAES() Issue {
	return Issue{ID: "jdk-aes-arm", Names: strings.Fields("openjdk eclipse-temurin amazoncorretto java"),
		Versions: Versions{Of: "java", Fixed: []string{"11.0.19", "17.0.7"}, Last: "17"},
		Says:     "on Arm, OpenJDK before 11.0.19 and 17.0.7 does not use its AES-CTR and AES-GCM intrinsics, or has none",
		Remedy: "a newer JDK, -XX:+UnlockDiagnosticVMOptions -XX:+UseAESCTRIntrinsics from 11.0.14 on, or the Corretto " +
			"crypto provider (broker.provider=corretto)",
		Source: "https://bugs.openjdk.org/browse/JDK-8297656, https://github.com/aws/aws-graviton-getting-started/issues/110"}
}

// List are issues. Making one takes longer than asking it.
type List []Issue

// All returns those that a version tells.
func All() List {
	const guide = "https://github.com/aws/aws-graviton-getting-started"
	out := List{JDKAES(),
		{ID: "go-arm-registers", Names: []string{"golang"}, Versions: Versions{Of: "go", Fixed: []string{"1.18"}},
			Says:   "Go before 1.18 passes arguments on the stack on arm64: 10% and more",
			Remedy: "build with Go 1.18 or newer", Source: "https://go.dev/doc/go1.18"},
		{ID: "ruby-arm", Names: []string{"ruby"}, Versions: Versions{Of: "ruby", Fixed: []string{"3.0"}},
			Says:   "Ruby before 3.0 has no optimisations for arm64: up to 40%",
			Remedy: "Ruby 3.0 or newer", Source: guide}}
	for _, p := range []struct{ name, fixed string }{
		{"pypi/numpy", "1.19.0"}, {"pypi/scipy", "1.5.3"},
		{"maven/com.github.luben/zstd-jni", "1.2.0"}, {"maven/org.lz4/lz4-java", "1.4.0"},
		{"maven/org.xerial.snappy/snappy-java", "1.1.4"},
		{"maven/org.rocksdb/rocksdbjni", "5.0.1"},
		{"maven/com.github.jnr/jffi", "1.2.13"}, {"maven/org.apache.commons/commons-crypto", "1.1.0"},
		{"maven/io.netty/netty-transport-native-epoll", "4.1.50"},
		{"maven/io.netty/netty-tcnative", "2.0.31"},
	} {
		out = append(out, Issue{ID: "no-arm-binary", Names: []string{p.name},
			Versions: Versions{Of: p.name, Fixed: []string{p.fixed}}, Fails: true,
			Says:   "has no binary for arm64 before " + p.fixed,
			Remedy: "version " + p.fixed + " or newer", Source: guide})
	}
	return out
}

// Of returns the issues of a version of a runtime or package.
func (l List) Of(name, version string) []Issue {
	var out []Issue
	for i := range l {
		if slices.Contains(l[i].Names, name) && l[i].Affects(version) {
			out = append(out, l[i])
		}
	}
	return out
}

// Known reports whether a package is in the list, whatever its version.
func (l List) Known(name string) bool {
	for i := range l {
		if slices.Contains(l[i].Names, name) {
			return true
		}
	}
	return false
}
