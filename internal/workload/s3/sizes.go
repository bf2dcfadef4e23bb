package s3

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// sizes is the distribution of the objects' sizes: some sizes, each with its weight.
type sizes struct {
	all     []int64 // ascending
	weights []int
}

const (
	maxSize = 1 << 30 // of an object
	// steps is the number of sizes of a range, at equal ratios.
	steps = 32
)

// parseSizes reads one size ("1MiB"), sizes with weights ("4KiB:9,1MiB:1"), or a range ("4KiB-1MiB") from which the
// logarithm of a size is drawn uniformly.
func parseSizes(text string) (sizes, error) {
	from, to, isRange := strings.Cut(text, "-")
	if isRange {
		return sizeRange(from, to)
	}
	var out sizes
	for part := range strings.SplitSeq(text, ",") {
		size, weight, weighted := strings.Cut(strings.TrimSpace(part), ":")
		n, err := sizeOf(size)
		if err != nil {
			return out, err
		}
		w := 1
		if weighted {
			if w, err = weightOf(weight); err != nil {
				return out, err
			}
		}
		at, there := slices.BinarySearch(out.all, n)
		if there {
			return out, fmt.Errorf("%s occurs twice\nhint: give its weight, as %s:2", size, size)
		}
		out.all, out.weights = slices.Insert(out.all, at, n), slices.Insert(out.weights, at, w)
	}
	return out, nil
}

func sizeOf(text string) (int64, error) {
	n, err := record.ParseSize(strings.TrimSpace(text))
	if err == nil && (n < 1 || n > maxSize) {
		err = errors.New("out of range")
	}
	if err != nil {
		return 0, fmt.Errorf("%q is not an object's size\nhint: from 1B to %s, such as 4KiB, 4KiB:9,1MiB:1 or 4KiB-1MiB",
			text, record.FormatSize(maxSize))
	}
	return n, nil
}

func sizeRange(from, to string) (sizes, error) {
	var out sizes
	low, err := sizeOf(from)
	if err != nil {
		return out, err
	}
	high, err := sizeOf(to)
	if err != nil {
		return out, err
	}
	if high <= low {
		return out, fmt.Errorf("the range ends at %s, not above %s\nhint: such as 4KiB-1MiB", to, from)
	}
	for i := range steps {
		n := int64(math.Round(float64(low) * math.Pow(float64(high)/float64(low), float64(i)/(steps-1))))
		if len(out.all) == 0 || n > out.all[len(out.all)-1] {
			out.all, out.weights = append(out.all, n), append(out.weights, 1)
		}
	}
	return out, nil
}

// largest returns the largest size.
func (s sizes) largest() int64 { return s.all[len(s.all)-1] }

// mean returns the mean size, bytes.
func (s sizes) mean() float64 {
	sum, all := 0., 0
	for i, n := range s.all {
		sum += float64(n) * float64(s.weights[i])
		all += s.weights[i]
	}
	return sum / float64(all)
}

// draw returns the index of a size for each of n objects.
func (s sizes) draw(n int, r *rand.Rand) []uint16 {
	sum := 0
	for _, w := range s.weights {
		sum += w
	}
	out := make([]uint16, n)
	for i := range out {
		left := r.IntN(sum)
		for k, w := range s.weights {
			if left -= w; left < 0 {
				out[i] = uint16(k)
				break
			}
		}
	}
	return out
}
