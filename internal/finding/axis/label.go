package axis

import (
	"strings"
	"unicode"

	"plimsoll/internal/trialset"
)

// mostName is the longest name of a side in a sentence: a level may be a page of settings.
const mostName = 64

// Labels names the sides in sentences: machines as they are, a factor's levels with their factor. Levels that begin alike for longer than a
// name is told from a little before where they differ.
func Labels(by, a, b string) (labelA, labelB string) {
	if trialset.AcrossMachines(by) {
		return a, b
	}
	labelA, labelB = Shortened(Label(by, a)), Shortened(Label(by, b))
	if labelA == labelB {
		at := tellingFrom([]rune(a), []rune(b))
		labelA, labelB = Shortened(by+"=..."+string([]rune(a)[at:])), Shortened(by+"=..."+string([]rune(b)[at:]))
	}
	return labelA, labelB
}

// tellingFrom returns the start of the word in which two texts differ, or of a part of it that still tells them apart.
func tellingFrom(a, b []rune) int {
	const part = 16
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	at := same
	for at > max(0, same-part) && !unicode.IsSpace(a[at-1]) {
		at--
	}
	return at
}

// Shortened returns a name on one line, cut if it is longer than mostName.
func Shortened(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	if runes := []rune(name); len(runes) > mostName {
		return string(runes[:mostName-3]) + "..."
	}
	return name
}
