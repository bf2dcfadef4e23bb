package port

import (
	"strings"
	"testing"
)

// FuzzLook: no bytes under any name make a check fail, and every finding has a place in the file and a remedy.
func FuzzLook(f *testing.F) {
	for name, text := range map[string]string{
		"a.c": "#if defined(__x86_64__) && (A > 2 || !B(3))\n#include <immintrin.h>\n#else\n__asm__(\"pause\");\n#endif\n" +
			"#ifndef X\n#define X \\\n", "Makefile": "ifeq (a,b)\nCFLAGS=-msse4.2\nendif\n",
		"a_amd64.s": "TEXT ·f(SB)\n", "a_amd64.go": "package a\nfunc f()\n", "a.S": "movq %rax, %xmm0\n",
		"libx.so": "\x7fELF\x02\x01\x01", "x.a": "!<arch>\n\x7fELF\x01\x02",
		"Dockerfile": "FROM --platform=linux/amd64 a@sha256:\nRUN curl x86_64\n",
		"a.yaml":     "platform: linux/amd64\nkey: kubernetes.io/arch\n", "uv.lock": "[[package]]\nname = \"a\"\n",
		"package-lock.json": `{"packages":{"node_modules/a":{"cpu":["x64"]}}}`,
		"a.cdx.json":        `{"components":[{"purl":"pkg:pypi/numpy@1.0"}]}`,
		"a.spdx.json":       `{"packages":[{"name":"a"}]}`, "requirements.txt": "numpy==1.0\n",
		"pom.xml": "<project><properties><a>1</a></properties><dependencies><dependency><groupId>b</groupId><artifactId>c" +
			"</artifactId><version>${a}</version><classifier>linux-x86_64</classifier></dependency></dependencies></project>",
		"gradle.lockfile": "# c\na:b:1=x,y\nempty=z\n",
		"build.gradle": "dependencies { implementation 'a.b:c:1:linux-x86_64@jar' /* '' */ }\nclassifier: \"" +
			"linux-amd64\"",
		"libs.versions.toml": "[versions]\na=\"1\"\n[libraries]\nb={module=\"c:d\",version.ref=\"a\"}\ne=\"f:g:1\"\n",
		"a.csproj": "<Project><PropertyGroup><RuntimeIdentifier>linux-x64</RuntimeIdentifier></PropertyGroup><ItemGroup>" +
			"<PackageReference Include=\"runtime.linux-x64.a\"><Version>1</Version></PackageReference></ItemGroup></Project>",
		"packages.lock.json": `{"version":1,"dependencies":{"net8.0/linux-x64":{"a":{"resolved":"1","type":"Direct"}}}}`,
		"Gemfile.lock": "GEM\n  specs:\n    a (1-x86_64-linux)\n      b (>= 1)\n\nPLATFORMS\n  x86_64-linux\n\nRUBY " +
			"VERSION\n" +
			"   ruby 2.7.1p83\n",
		"a-1.rockspec":  "package = 'a' --[[ b ]]\ndependencies = { \"lpeg == 1.0\", [[c]] }\n",
		"luarocks.lock": "return { dependencies = { [\"a\"] = \"1-1\" } }",
		"release":       "JAVA_VERSION=\"1.8.0_1\"\n", "run.sh": "case x in\n x86_64) gcc -m64;;\nesac\nfi\n",
	} {
		f.Add(name, []byte(text))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		s := NewScan("x")
		head := data[:min(len(data), HeadBytes)]
		if s.Needs(name, head) > Nothing {
			s.Look(File{Path: name, Data: data})
		}
		for _, found := range s.Report().Findings {
			if found.Remedy == "" || found.Says == "" || found.Line > strings.Count(string(data), "\n")+1 {
				t.Errorf("%+v", found)
			}
		}
	})
}

// TestConditions: what is known of conditions on arm64.
func TestConditions(t *testing.T) {
	m := newMacros()
	m.define("DERIVED", no)
	m.define("SOMEWHERE", no)
	m.define("SOMEWHERE", maybe)
	for text, want := range map[string]truth{
		"defined(__x86_64__)": no, "!defined(__x86_64__)": yes, "defined __aarch64__": yes, "__SSE4_2__": no,
		"defined(HAVE_AVX2)": no, "defined(NO_SSE)": maybe,
		"defined(__x86_64__) || defined(__aarch64__)": yes, "defined(__GNUC__) && defined(__i386__)": no, "ACME": maybe,
		"!ACME": maybe, "0": no, "1": yes,
		"__GNUC__ >= 4": yes, "__AVX__ > 0": no, "__has_include(<immintrin.h>)": no, "__has_include(<stdio.h>)": maybe,
		"defined(_MSC_VER) && A": no, "(A || 1) && B": maybe,
		"A(1, (2)) == 3": maybe, "DERIVED": no, "SOMEWHERE": maybe, "((": maybe, "": maybe,
		"defined(__ARM_FEATURE_CRC32)": maybe,
	} {
		if got := m.eval(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
