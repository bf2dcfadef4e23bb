package port

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
)

// shapes are texts of n parts by the name of their file, a comma, and what they are.
func shapes() map[string]func(n int) string {
	each := func(begin, end string, part func(i int) string) func(int) string {
		return func(n int) string {
			var b strings.Builder
			b.WriteString(begin)
			for i := range n {
				b.WriteString(part(i))
			}
			b.WriteString(end)
			return b.String()
		}
	}
	again := func(part string) func(int) string { return each("", "", func(int) string { return part }) }
	out := map[string]func(int) string{
		"package-lock.json,for x64": each(`{"packages":{"":{}`, "}}", func(i int) string {
			return fmt.Sprintf(",\n"+`"node_modules/a%d":{"version":"1","cpu":["x64"]}`, i)
		}),
		"package-lock.json,in a line": each(`{"packages":{"":{}`, "}}", func(i int) string {
			return fmt.Sprintf(`,"node_modules/a%d":{"version":"1","cpu":["x64"]}`, i)
		}),
		"a.cdx.json,components": each(`{"bomFormat":"CycloneDX","specVersion":"1.5","components":[{"name":"a"}`, "]}",
			func(i int) string { return fmt.Sprintf(",\n"+`{"name":"b%d","purl":"pkg:deb/debian/b%d@1"}`, i, i) }),
		"a.spdx.json,packages": each(`{"spdxVersion":"SPDX-2.3","packages":[{"name":"a"}`, "]}", func(i int) string {
			return fmt.Sprintf(",\n"+`{"name":"b%d","externalRefs":[{"referenceType":"purl",`+
				`"referenceLocator":"pkg:deb/b%d@1"}]}`, i, i)
		}),
		"a.spdx.json,without URLs": each(`{"packages":[{"name":"a"}`, "]}",
			func(i int) string { return fmt.Sprintf(",\n"+`{"name":"b%d"}`, i) }),
		"uv.lock,packages": each("", "", func(i int) string {
			return fmt.Sprintf("[[package]]\nname = \"a%d\"\nversion = \"1\"\ndependencies = [{ name = \"a%d\" }]\n", i, i+1)
		}),
		"poetry.lock,packages": each("", "", func(i int) string {
			return fmt.Sprintf("[[package]]\nname = \"a%d\"\nversion = \"1\"\nfiles = [{file = \"a-x86_64.whl\"}]\n", i)
		}),
		"requirements.txt,packages":  each("", "", func(i int) string { return fmt.Sprintf("a%d==1\n", i) }),
		"Makefile,options in a line": func(n int) string { return "CFLAGS=" + strings.Repeat(" -mavx2", n) },
		"Makefile,many lines":        again("CFLAGS += -mavx2 -msse4.2\n"),
		"Makefile,other options":     func(n int) string { return "CFLAGS=" + strings.Repeat(" -march=native", n) },
		"run.sh,open cases":          again("case x in\n"),
		"run.sh,labels": func(n int) string {
			return "case x in\n" + strings.Repeat(" x86_64) gcc -m64;;\n", n)
		},
		"CMakeLists.txt,open ifs": again("if(X)\n"),
		"CMakeLists.txt,elseifs": func(n int) string {
			return "if(X)\n" + strings.Repeat("elseif(Y)\n-mavx2\n", n)
		},
		"setup.py,deeper and deeper": func(n int) string {
			var b strings.Builder
			for i := range n {
				b.WriteString(strings.Repeat(" ", min(i, 300)) + "if a: '-mavx2'\n")
			}
			return b.String()
		},
		"a.c,a continued line": func(n int) string {
			return "#if A \\\n" + strings.Repeat(" && B \\\n", n) + "\n"
		},
		"a.c,continued directives": again("#if A \\\n"),
		"a.c,a continued macro": func(n int) string {
			return "#define A \\\n" + strings.Repeat(" asm(\"pause\") \\\n", n)
		},
		"a.c,open groups": again("#if A\n#include <immintrin.h>\n"),
		"a.c,elifs": func(n int) string {
			return "#if A\n" + strings.Repeat("#elif B\n#include <a.h>\n", n)
		},
		"a.c,assembly": again("asm(\"pause\");\n"),
		"a.c,colons":   func(n int) string { return "asm(\n\"pause\"" + strings.Repeat(":", n) },
		"a.c,assembly of colons": func(n int) string {
			return strings.Repeat("asm(\"x\")\n"+strings.Repeat(":", 99)+"\n", n)
		},
		"a.c,conditions": func(n int) string {
			return "#if " + strings.Repeat("(", n) + "A" + strings.Repeat(")", n)
		},
		"a.c,or": func(n int) string { return "#if A" + strings.Repeat(" || B", n) },
		"a.c,macros": each("", "", func(i int) string {
			return fmt.Sprintf("#ifdef A%d\n#define A%d\n#endif\n", i, i+1)
		}),
		"a.c,open assembly": again("asm(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"),
		"a.c,includes under many conditions": func(n int) string {
			return strings.Repeat("#if A\n"+strings.Repeat("#elif A\n", 200), 200) +
				strings.Repeat("#include <immintrin.h>\n", n)
		},
		"a.c,errors under many conditions": func(n int) string {
			return strings.Repeat("#if A\n"+strings.Repeat("#elif A\n", 200), 200) + strings.Repeat("#error a\n", n)
		},
		"a.c,definitions under many conditions": func(n int) string {
			return strings.Repeat("#if A\n"+strings.Repeat("#elif A\n", 200), 200) +
				strings.Repeat("#if A\n#define B\n#endif\n", n)
		},
		"a.go,scopes": func(n int) string {
			return "package a\nfunc f(){" + strings.Repeat("{", n) + strings.Repeat("x;", n) + strings.Repeat("}", n+1)
		},
		"a.go,names in scopes": func(n int) string {
			return "package a\nfunc f(){" + strings.Repeat("{", 400) + strings.Repeat("x;", n) + strings.Repeat("}", 401)
		},
		"a.go,else if": func(n int) string {
			return "package a\nfunc f(){" + strings.Repeat("if x {} else ", n) + "{}}"
		},
		"uv.lock,parts of a key":   func(n int) string { return "a" + strings.Repeat(".a", n) + "=1" },
		"uv.lock,parts of a table": func(n int) string { return "[a" + strings.Repeat(".a", n) + "]" },
		"uv.lock,tables in tables": func(n int) string { return strings.Repeat("a={", n) + strings.Repeat("}", n) },
		"uv.lock,arrays in arrays": func(n int) string { return "a=" + strings.Repeat("[", n) + strings.Repeat("]", n) },
		"uv.lock,keys":             each("", "", func(i int) string { return fmt.Sprintf("a%d=1\n", i) }),
		"uv.lock,nested":           again("[[" + strings.Repeat("a.", 14) + "a]]\n"),
		"uv.lock,long keys": each("", "", func(i int) string {
			return strings.Repeat("a.", 15) + fmt.Sprintf("b%d=1\n", i)
		}),
		"a.S,assembly":         again("movq %rax, %xmm0\n"),
		"a_amd64.go,functions": each("package a\n", "", func(i int) string { return fmt.Sprintf("func f%d()\n", i) }),
		"a_amd64.s,functions":  each("", "", func(i int) string { return fmt.Sprintf("TEXT ·f%d(SB)\n", i) }),
		"a.go,cgo":             each("package a\n", "", func(int) string { return "// #cgo CFLAGS: -mavx2\n" }),
		"Dockerfile,stages":    again("FROM --platform=linux/amd64 a@sha256:1\nRUN curl x86_64\n"),
		"Dockerfile,a continued RUN": func(n int) string {
			return "RUN a" + strings.Repeat(" \\\n && curl x_amd64.tgz", n)
		},
		"a.yaml,images": again("image: a\nplatform: linux/amd64\nkey: kubernetes.io/arch\n"),
		"release,lines": again("JAVA_VERSION=\"1.8.0_1\"\n"),
		"x.a,members": func(n int) string {
			return "!<arch>\n" + strings.Repeat("\x7fELF\x02\x01\x01"+strings.Repeat("\x00", 53), n)
		},
	}
	for name, of := range listShapes() {
		out[name] = of
	}
	for _, file := range []string{"a.c", "a.S", "Makefile", "Dockerfile", "a.yaml", "a.go", "run.sh", "uv.lock",
		"package-lock.json", "a.spdx.json", "a.cdx.json", "pom.xml", "a.csproj", "build.gradle", "libs.versions.toml",
		"Gemfile.lock", "a.rockspec"} {
		for what, part := range map[string]string{"quotes": `"`, "backslashes": `\`, "lines": "\n", "blanks": " ",
			"brackets": "(", "comments": "/*", "x86": "x86_64 ", "words": "a ", "letters": "a", "dashes": "-m",
			"underscores": "_", "checks": "check_a", "conditions": "add_a_i", "assembly": "asm ", "paths": "a/x.", "braces": "{",
			"keys": "a: ", "short lines": "a\n"} {
			out[file+","+what] = again(part)
			out[file+",an option and "+what] = func(n int) string { return "a -mavx2 " + strings.Repeat(part, n) }
		}
	}
	return out
}

// listShapes are lists of n packages.
func listShapes() map[string]func(n int) string {
	each := func(begin, end string, part func(i int) string) func(int) string {
		return func(n int) string {
			var b strings.Builder
			b.WriteString(begin)
			for i := range n {
				b.WriteString(part(i))
			}
			b.WriteString(end)
			return b.String()
		}
	}
	const property = "<a%d>${a%d}</a%d>"
	return map[string]func(n int) string{
		"pom.xml,dependencies": each("<project>", "</project>", func(i int) string {
			return fmt.Sprintf("<dependency><groupId>a</groupId><artifactId>b%d</artifactId><classifier>linux-x86_64"+
				"</classifier></dependency>", i)
		}),
		"pom.xml,one of many variants": each("<project>", "</project>", func(i int) string {
			return fmt.Sprintf("<dependency><groupId>a</groupId><artifactId>b</artifactId><classifier>windows-x86_64-%d"+
				"</classifier></dependency>", i)
		}),
		"pom.xml,profiles": each("<project>", "</project>", func(int) string {
			return "<profile><dependency><groupId>a</groupId></dependency><os><arch>a</arch></os></profile>"
		}),
		"pom.xml,properties": each("<project><properties>", "</properties><dependency><groupId>${a1}</groupId><artifactId>b"+
			"</artifactId></dependency></project>", func(i int) string { return fmt.Sprintf(property, i, i+1, i) }),
		"pom.xml,a long property": func(n int) string {
			return "<project><properties><a>" + strings.Repeat("x", n) + "</a></properties>" + strings.Repeat("<dependency>"+
				"<groupId>a</groupId><artifactId>${a}${a}</artifactId></dependency>", n/100) + "</project>"
		},
		"pom.xml,in one another": func(n int) string { return strings.Repeat("<project>", n) },
		"pom.xml,attributes":     each("<project ", ">", func(i int) string { return fmt.Sprintf("a%d='1' ", i) }),
		"pom.xml,name spaces": each("<project>", "</project>", func(i int) string {
			return fmt.Sprintf("<a xmlns:b%d='c'></a>", i)
		}),
		"a.csproj,packages": each("<Project>", "</Project>", func(i int) string {
			return fmt.Sprintf("<PackageReference Include='runtime.linux-x64.a%d' Version='1'/>", i)
		}),
		"a.csproj,versions": each("<Project><PackageReference Include='a'>", "</PackageReference></Project>",
			func(int) string { return "<Version>1</Version>" }),
		"a.csproj,identifiers": each("<Project><RuntimeIdentifiers>", "</RuntimeIdentifiers></Project>",
			func(int) string { return "linux-x64;" }),
		"packages.lock.json,packages": each(`{"dependencies":{"net8.0":{"a":{}`, "}}}", func(i int) string {
			return fmt.Sprintf(",\n"+`"b%d":{"resolved":"1"}`, i)
		}),
		"packages.lock.json,targets": each(`{"dependencies":{"net8.0":{}`, "}}", func(i int) string {
			return fmt.Sprintf(`,"net8.0/linux-x64-%d":{"a":{"resolved":"%d"}}`, i, i)
		}),
		"gradle.lockfile,packages": each("", "", func(i int) string { return fmt.Sprintf("a:b%d:1=c\n", i) }),
		"build.gradle,packages":    each("", "", func(i int) string { return fmt.Sprintf("'a:b%d:1:linux-x86_64'\n", i) }),
		"build.gradle,classifiers": each("'a:b:1'\n", "", func(i int) string {
			return fmt.Sprintf("classifier: 'windows-x86_64-%d'\n", i)
		}),
		"build.gradle,comments":   each("", "", func(int) string { return "/**/" }),
		"build.gradle,long texts": each("", "", func(int) string { return `"""a"""` }),
		"libs.versions.toml,libraries": each("[libraries]\n", "", func(i int) string {
			return fmt.Sprintf("a%d={module=\"b:c%d\",version.ref=\"d\"}\n", i, i)
		}),
		"libs.versions.toml,versions": each("[versions]\n", "[libraries]\na={module=\"b:c\",version.ref=\"v1\"}\n",
			func(i int) string { return fmt.Sprintf("v%d={ref=\"v%d\"}\n", i, i+1) }),
		"Gemfile.lock,gems": each("GEM\n  specs:\n", "", func(i int) string {
			return fmt.Sprintf("    a%d (1-x86_64-linux)\n", i)
		}),
		"Gemfile.lock,variants": each("GEM\n  specs:\n", "", func(i int) string {
			return fmt.Sprintf("    a (1-x86_64-darwin-%d)\n", i)
		}),
		"Gemfile.lock,platforms":  each("PLATFORMS\n", "", func(int) string { return "  x86_64-linux\n" }),
		"a.rockspec,dependencies": each("dependencies = {", "}", func(i int) string { return fmt.Sprintf("'a%d',", i) }),
		"a.rockspec,tables":       func(n int) string { return "package = " + strings.Repeat("{", n) },
		"a.rockspec,long texts":   each("package = 'a'\n", "", func(int) string { return "[[a]]" }),
		"a.rockspec,comments":     each("package = 'a'\n", "", func(int) string { return "--[[a]]" }),
	}
}

func looked(name, text string) Report {
	s := NewScan("x")
	file := File{Path: strings.Split(name, ",")[0], Data: []byte(text)}
	if s.Needs(file.Path, file.Data[:min(len(file.Data), HeadBytes)]) > Nothing {
		s.Look(file)
	}
	return s.Report()
}

// TestLooksGrowLinearly: a text of twice the size takes about twice the time, whatever is in it.
func TestLooksGrowLinearly(t *testing.T) {
	for name, text := range shapes() {
		t.Run(name, func(t *testing.T) {
			simtest.Doubles(t, 1000, 1<<17, func(n int) time.Duration {
				text := text(n)
				return simtest.CPU(func() { looked(name, text) })
			})
		})
	}
}

// mostSeconds bounds the CPU time for a MiB of text, as SECURITY.md states it: 1.5 s was the most on a shared virtual
// CPU.
const mostSeconds = 3

// TestSecondsOfHostileText: a MiB takes a bounded time, whatever is in it: of half a MiB, half of it.
// TestLooksGrowLinearly grows it. Days look at a hundredth and measure nothing.
func TestSecondsOfHostileText(t *testing.T) {
	simtest.Long(t)
	for name, of := range shapes() {
		if !simtest.Night() {
			looked(name, of(simtest.Parts(1<<20/100, func(n int) int { return len(of(n)) })))
			continue
		}
		text := of(simtest.Parts(1<<19, func(n int) int { return len(of(n)) }))
		simtest.Seconds(t, name, mostSeconds, len(text), func() { looked(name, text) })
	}
}

// TestManyFilesGrowLinearly: twice the files take about twice the time, however they are related.
func TestManyFilesGrowLinearly(t *testing.T) {
	const amd, arm = "movq %rax, %xmm0\n", "ldp x0, x1, [sp]\n"
	for name, of := range map[string]func(i int) (path, text string){
		"assembly": func(i int) (string, string) {
			return fmt.Sprintf("a%d/f%d.S", i, i), []string{amd, arm}[i%2]
		},
		"assembly of several assemblers": func(i int) (string, string) {
			return fmt.Sprintf("a%d/f%d.asm", i, i), amd
		},
		"assembly of Go": func(i int) (string, string) {
			return fmt.Sprintf("a/f%d_%s.s", i, []string{"amd64", "arm64"}[i%2]), fmt.Sprintf("TEXT ·f%d(SB)\n", i)
		},
		"Go": func(i int) (string, string) {
			if i%2 == 0 {
				return fmt.Sprintf("a/f%d_amd64.go", i), fmt.Sprintf("package a\nvar a%d int\n", i)
			}
			return fmt.Sprintf("a/f%d_arm64.go", i), fmt.Sprintf("package a\nvar c%d = b%d\n", i, i)
		},
		"a header of many": func(i int) (string, string) {
			return fmt.Sprintf("a%d/a.h", i), "#ifdef __x86_64__\n#include \"a.h\"\n#include <immintrin.h>\n#endif\n"
		},
		"folders with arm64": func(i int) (string, string) {
			if i%2 == 0 {
				return fmt.Sprintf("a/b%d/arm64/a.c", i), "\n"
			}
			return fmt.Sprintf("x86/b%d/a.c", i), "#include <immintrin.h>\n"
		},
		"programs": func(i int) (string, string) {
			return fmt.Sprintf("a%d/f%d", i, i), "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 11) + "\x3e\x00"
		},
	} {
		t.Run(name, func(t *testing.T) {
			simtest.Doubles(t, 1000, 1<<15, func(n int) time.Duration {
				return simtest.CPU(func() {
					s := NewScan("x")
					for i := range n {
						file, text := of(i)
						if s.Needs(file, []byte(text)) > Nothing {
							s.Look(File{Path: file, Data: []byte(text)})
						}
					}
					s.Report()
				})
			})
		})
	}
}

// TestNestedTextIsLeftOut: what the libraries read in a time that grows with the square of its depth is not given to
// them, and said to be left out; what is no deeper than locks and programs is read.
func TestNestedTextIsLeftOut(t *testing.T) {
	deep := func(begin, part, end string, n int) string { return begin + strings.Repeat(part, n) + end }
	for _, c := range []struct{ file, text, want string }{
		{"uv.lock", deep("a", ".a", "=1", 1000), "line 1: more than 16 brackets"},
		{"uv.lock", deep("\n[a", ".a", "]", 1000), "line 2: more than 16 brackets"},
		{"uv.lock", deep("a=", "[", "", 1000), "more than 16 brackets"},
		{"uv.lock", deep("", "a={", "", 1000), "more than 16 brackets"},
		{"uv.lock", deep(`a=["""b"""",{a`, ".a", "=1}]", 1000), "more than 16 brackets"},
		{"uv.lock", deep("a='''b'''''\n[a", ".a", "]", 1000), "line 2: more than 16 brackets"},
		{"uv.lock", deep("a='\\'\n[a", ".a", "]", 1000), "line 2: more than 16 brackets"},
		{"uv.lock", deep("a=\"\"\"\\\"\"\"\"\n#\n[a", ".a", "]", 1000), "line 3: more than 16 brackets"},
		{"uv.lock", `a="""a""""""`, "more than 5 quotation marks"},
		{"uv.lock", deep(`a="`, "[.", `"`, 1000), ""},
		{"uv.lock", deep("a='", "[.", "'\n", 1000), ""},
		{"uv.lock", deep(`a="""`, "[.\n", `"""`, 1000), ""},
		{"uv.lock", deep("#", "[.", "\n", 1000), ""},
		{"uv.lock", deep("a=\"\"\n", "[[package]]\nname=\"a.b.c\"\nfiles=[{file=\"a.b\"}]\n", "", 100), ""},
		{"a.go", deep("package a\nfunc f(){", "{", strings.Repeat("}", 1001), 1000), "more than 500 scopes"},
		{"a.go", deep("package a\nfunc f(){", "if x {} else ", "{}}", 1000), "more than 500 scopes"},
		{"a.go", deep("package a\nvar a = 1", "+1", "\n", 1000), ""},
		{"a.go", deep("package a\n", "func f(){{}}\n", "", 1000), ""},
	} {
		got := looked(c.file, c.text).LeftOut
		if (len(got) > 0) != (c.want != "") || len(got) > 0 && !strings.Contains(got[0].Why, c.want) {
			t.Errorf("%.40q: left out %v, want %q", c.text, got, c.want)
		}
	}
}

// TestPackagesHaveTheirLines: one pass finds the line of each, the first of several, and of none nothing.
func TestPackagesHaveTheirLines(t *testing.T) {
	all := []pinned{{mark: "b"}, {mark: "a"}, {mark: "a"}, {mark: `c\"d`}, {mark: "none"}, {mark: "late"}}
	text := "x\n\"a\" name = \"a\"\nname = \"b\" \"torn\nname = \"a\"\n" + `name = "c\"d"` +
		"\n\"late\"\n\nname = \"late\""
	locate([]byte(text), "name = ", all)
	for i, want := range []int{3, 2, 2, 5, 0, 8} {
		if all[i].line != want {
			t.Errorf("%q is at line %d, want %d", all[i].mark, all[i].line, want)
		}
	}
}
