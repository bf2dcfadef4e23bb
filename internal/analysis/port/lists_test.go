package port

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestLists: what lists of packages say of arm64, in their own forms.
func TestLists(t *testing.T) {
	dependency := func(artifact, version, classifier string) string {
		if classifier != "" {
			classifier = "<classifier>" + classifier + "</classifier>"
		}
		return "<dependency>\n<groupId>io.netty</groupId><artifactId>" + artifact + "</artifactId><version>" + version +
			"</version>" + classifier + "</dependency>\n"
	}
	pom := func(inside string) string {
		return "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n" +
			inside + "</project>\n"
	}
	const gems = "GEM\n  remote: https://rubygems.org/\n  specs:\n    mini_portile2 (2.8.4)\n    nokogiri (1.15.4-%s)\n" +
		"      racc (~> 1.4)\n    racc (1.7.1)\n\nPLATFORMS\n  %s\n\nDEPENDENCIES\n  nokogiri\n\nRUBY VERSION\n   ruby " +
		"%sp83\n\n" +
		"BUNDLED WITH\n   2.4.19\n"
	const project = "<Project Sdk=\"Microsoft.NET.Sdk\">\n<PropertyGroup>\n%s\n</PropertyGroup>\n<ItemGroup>\n%s\n" +
		"</ItemGroup>\n" +
		"</Project>\n"
	for name, c := range map[string]struct {
		file, text string
		packages   int
		want       []string // "severity line: what", each a part of a finding's; none for no finding
	}{
		"maven, a classifier for x86": {"pom.xml", pom(dependency("netty-transport-native-epoll", "4.1.100.Final", "linux-"+
			"x86_64")),
			1, []string{"will not run 3: io.netty/netty-transport-native-epoll 4.1.100.Final is taken for linux-x86_64 alone"}},
		"maven, both": {"pom.xml", pom(dependency("netty-transport-native-epoll", "4.1.100.Final", "linux-x86_64") +
			dependency("netty-transport-native-epoll", "4.1.100.Final", "linux-aarch_64")), 1, nil},
		"maven, chosen by a plugin": {"pom.xml",
			pom(dependency("netty-transport-native-epoll", "4.1.100.Final", "${os.detected.classifier}")), 1, nil},
		"maven, chosen by a profile": {"pom.xml", pom("<profiles><profile><activation><os><arch>amd64</arch></os></activat" +
			"ion>" +
			"<dependencies>" + dependency("netty-transport-native-epoll", "4.1.100.Final", "linux-x86_64") +
			"</dependencies></profile></profiles>"), 1, nil},
		"maven, another profile": {"pom.xml", pom("<profiles><profile><id>a</id><dependencies>" +
			dependency("netty-transport-native-epoll", "4.1.100.Final", "linux-x86_64") +
			"</dependencies></profile><profile><activation><os><arch>amd64</arch></os></activation></profile></profiles>"), 1,
			[]string{"will not run 3: "}},
		"maven, another system": {"pom.xml", pom(dependency("a", "1", "windows-x86_64") + dependency("b", "1", "source"+
			"s")), 2, nil},
		"maven, a version of a property": {"pom.xml", pom("<properties><n>4.1.${m}</n><m>49.Final</m></properties>" +
			dependency("netty-transport-native-epoll", "${n}", "")), 1, []string{"will not run 3: ", "no binary for arm64 " +
			"before 4.1.50"}},
		"maven, a property of its parent": {"pom.xml", pom(dependency("netty-transport-native-epoll", "${elsewhere"+
			"}", "")), 1, nil},
		"maven, a loop of properties": {"pom.xml", pom("<properties><n>${m}</n><m>${n}</m></properties>" +
			dependency("netty-transport-native-epoll", "${n}", "")), 1, nil},
		"maven, what is excluded": {"pom.xml", pom("<dependency><groupId>a</groupId><artifactId>b</artifactId><exclusions>" +
			"<exclusion>" +
			"<groupId>io.netty</groupId><artifactId>netty-tcnative</artifactId></exclusion></exclusions></dependency>"), 1, nil},

		"gradle lock": {"gradle.lockfile", "# This is a Gradle generated file\n" +
			"com.github.luben:zstd-jni:1.1.4=compileClasspath\n" +
			"org.slf4j:slf4j-api:2.0.7=a,b\nempty=annotationProcessor\n", 2, []string{"will not run 2: " +
			"com.github.luben/zstd-jni 1.1.4 has no"}},
		"gradle, Groovy": {"build.gradle", "// 'a.b:commented:1'\ndependencies {\n  implementation " +
			"'io.netty:netty-all:4.1.100.Final'\n" +
			"  runtimeOnly \"io.netty:netty-transport-native-epoll:$netty:linux-x86_64\"\n}\ndef url = " +
			"'https://example.com:80/a'\n" +
			"def at = \"12:30:45\"\n", 2, []string{"will not run 4: io.netty/netty-transport-native-epoll is taken for " +
			"linux-x86_64 alone"}},
		"gradle, keys": {"build.gradle", "implementation group: 'io.netty', name: 'netty-transport-native-epoll', " +
			"version: '4.1.9', " +
			"classifier: 'linux-x86_64'\n", 1, []string{"will not run 1: io.netty/netty-transport-native-epoll 4.1.9 is taken",
			"will not run 1: io.netty/netty-transport-native-epoll 4.1.9 has no binary"}},
		"gradle, Kotlin": {"build.gradle.kts", "dependencies {\n  implementation(\"org.rocksdb:rocksdbjni:9.7.3\")\n" +
			"  runtimeOnly(\"io.netty:netty-tcnative:2.0.61.Final\") { artifact { classifier = \"linux-x86_64\" } }\n" +
			"  runtimeOnly(\"io.netty:netty-tcnative:2.0.61.Final:linux-aarch_64\")\n}\n", 2, nil},
		"gradle catalogue": {"gradle/libs.versions.toml", "[versions]\nsnappy = \"1.1.2\"\nnetty = { strictly = \"" +
			"4.1.100\" }\n" +
			"[libraries]\nsnappy = { module = \"org.xerial.snappy:snappy-java\", version.ref = \"snappy\" }\n" +
			"netty = { group = \"io.netty\", name = \"netty-tcnative\", version.ref = \"netty\" }\n" +
			"jffi = \"com.github.jnr:jffi:1.2.10\"\nbom = { module = \"a.b:c\" }\n[plugins]\na = { id = \"b\", version = \"" +
			"1\" }\n", 4,
			[]string{"will not run 5: org.xerial.snappy/snappy-java 1.1.2", "will not run 7: com.github.jnr/jffi 1.2.10"}},

		".NET, for x86": {"a.csproj", fmt.Sprintf(project, "<RuntimeIdentifier>linux-x64</RuntimeIdentifier>\n"+
			"<PlatformTarget>x64</PlatformTarget>", "<PackageReference Include=\"Newtonsoft.Json\" Version=\"13.0.3\" />"), 1,
			[]string{"will not run 3: <RuntimeIdentifier>linux-x64</RuntimeIdentifier> builds for x86 alone",
				"will not run 4: <PlatformTarget>x64</PlatformTarget>"}},
		".NET, under a condition": {"a.csproj", fmt.Sprintf(project,
			"<RuntimeIdentifier Condition=\"'$(Arch)' == 'x64'\">linux-x64</RuntimeIdentifier>", ""), 0, nil},
		".NET, several": {"a.csproj", fmt.Sprintf(project, "<RuntimeIdentifiers>linux-x64;win-x64</RuntimeIdentifi"+
			"ers>", ""), 0, []string{"worth checking 3: <RuntimeIdentifiers> has linux-x64"}},
		".NET, several and Arm": {"a.csproj", fmt.Sprintf(project, "<RuntimeIdentifiers>linux-x64;linux-arm64</RuntimeIden"+
			"tifiers>", ""), 0, nil},
		".NET, Windows": {"a.csproj", fmt.Sprintf(project, "<RuntimeIdentifier>win-x64</RuntimeIdentifier"+
			">", ""), 0, nil},
		".NET, a native package": {"a.fsproj", fmt.Sprintf(project, "",
			"<PackageReference Include=\"runtime.linux-x64.Microsoft.DotNet.ILCompiler\""+
				"><Version>8.0.1</Version></PackageReference>"), 1,
			[]string{"will not run 6: runtime.linux-x64.Microsoft.DotNet.ILCompiler 8.0.1 is for x64 alone"}},
		".NET, its twin too": {"Directory.Packages.props", fmt.Sprintf(project, "",
			"<PackageVersion Include=\"runtime.linux-x64.A\" Version=\"8.0.1\"/><PackageVersion Include=\""+
				"runtime.linux-arm64.A\" "+
				"Version=\"8.0.1\"/>"), 2, nil},
		".NET lock": {"packages.lock.json", `{"version":1,"dependencies":{"net8.0":{"A":{"type":"Direct","resolved":"1.0.0"},
"my.project":{"type":"Project"}},"net8.0/linux-x64":{"A":{"type":"Direct","resolved":"1.0.0"}}}}`, 1,
			[]string{"worth checking 0: the lock is for linux-x64 and has nothing for arm64"}},
		".NET lock, Arm too": {"packages.lock.json",
			`{"version":1,"dependencies":{"net8.0/linux-x64":{},"net8.0/linux-arm64":{}}}`, 0, nil},

		"Ruby, for x86": {"Gemfile.lock", fmt.Sprintf(gems, "x86_64-linux", "x86_64-linux", "3.2.2"), 4,
			[]string{"will not build 9: the lock is for x86_64-linux", "will not run 5: nokogiri 1.15.4 is taken for " +
				"x86_64-linux alone"}},
		"Ruby, for both": {"Gemfile.lock", fmt.Sprintf(gems, "aarch64-linux)\n    nokogiri "+
			"(1.15.4-x86_64-linux", "aarch64-linux\n  x86_64-linux",
			"3.2.2"), 4, nil},
		"Ruby, from source": {"gems.locked", fmt.Sprintf(gems, "x86_64-linux)\n    nokogiri (1.15.4", "ruby\n  "+
			"x86_64-linux", "3.2.2"), 4,
			[]string{"worth checking 5: nokogiri 1.15.4 is built for x86_64-linux, and for arm64 it is compiled"}},
		"Ruby, on macOS": {"Gemfile.lock", fmt.Sprintf(gems, "arm64-darwin", "arm64-darwin", "3.2.2"), 4, nil},
		"Ruby, old": {"Gemfile.lock", fmt.Sprintf(gems, "aarch64-linux", "aarch64-linux", "2.7.1"), 4, []string{"runs" +
			" slowly 16: ruby 2.7.1: Ruby before 3.0"}},

		"Lua": {"a-1.0-1.rockspec", "package = \"a\"\nversion = \"1.0-1\" -- \"no == 1\"\ndependencies = {\n  \"lua >= " +
			"5.1\",\n" +
			"  \"lpeg == 1.0.2\"\n}\nbuild = { type = \"builtin\", modules = { a = { sources = {\"a.c\"} } } }\n", 2, nil},
		"Lua, options": {"a-1.0-1.rockspec", "package = \"a\"\nbuild = { type = \"make\", build_variables = {\n CFLAGS " +
			"= \"-O2 -msse4.2\" } }\n",
			0, []string{"will not build 3: -msse4.2"}},
		"Lua lock": {"luarocks.lock", "return {\n  dependencies = {\n    [\"say\"] = \"1.3-1\",\n    luassert = \"1.8\"\n " +
			" }\n}\n", 2, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := looked(c.file, c.text)
			if len(r.LeftOut) > 0 || r.Packages != c.packages {
				t.Errorf("%d packages, want %d; left out %v", r.Packages, c.packages, r.LeftOut)
			}
			said := []string{}
			for _, f := range r.Findings {
				said = append(said, fmt.Sprintf("%s %d: %s", f.Severity, f.Line, f.Says))
				if f.Remedy == "" {
					t.Errorf("no remedy: %+v", f)
				}
			}
			for _, want := range c.want {
				if !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, want) }) {
					t.Errorf("%q, want %q", said, want)
				}
			}
			if len(c.want) == 0 && len(said) > 0 {
				t.Errorf("%q, want nothing", said)
			}
		})
	}
}

// TestListsOfWrongForm: a list that is none is left out, and said why and where.
func TestListsOfWrongForm(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"pom.xml", "", "it has no <project>"},
		{"pom.xml", "<web-app/>", "line 1: its outermost element is <web-app>, and not <project>"},
		{"pom.xml", "<project>\n<a></b>", "line 2"},
		{"pom.xml", "<project>&mine;</project>", "entity"},
		{"pom.xml", strings.Repeat("<project>", 100), "more than 64 elements in one another"},
		{"a.csproj", "<project/>", "and not <Project>"},
		{"packages.lock.json", `{"packages":{}}`, "it has no dependencies"},
		{"packages.lock.json", `{`, "reading the lock"},
		{"gradle.lockfile", "# a\na:b=1\n", "line 2 is not group:artifact:version=configurations"},
		{"libs.versions.toml", "[libraries]\na = 1\n", "is no library"},
		{"libs.versions.toml", "[libraries\n", "reading the catalogue"},
		{"build.gradle", "a\n/* b\n", "line 2: a comment without an end"},
		{"build.gradle", "a\n\n\"\"\"b\n", "line 3: a text without an end"},
		{"Gemfile.lock", "source 'https://rubygems.org'\n", "line 1 is neither a section, such as GEM, nor an entry of one"},
		{"Gemfile.lock", "GEM\n  specs:\n    nokogiri\n", "line 3 is no gem with its version"},
		{"Gemfile.lock", "  a\n", "line 1 is in no section"},
		{"a.rockspec", "a = 1\n", "it names no package and no dependencies"},
		{"a.rockspec", "package = [[a\n", "line 1: a text without an end"},
	} {
		got := looked(c.file, c.text).LeftOut
		if len(got) != 1 || !strings.Contains(got[0].Why, c.want) {
			t.Errorf("%s, %.40q: left out %v, want %q", c.file, c.text, got, c.want)
		}
	}
}
