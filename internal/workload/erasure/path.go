package erasure

import (
	"runtime"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/unix"
)

// The library's code paths. Those with "tables" multiply one shard at a time.
const (
	codeAVX512GFNI = "gfni+avx512"
	codeAVXGFNI    = "gfni+avx"
	codeAVX2       = "avx2"
	codeAVX2Tables = "avx2 tables"
	codeSSSE3      = "ssse3 tables"
	codeSVE        = "sve"
	codeNEON       = "neon"
	codeNEONTables = "neon tables"
	codeGeneric    = "generic"
)

// The limits of the library's generated code: inputs and outputs at most, and both together at least.
const (
	maxGroup = 10
	minBoth  = 3
)

// abilities are the CPU features that the library's dispatch depends on.
type abilities struct {
	arch                         string
	avx512GFNI, avxGFNI          bool
	avx2, ssse3, neon, narrowSVE bool
}

// detect reads them as the library does (options.go, galois_arm64.go).
func detect() abilities {
	c := cpuid.CPU
	return abilities{
		arch:       runtime.GOARCH,
		avx512GFNI: c.Supports(cpuid.AVX512F, cpuid.GFNI, cpuid.AVX512DQ),
		avxGFNI:    c.Supports(cpuid.AVX, cpuid.GFNI),
		avx2:       c.Supports(cpuid.AVX2),
		ssse3:      c.Supports(cpuid.SSSE3),
		neon:       c.Supports(cpuid.ASIMD),
		narrowSVE:  c.Supports(cpuid.SVE) && sveBytes() <= 32,
	}
}

// sveBytes returns the length of an SVE vector; the library supports up to 32 bytes.
func sveBytes() int {
	n, err := unix.PrctlRetInt(unix.PR_SVE_GET_VL, 0, 0, 0, 0)
	if err != nil {
		return 0
	}
	return n & 0xffff
}

// path returns the code path of one call on one goroutine, by the conditions of codeSomeShards. It is never GFNI for
// more than 10 inputs or outputs.
func (a abilities) path(inputs, outputs int) string {
	fits := inputs <= maxGroup && outputs <= maxGroup && inputs+outputs >= minBoth
	generated := fits || inputs+outputs > minBoth
	if a.arch == "arm64" {
		return a.armPath(generated)
	}
	switch {
	case a.arch != "amd64":
		return codeGeneric
	case fits && a.avx512GFNI:
		return codeAVX512GFNI
	case fits && a.avxGFNI:
		return codeAVXGFNI
	case generated && a.avx2:
		return codeAVX2
	case a.avx2:
		return codeAVX2Tables
	case a.ssse3:
		return codeSSSE3
	}
	return codeGeneric
}

// group returns the maximum number of inputs or outputs per call of best. Other code than GFNI takes any number.
func (a abilities) group() int {
	if a.avx512GFNI || a.avxGFNI {
		return maxGroup
	}
	return maxShards
}

func (a abilities) armPath(generated bool) string {
	switch {
	case generated && a.narrowSVE:
		return codeSVE
	case generated && a.neon:
		return codeNEON
	}
	return codeNEONTables // the library does not check
}
