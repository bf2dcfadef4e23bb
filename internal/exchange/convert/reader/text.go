package reader

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// Number parses a finite number as tools print it.
func Number(text string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("%s is not a number", Excerpt([]byte(text)))
	}
	return f, nil
}

// ExcerptBytes bounds the quote of a tool's output in an error.
const ExcerptBytes = 200

// Excerpt quotes the first 200 bytes of out and states how much was left off.
func Excerpt(out []byte) string {
	switch {
	case len(out) == 0:
		return "nothing"
	case len(out) <= ExcerptBytes:
		return strconv.Quote(string(out))
	}
	return fmt.Sprintf("%q and %d bytes more", out[:ExcerptBytes], len(out)-ExcerptBytes)
}

// Brief quotes a user's text, shortened for a message.
func Brief(text string) string {
	if len(text) > NameMax {
		return fmt.Sprintf("%q and %d bytes more", text[:NameMax], len(text)-NameMax)
	}
	return fmt.Sprintf("%q", text)
}

// Limits of a list in an error message, because a trial's line is small.
const (
	ListMax = 20
	NameMax = 80 // bytes
)

// ErrNoLoad is the error for an output without its load.
var ErrNoLoad = errors.New("client count missing\nhint: set it with --load N")

// Counted returns a closed loop of n clients or CPUs.
func Counted(n float64, unit string, all bool) (record.LoadPoint, error) {
	if n != math.Trunc(n) {
		return record.LoadPoint{}, fmt.Errorf("load of %g %s: must be a whole number", n, unit)
	}
	return record.LoadPoint{Kind: record.Closed, Level: n, Unit: unit, All: all}, nil
}
