package rdkafka

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// versionIn parses the library's version in its header, rdkafka.h: #define RD_KAFKA_VERSION 0xMMmmrrpp; pp is 0xff
// for a release.
func versionIn(header string) (string, error) {
	m := regexp.MustCompile(`(?m)^#define\s+RD_KAFKA_VERSION\s+0x([0-9a-fA-F]{8})\b`).FindStringSubmatch(header)
	if m == nil {
		return "", errors.New("its header does not contain its version")
	}
	n, err := strconv.ParseUint(m[1], 16, 32)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%d.%d.%d", n>>24, n>>16&0xff, n>>8&0xff)
	if pre := n & 0xff; pre != 0xff {
		text += fmt.Sprintf("-pre%d", pre)
	}
	return text, nil
}

// newer orders the paths of programs by their versions, the older first.
func newer(a, b string) int {
	va, vb := numbers(versionOf(a)), numbers(versionOf(b))
	for i := range min(len(va), len(vb)) {
		if va[i] != vb[i] {
			return va[i] - vb[i]
		}
	}
	return len(va) - len(vb)
}

// numbers returns the numbers of a version, such as 2, 0 and 2.
func numbers(version string) []int {
	var out []int
	for _, part := range strings.Split(version, ".") {
		n, _ := strconv.Atoi(part) // anything else counts as 0
		out = append(out, n)
	}
	return out
}
