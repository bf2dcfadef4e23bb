package host

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// The longest vector that SVE allows, and its unit, in bits.
const (
	maxSVEBits = 2048
	sveGrain   = 128
)

// sveBits is the length of SVE's vectors, 0 where there is no SVE. A process may
// use shorter ones than the CPU has, and what it may use is what counts.
func sveBits(root Root) (int, error) {
	if root.live() && runtime.GOARCH == "arm64" {
		const lengthMask = 0xffff // PR_SVE_VL_LEN_MASK: the rest are flags
		if vl, err := unix.PrctlRetInt(unix.PR_SVE_GET_VL, 0, 0, 0, 0); err == nil {
			return (vl & lengthMask) * 8, nil
		}
	}
	bits, err := readParsed(root.proc("sys/abi/sve_default_vector_length"), parseSVELength)
	if NotHere(err) {
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
