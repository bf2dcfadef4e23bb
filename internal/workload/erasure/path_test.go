package erasure

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/kernel/kerneltest"
)

func TestPathOfEveryCPU(t *testing.T) {
	zen5 := abilities{arch: "amd64", avx512GFNI: true, avxGFNI: true, avx2: true, ssse3: true}
	alder := abilities{arch: "amd64", avxGFNI: true, avx2: true, ssse3: true}
	zen3 := abilities{arch: "amd64", avx2: true, ssse3: true}
	old := abilities{arch: "amd64", ssse3: true}
	n1 := abilities{arch: "arm64", neon: true}
	v2 := abilities{arch: "arm64", neon: true, narrowSVE: true}
	for _, c := range []struct {
		cpu             abilities
		inputs, outputs int
		want            string
	}{
		{zen5, 10, 4, codeAVX512GFNI}, {zen5, 10, 10, codeAVX512GFNI}, {zen5, 11, 4, codeAVX2}, {zen5, 12, 4, codeAVX2},
		{zen5, 8, 11, codeAVX2},
		{zen5, 1, 1, codeAVX2Tables}, {zen5, 2, 1, codeAVX512GFNI}, {zen5, 12, 1, codeAVX2},
		{alder, 10, 4, codeAVXGFNI}, {alder, 12, 4, codeAVX2},
		{zen3, 10, 4, codeAVX2}, {zen3, 12, 4, codeAVX2}, {zen3, 1, 1, codeAVX2Tables},
		{old, 10, 4, codeSSSE3}, {abilities{arch: "amd64"}, 4, 2, codeGeneric},
		{n1, 4, 2, codeNEON}, {n1, 12, 4, codeNEON}, {n1, 1, 1, codeNEONTables},
		{v2, 12, 4, codeSVE}, {v2, 1, 1, codeNEONTables},
		{abilities{arch: "ppc64le"}, 4, 2, codeGeneric},
	} {
		if got := c.cpu.path(c.inputs, c.outputs); got != c.want {
			t.Errorf("%+v, %d to %d: %s, want %s", c.cpu, c.inputs, c.outputs, got, c.want)
		}
	}
}

// assembly returns the prefixes of the library's functions of each path.
func assembly() map[string]string {
	return map[string]string{
		codeAVX512GFNI: "mulGFNI_", codeAVXGFNI: "mulAvxGFNI_", codeAVX2: "mulAvxTwo_", codeAVX2Tables: "galMulAVX2",
		codeSSSE3: "galMulSSSE3", codeSVE: "mulSve_", codeNEON: "mulNeon_", codeNEONTables: "galMulNEON",
	}
}

// TestPathIsWhatRuns asks the CPU profiler which of the library's functions run
// and holds the stated path to it, here and on any other machine.
func TestPathIsWhatRuns(t *testing.T) {
	for name, set := range map[string]record.Params{
		"10+4 as-minio":         {"data": "10"},
		"12+4 as-minio":         {},
		"12+4 best":             {"path": pathBest},
		"12+4 reconstruct best": {"path": pathBest, "op": opReconstruct, "lost": "4"},
		"4+12 best":             {"data": "4", "parity": "12", "path": pathBest},
	} {
		t.Run(name, func(t *testing.T) {
			set["shard"] = "32KiB"
			stated := keys(resolved(t, set))[record.KeyPath]
			l := made(t, set)
			ran := kerneltest.Functions(t, "github.com/klauspost/reedsolomon", func() {
				if err := l.Run(10); err != nil {
					t.Fatal(err)
				}
			})
			t.Logf("%s: %v", stated, ran)
			found := false
			for path, prefix := range assembly() {
				for _, f := range ran {
					found = found || path == stated && strings.HasPrefix(f, prefix)
					if path != stated && strings.HasPrefix(f, prefix) {
						t.Errorf("%s is stated, %s ran", stated, f)
					}
				}
			}
			if !found {
				t.Errorf("%s is stated, but only %v ran", stated, ran)
			}
		})
	}
}

func TestKeys(t *testing.T) {
	for name, c := range map[string]struct {
		set    record.Params
		groups string
	}{
		"as-minio": {record.Params{}, ""},
		"10+4":     {record.Params{"data": "10", "path": pathBest}, ""},
		"12+4":     {record.Params{"path": pathBest}, "2 of inputs, 1 of outputs"},
		"12+12":    {record.Params{"parity": "12", "path": pathBest}, "2 of inputs, 2 of outputs"},
		"rebuild":  {record.Params{"parity": "12", "path": pathBest, "op": opReconstruct}, "2 of inputs, 1 of outputs"},
	} {
		k := keys(resolved(t, c.set))
		if detect().group() > maxGroup {
			c.groups = "" // this CPU has no GFNI to make groups for
		}
		if k[keyGroups] != c.groups || k[record.KeyPath] == "" || k[keyLibrary] != "klauspost/reedsolomon "+libraryVersion {
			t.Errorf("%s: %v", name, k)
		}
	}
}

func TestLibraryVersion(t *testing.T) {
	kerneltest.ModuleVersion(t, "github.com/klauspost/reedsolomon", libraryVersion)
}
