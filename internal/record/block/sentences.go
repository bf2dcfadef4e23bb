package block

import (
	"fmt"
	"slices"
	"strings"
)

// Gathered is texts that hold in several places, in the order of their first.
type Gathered struct {
	texts  []string
	places map[string][]string
}

// Plots returns a plot as a list, which is empty if there is none.
func Plots(p Plot, ok bool) []Plot {
	if !ok {
		return nil
	}
	return []Plot{p}
}

// Unique returns sentences without those that repeat an earlier one.
func Unique(notes []Sentence) []Sentence {
	seen := map[Sentence]bool{}
	return slices.DeleteFunc(notes, func(n Sentence) bool {
		dup := seen[n]
		seen[n] = true
		return dup
	})
}

// Add notes a text and its place.
func (g *Gathered) Add(text, place string) {
	if g.places == nil {
		g.places = map[string][]string{}
	}
	if _, ok := g.places[text]; !ok {
		g.texts = append(g.texts, text)
	}
	g.places[text] = append(g.places[text], place)
}

// Sentences say each text once, with the first of its places and how many more
// there are.
func (g Gathered) Sentences(lead string, k Tone, say func(text string) string) []Sentence {
	const few = 3
	var out []Sentence
	for _, text := range g.texts {
		at := g.places[text]
		said := say(text) + ": " + strings.Join(at[:min(few, len(at))], "; ")
		if more := len(at) - few; more > 0 {
			said += fmt.Sprintf("; and %d more", more)
		}
		out = append(out, Sentence{Lead: lead, Tone: k, Text: said})
	}
	return out
}

// Sentence is a sentence with a lead word that gives its kind.
type Sentence struct {
	Lead   string
	Tone   Tone
	Text   string
	Detail bool   // left out of a screen without details
	Brief  string // the text on such a screen; "" for all of it
}

// Tone is the meaning of a piece of text; each medium chooses its look.
type Tone string

// The tones. Media choose a look for each: a colour, a weight, or nothing.
const (
	Plain  Tone = ""
	Strong Tone = "strong"
	Dim    Tone = "dim"
	Good   Tone = "good"
	Bad    Tone = "bad"
	Warn   Tone = "warn"
)

// Texts returns each text once.
func (g Gathered) Texts() []string { return g.texts }
