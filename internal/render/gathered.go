package render

import (
	"fmt"
	"strings"

	"plimsoll/internal/block"
)

// gathered is texts that hold in several places, in the order of their first.
type gathered struct {
	texts  []string
	places map[string][]string
}

func (g *gathered) add(text, place string) {
	if g.places == nil {
		g.places = map[string][]string{}
	}
	if _, ok := g.places[text]; !ok {
		g.texts = append(g.texts, text)
	}
	g.places[text] = append(g.places[text], place)
}

// notes say each text once, with the first of its places and how many more
// there are.
func (g gathered) notes(lead string, k block.Tone, say func(text string) string) []block.Sentence {
	const few = 3
	var out []block.Sentence
	for _, text := range g.texts {
		at := g.places[text]
		said := say(text) + ": " + strings.Join(at[:min(few, len(at))], "; ")
		if more := len(at) - few; more > 0 {
			said += fmt.Sprintf("; and %d more", more)
		}
		out = append(out, block.Sentence{Lead: lead, Tone: k, Text: said})
	}
	return out
}
