package session

import (
	"fmt"
	"unicode/utf8"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
)

// Limits of the text of a void or a doubt, in bytes, if a trial's line is too long: halved from one to the other until
// the line fits.
const (
	longText  = 512
	shortText = 64
)

// encodeTrial encodes a trial's line. If it is too long, it shortens the void and the doubts, which are prose, and then
// leaves out the lines of a mix of requests: losing the trial would be worse.
func encodeTrial(t record.Trial) ([]byte, error) {
	line, err := encode(kindTrial, t)
	for limit := longText; limit >= shortText && err == nil && len(line) > maxTrial; limit /= 2 {
		t.Void = clip(t.Void, limit)
		t.Doubts = clipAll(t.Doubts, limit)
		line, err = encode(kindTrial, t)
	}
	if g := t.Generator; err == nil && len(line) > maxTrial && g != nil && len(g.Targets) > 0 {
		without := *g
		without.Targets = nil
		t.Generator = &without
		line, err = encode(kindTrial, t)
	}
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", t.ID, err)
	}
	if len(line) > maxTrial {
		return nil, fmt.Errorf("run %s takes %d bytes, over the limit of %d: %d keys and %d values are too many",
			clip(t.ID, shortText), len(line), maxTrial, len(t.Keys), len(t.Values))
	}
	return line, nil
}

// CheckTrial returns an error if a trial could not be written.
func CheckTrial(t record.Trial) error {
	_, err := encodeTrial(t)
	return err
}

// clip cuts a text to at most limit bytes, between characters.
func clip(text string, limit int) string {
	const mark = "..."
	if len(text) <= limit {
		return text
	}
	n := limit - len(mark)
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + mark
}

// clipAll clips each text and, past an eighth of the limit, counts the rest.
func clipAll(texts []string, limit int) []string {
	keep := min(len(texts), limit/8)
	out := list.Map(texts[:keep], func(text string) string { return clip(text, limit) })
	if rest := len(texts) - keep; rest > 0 {
		out = append(out, fmt.Sprintf("and %d more", rest))
	}
	return out
}
