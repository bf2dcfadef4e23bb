package claims

import (
	"fmt"
	"math"
	"strings"
)

// otherUnit detects figures in powers of 1000 with a unit of powers of 1024, or the reverse: 594 MB/s called 594 MiB/s.
func otherUnit(s Stated, computed float64, unit string) string {
	if twin, times := twinOf(unit); twin != "" && s.isRather(computed*times, computed) {
		return fmt.Sprintf("%s is the figure in %s", s.Text, twin)
	}
	return ""
}

// twinOf returns the unit of bytes or bits that one is mistaken for, and how many of it make one; "" if there is none.
func twinOf(unit string) (twin string, times float64) {
	for i, binary := range []string{"K", "M", "G", "T", "P", "E"} {
		decimal, ratio := strings.ToLower(binary), math.Pow(1.024, float64(i+1))
		if i > 0 {
			decimal = binary
		}
		if rest, ok := strings.CutPrefix(unit, binary+"i"); ok && isData(rest) {
			return decimal + rest, ratio
		}
		if rest, ok := strings.CutPrefix(unit, decimal); ok && isData(rest) {
			return binary + "i" + rest, 1 / ratio
		}
	}
	return "", 0
}

func isData(rest string) bool {
	amount, _, _ := strings.Cut(rest, "/")
	return amount == "B" || amount == "bit"
}
