package block

// Sentence is a sentence with a word that says what kind of sentence it is.
type Sentence struct {
	Lead string
	Tone Tone
	Text string
}
