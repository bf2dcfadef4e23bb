package codepath

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// cpu is a machine of an architecture with features.
func cpu(arch string, features ...string) record.Machine {
	return record.Machine{Arch: arch, CPU: record.CPU{Features: features}}
}

func TestUnequalPaths(t *testing.T) {
	iceLake := cpu("amd64", "aes", "avx", "avx2", "avx512f", "avx512dq", "gfni", "pclmulqdq", "sse4_2")
	alderLake := cpu("amd64", "aes", "avx", "avx2", "gfni", "pclmulqdq", "sse4_2")
	milan := cpu("amd64", "aes", "avx", "avx2", "pclmulqdq", "sse4_2")
	nehalem := cpu("amd64", "sse4_2")
	n1, v1 := cpu("arm64", "aes", "asimd", "pmull"), cpu("arm64", "aes", "asimd", "pmull", "sve")
	unknown := record.Machine{}
	for _, c := range []struct {
		name, workload string
		a, b           record.Machine
		pathA, pathB   string
		why            string // in the reason; "": equal
	}{
		{"each its best", "erasure", iceLake, n1, "gfni+avx512", "neon", ""},
		{"each its best without AVX-512", "erasure", alderLake, v1, "gfni+avx", "sve", ""},
		{"each its best without GFNI", "erasure", milan, v1, "avx2", "neon", ""},
		{"more than 10 shards on a CPU with GFNI", "erasure", iceLake, n1, "avx2", "neon",
			"avx2 (this CPU can do gfni+avx512) against neon"},
		{"the same without AVX-512", "erasure", v1, alderLake, "sve", "avx2", "sve against avx2 (this CPU can do gfni+avx)"},
		{"the same against one without GFNI", "erasure", iceLake, milan, "avx2", "avx2", ""},
		{"GFNI against AVX2, each its best", "erasure", iceLake, milan, "gfni+avx512", "avx2", ""},
		{"one GFNI, two ways", "erasure", iceLake, iceLake, "gfni+avx512", "avx2",
			"against avx2 (this CPU can do gfni+avx512)"},
		{"both fall back for one shard of each", "erasure", iceLake, n1, "avx2 tables", "neon tables", ""},
		{"one falls back", "erasure", milan, n1, "avx2 tables", "neon", "avx2 tables (this CPU can do avx2) against neon"},
		{"an old CPU's best is not throughout", "erasure", nehalem, n1, "ssse3 tables", "neon", "ssse3 tables against neon"},
		{"portable against vectors", "erasure", cpu("amd64"), n1, "generic", "neon", "generic against neon"},
		{"portable on both", "aes-gcm", milan, n1, "generic", "generic", ""},
		{"a library without GFNI code", "highwayhash", iceLake, n1, "avx2", "neon", ""},
		{"AVX2 turned off", "highwayhash", iceLake, n1, "sse4.1", "neon", "sse4.1 (this CPU can do avx2) against neon"},
		{"instructions for AES on both", "aes-gcm", iceLake, v1, "aes-ni+pclmulqdq", "aes+pmull", ""},
		{"portable encryption", "aes-gcm", iceLake, v1, "generic", "aes+pmull",
			"generic (this CPU can do aes-ni+pclmulqdq) against aes+pmull"},
		{"one path for all", "memory", iceLake, n1, "go memmove", "go memmove", ""},
		{"a library not known here", "tls", iceLake, n1, "vaes", "aese",
			"vaes against aese, which are not known to be alike"},
		{"a library not known here, one architecture", "tls", iceLake, milan, "vaes", "aesni", ""},
		{"a path of another architecture", "erasure", n1, milan, "avx2", "neon", "not known to be alike"},
		{"not stated", "erasure", iceLake, n1, "", "neon", ""},
		{"machines not known", "erasure", unknown, unknown, "gfni+avx512", "neon", ""},
		{"machines not known, of one architecture", "erasure", unknown, unknown, "gfni+avx512", "avx2", ""},
		{"machines not known, portable", "erasure", unknown, unknown, "generic", "neon", "generic against neon"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := standOf(c.workload, c.pathA, c.a), standOf(c.workload, c.pathB, c.b)
			for _, order := range [][2]stand{{a, b}, {b, a}} {
				got := unequalPaths(order[0], order[1], sameArch(record.KeyMachine, a, b))
				if (got == "") != (c.why == "") {
					t.Errorf("%s, %s: %q, want %q", order[0], order[1], got, c.why)
				}
			}
			if got := unequalPaths(a, b, sameArch(record.KeyMachine, a, b)); !strings.Contains(got, c.why) {
				t.Errorf("%q, want %q", got, c.why)
			}
		})
	}
}

// TestLadders: a path stands on one rung, and a better rung asks for more.
func TestLadders(t *testing.T) {
	for _, l := range ladders() {
		seen := map[string]bool{}
		for i, r := range l.rungs {
			for _, p := range r.paths {
				if seen[p] {
					t.Errorf("%s on %s: %s stands twice", l.workload, l.arch, p)
				}
				seen[p] = true
			}
			if (r.code == portable) != (r.needs == nil) || (r.code == portable) != (i == len(l.rungs)-1) {
				t.Errorf("%s on %s: rung %d of %+v", l.workload, l.arch, i, l.rungs)
			}
		}
	}
}
