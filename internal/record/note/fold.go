package note

import (
	"fmt"
	"slices"
	"strings"
)

// between is a range of numbers that replaces one number.
type between struct{ least, most any }

// Format writes both ends by their verb, or only one if they read alike.
func (b between) Format(f fmt.State, verb rune) {
	format := fmt.FormatString(f, verb)
	least, most := fmt.Sprintf(format, b.least), fmt.Sprintf(format, b.most)
	if least != most {
		least += " to " + most
	}
	fmt.Fprint(f, least)
}

// Fold returns the texts of notes, with notes that differ only in their figures combined into one with ranges and a
// count. Thirty runs that became steady at thirty times take one line. They are in order of first appearance.
func Fold(notes []Note) []string {
	var order []string
	folded, times := map[string]Note{}, map[string]int{}
	for _, n := range notes {
		key := n.shape()
		if times[key]++; times[key] == 1 {
			folded[key], order = n, append(order, key)
			continue
		}
		folded[key] = folded[key].widened(n)
	}
	out := make([]string, len(order))
	for i, key := range order {
		if out[i] = folded[key].Text(); times[key] > 1 {
			out[i] += fmt.Sprintf(" (%d times)", times[key])
		}
	}
	return out
}

// Likeness returns a text that notes share if they differ only in measured figures. Counts and numbers of runs are
// part of it.
func (n Note) Likeness() string {
	var b strings.Builder
	b.WriteString(string(n.Code))
	for _, a := range n.Args {
		b.WriteByte(0)
		if _, measured := a.(float64); !measured {
			fmt.Fprint(&b, a)
		}
	}
	return b.String()
}

// leastAlike is the number of different texts of one likeness that become one with ranges: two are read as they are.
const leastAlike = 3

// Joinable reports whether notes of one likeness are one sentence: all have one text, or their texts are many.
func Joinable(notes []Note) bool {
	n := len(slices.Compact(slices.Sorted(slices.Values(Texts(notes)))))
	return n < 2 || n >= leastAlike
}

// Joined returns one note for several of one likeness, with the range of each figure.
func Joined(notes []Note) Note {
	out := notes[0]
	for _, n := range notes[1:] {
		out = out.widened(n)
	}
	return out
}

// shape returns the common form of notes that differ only in figures.
func (n Note) shape() string {
	var b strings.Builder
	b.WriteString(string(n.Code))
	for _, a := range n.Args {
		b.WriteByte(0)
		if _, ok := number(a); !ok {
			fmt.Fprint(&b, a)
		}
	}
	return b.String()
}

// widened returns a folded note extended by another one of its shape.
func (n Note) widened(by Note) Note {
	out := Note{Code: n.Code, Args: make([]any, len(n.Args))}
	for i, a := range n.Args {
		out.Args[i] = a
		if _, ok := number(by.Args[i]); ok {
			out.Args[i] = join(a, by.Args[i])
		}
	}
	return out
}

// join returns the range that covers a number or a range, and another number.
func join(had, n any) between {
	b, ok := had.(between)
	if !ok {
		b = between{had, had}
	}
	v, _ := number(n)
	if least, _ := number(b.least); v < least {
		b.least = n
	}
	if most, _ := number(b.most); v > most {
		b.most = n
	}
	return b
}

// number returns an argument's value and reports whether it is a number.
func number(arg any) (float64, bool) {
	switch a := arg.(type) {
	case int:
		return float64(a), true
	case int64:
		return float64(a), true
	case float64:
		return a, true
	case figure:
		return a.value, true
	}
	return 0, false
}
