package compile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/compile"
	"plimsoll/internal/workload/workloadtest"
)

// sources makes a small tree that make and cc build: so many files and a program of them.
func sources(t *testing.T, files int) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var objects, calls, declarations strings.Builder
	for i := range files {
		write(fmt.Sprintf("f%d.c", i),
			fmt.Sprintf("int f%d(int x) { int s = 0; for (int i = 0; i < x; i++) s += i * %d ^ x; return s; }\n", i, i+3))
		fmt.Fprintf(&objects, " f%d.o", i)
		fmt.Fprintf(&calls, " + f%d(argc)", i)
		fmt.Fprintf(&declarations, "int f%d(int);\n", i)
	}
	write("main.c", declarations.String()+"int main(int argc, char **argv) { (void)argv; "+
		"return 0 *(0"+calls.String()+"); }\n")
	write("Makefile", "prog: main.o"+objects.String()+"\n\tcc -o $@ $^\n%.o: %.c\n\tcc -O2 -c -o $@ $<\n")
	return dir
}

func TestConformance(t *testing.T) {
	dir := sources(t, 3)
	two := record.LoadPoint{Kind: record.Once, Level: 2, Unit: record.ParamCPUs}
	workloadtest.Run(t, compile.Spec(),
		workloadtest.Case{Name: "one", Params: record.Params{"source": dir},
			Load: record.LoadPoint{Kind: record.Once, Level: 1, Unit: record.ParamCPUs}},
		workloadtest.Case{Name: "two copies",
			Params: record.Params{"source": dir, "configure": "touch configured", "command": "test -f configured && make -s"},
			Load:   two, Lanes: 2},
		workloadtest.Case{Name: "endless", Params: record.Params{"source": dir, "command": "sleep 77.43"}, Load: two,
			Lanes: 2, Endless: true},
	)
}
