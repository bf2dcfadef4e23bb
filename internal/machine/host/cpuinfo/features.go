package cpuinfo

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
)

// notableFlags lists the instruction sets that the kernels and engines measured here choose their
// code paths by, in the kernel's names.
func notableFlags() []string {
	return []string{
		"sse4_2", "aes", "pclmulqdq", "avx", "avx2", "bmi2", "adx", "sha_ni", "gfni", "vaes", "vpclmulqdq", "erms", "fsrm",
		"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512ifma", "avx512_vbmi", "avx512_vbmi2", "avx512_vnni",
		"avx512_bf16", "avx512_fp16", "avx_vnni", "amx_tile", "amx_int8", "amx_bf16",
		"asimd", "pmull", "sha1", "sha2", "sha3", "sha512", "sm3", "sm4", "crc32", "atomics", "asimddp", "lrcpc", "ilrcpc",
		"uscat",
		"i8mm", "bf16", "sve", "sve2", "sve2p1", "sveaes", "svepmull", "svesha3", "svei8mm", "svebf16", "sme", "sme2", "mops",
		"rng",
	}
}

// notable keeps the flags worth recording, in ascending order.
func notable(flags []string) []string {
	out := []string{}
	for _, f := range notableFlags() {
		if slices.Contains(flags, f) {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out
}

// ArmFeatures asks the CPU that runs this process, in the kernel's names. It serves if
// /proc/cpuinfo describes another CPU, as behind qemu-user.
func ArmFeatures() []string {
	ids := map[string]cpuid.FeatureID{
		"aes": cpuid.AESARM, "pmull": cpuid.PMULL, "sha1": cpuid.SHA1, "sha2": cpuid.SHA2, "sha3": cpuid.SHA3,
		"sha512": cpuid.SHA512, "crc32": cpuid.CRC32, "atomics": cpuid.ATOMICS, "asimd": cpuid.ASIMD,
		"asimddp": cpuid.ASIMDDP, "lrcpc": cpuid.LRCPC, "i8mm": cpuid.I8MM, "bf16": cpuid.BF16,
		"sve": cpuid.SVE, "sve2": cpuid.SVE2, "sm4": cpuid.SM4,
	}
	var flags []string
	for name, id := range ids {
		if cpuid.CPU.Supports(id) {
			flags = append(flags, name)
		}
	}
	return notable(flags)
}

// The longest vector that SVE allows, and its unit, in bits.
const (
	maxSVEBits = 2048
	sveGrain   = 128
)

// SVEBits returns the length of SVE's vectors, 0 if there is no SVE. A process may use shorter ones
// than the CPU has, and the length that it may use counts.
func SVEBits(root hostfs.Root) (int, error) {
	if root.Live() && runtime.GOARCH == "arm64" {
		const lengthMask = 0xffff // PR_SVE_VL_LEN_MASK: the rest are flags
		if vl, err := unix.PrctlRetInt(unix.PR_SVE_GET_VL, 0, 0, 0, 0); err == nil {
			return (vl & lengthMask) * 8, nil
		}
	}
	bits, err := hostfs.ReadParsed(root.ProcPath("sys/abi/sve_default_vector_length"), parseSVELength)
	if hostfs.NotHere(err) {
		return 0, nil
	}
	return bits, err
}

// parseSVELength reads a vector's length, written in bytes, as bits.
func parseSVELength(b []byte) (int, error) {
	bytes, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil || bytes <= 0 || bytes > maxSVEBits/8 || bytes*8%sveGrain != 0 {
		return 0, fmt.Errorf("%.20q is not the length of a vector of SVE in bytes", b)
	}
	return bytes * 8, nil
}
