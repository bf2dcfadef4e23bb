package plan

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
)

// A range of CPUs in a sweep is FROM..TO or FROM..TO/STEP, where TO may be "all". Without a step it includes every
// number up to 8 and four in each doubling beyond, which shows a curve of 192 CPUs in 26 points; a step of 1 includes
// all.
const rangeSign = ".."

// expanded expands the ranges of the ask's sweep, and notes in b.open the numbers that hosts with fewer CPUs skip.
func (b builder) expanded() ([]Axis, error) {
	out := slices.Clone(b.ask.Sweep)
	for i, a := range out {
		p, _ := b.decl.Param(a.Param)
		if p.Kind != record.CPUs {
			continue
		}
		var values []string
		for _, v := range a.Values {
			more, err := b.values(v)
			if err != nil {
				return nil, usagef("%s.%s: %q: %v\nhint: write a range of CPUs as 1..8, 1..all or 1..all/2", b.decl.Name, a.Param,
					v, err)
			}
			values = append(values, more...)
		}
		out[i].Values = values
	}
	return out, nil
}

// values returns the values of one range; other text is returned as it is.
func (b builder) values(text string) ([]string, error) {
	from, rest, ok := strings.Cut(text, rangeSign)
	if !ok {
		return []string{text}, nil
	}
	to, by, stepped := strings.Cut(rest, "/")
	first, err := positive(from)
	if err != nil {
		return nil, err
	}
	step := 0
	if stepped {
		if step, err = positive(by); err != nil {
			return nil, err
		}
	}
	if to == record.AllCPUs {
		if most := b.mostCPUs(); first > most {
			return nil, fmt.Errorf("only %d CPUs are usable here", most)
		}
		out := []string{from}
		for _, n := range counts(first, b.mostCPUs(), step)[1:] {
			b.open[n] = true
			out = append(out, strconv.Itoa(n))
		}
		return append(out, record.AllCPUs), nil
	}
	last, err := positive(to)
	if err != nil {
		return nil, err
	}
	if first > last {
		return nil, fmt.Errorf("%d is more than %d", first, last)
	}
	return list.Map(counts(first, last, step), strconv.Itoa), nil
}

func (b builder) mostCPUs() int {
	most := 0
	for _, h := range b.plan.Hosts {
		most = max(most, b.usable(b.targets[h], nil))
	}
	return most
}

func positive(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxCells {
		return 0, usagef("%q is not a number of CPUs", text)
	}
	return n, nil
}

// counts returns the numbers from from to to, thinned if step is 0; it always includes the last.
func counts(from, to, step int) []int {
	var out []int
	for n := from; n <= to; {
		out = append(out, n)
		n += stepAt(n, step)
	}
	if len(out) > 0 && out[len(out)-1] != to {
		out = append(out, to)
	}
	return out
}

// stepAt returns step or, if that is 0, a quarter of the power of two at or below n, at least 1.
func stepAt(n, step int) int {
	if step > 0 {
		return step
	}
	return max(1, 1<<(bits.Len(uint(n))-1)/4)
}

// skips reports whether a host with so many CPUs skips this number of an open range, because it has no more than that.
func (b builder) skips(text string, cpus int) bool {
	n, err := strconv.Atoi(text)
	return err == nil && b.open[n] && n >= cpus
}
