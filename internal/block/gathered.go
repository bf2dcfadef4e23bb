package block

import (
	"fmt"
	"strings"
)

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
