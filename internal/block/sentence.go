package block

// Sentence is a sentence with a lead word that gives its kind.
type Sentence struct {
	Lead string
	Tone Tone
	Text string
}
