package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// alike is texts that say the same of several trials, each with figures of its own.
type alike struct {
	least, most []string // the words, with the smallest and the largest figure at each place
	n           int
}

// foldFigures folds texts that differ in their figures alone into one with the range of each, and with
// their number: thirty trials that became steady at thirty times are one line. They are in order of first appearance.
func foldFigures(texts []string) []string {
	var order []*alike
	byShape := map[string]*alike{}
	for _, text := range texts {
		words := strings.Split(text, " ")
		shape := shapeOf(words)
		a := byShape[shape]
		if a == nil {
			a = &alike{least: slices.Clone(words), most: slices.Clone(words)}
			byShape[shape], order = a, append(order, a)
		}
		a.add(words)
	}
	out := make([]string, len(order))
	for i, a := range order {
		out[i] = a.text()
	}
	return out
}

// shapeOf is a text without its figures.
func shapeOf(words []string) string {
	shape := slices.Clone(words)
	for i, w := range words {
		if _, ok := numeral(w); ok {
			shape[i] = "\x00"
		}
	}
	return strings.Join(shape, " ")
}

func numeral(word string) (float64, bool) {
	f, err := strconv.ParseFloat(word, 64)
	return f, err == nil
}

func (a *alike) add(words []string) {
	a.n++
	for i, w := range words {
		if f, ok := numeral(w); ok {
			a.least[i] = farther(a.least[i], w, f, -1)
			a.most[i] = farther(a.most[i], w, f, 1)
		}
	}
}

// farther is the word or the one before it, whose figure lies farther in a direction.
func farther(before, word string, f float64, direction int) string {
	if was, _ := numeral(before); cmp.Compare(f, was) == direction {
		return word
	}
	return before
}

func (a *alike) text() string {
	words := slices.Clone(a.least)
	for i := range words {
		if a.least[i] != a.most[i] {
			words[i] = a.least[i] + " to " + a.most[i]
		}
	}
	text := strings.Join(words, " ")
	if a.n > 1 {
		text += fmt.Sprintf(" (%d times)", a.n)
	}
	return text
}
