package port

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/simtest"
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
	for _, file := range []string{"a.c", "a.S", "Makefile", "Dockerfile", "a.yaml", "a.go", "run.sh", "uv.lock",
		"package-lock.json", "a.spdx.json", "a.cdx.json"} {
		for what, part := range map[string]string{"quotes": `"`, "backslashes": `\`, "lines": "\n", "blanks": " ",
			"brackets": "(", "comments": "/*", "x86": "x86_64 "} {
			out[file+","+what] = again(part)
		}
	}
	return out
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
