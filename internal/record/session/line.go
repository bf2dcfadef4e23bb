package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// The kinds of line.
const (
	kindMachine = "machine"
	kindPlan    = "plan"
	kindSeries  = "series"
	kindEvent   = "event"
	kindTrial   = "trial"
	kindEnd     = "end"
)

const (
	maxLine  = 8 << 20 // bytes of any line, including its newline
	maxTrial = 8 << 10 // bytes of a trial's line, including its newline

	opening = `{"kind":"`
	sealKey = `,"crc":"`
	sealLen = len(sealKey) + 8 + len(`"}`)
)

// An element of a list may be written in three bytes, {}, and take hundreds of memory: those that are written have
// names and values. So may a plan or a machine, in forty bytes, take thousands.
const (
	leastObject = 12      // bytes of a line an object
	maxObjects  = 1 << 20 // of the plans and machines of a file: a third as many cells
	ofRecord    = 16      // objects as which each of these counts besides its own
	maxSeries   = 1 << 12 // of a run
)

func kinds() []string {
	return []string{kindMachine, kindPlan, kindSeries, kindEvent, kindTrial, kindEnd}
}

var (
	errOpening = errors.New(`does not start with {"kind":"`)
	errNoSeal  = errors.New("cut short: it does not end with a crc")
	errSeal    = errors.New("does not match its crc: changed after it was written")
)

// crc returns the CRC-32C (Castagnoli), which amd64 and arm64 compute in hardware.
func crc(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// encode returns the line of a record: its JSON object with the kind as the first key and the crc as the last, and a
// newline.
func encode(kind string, rec any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(opening + kind + `",`)
	start := b.Len()
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(rec); err != nil {
		return nil, fmt.Errorf("encode a %s line: %w", kind, err)
	}
	line := b.Bytes()
	// Drop the object's own "{", its "}" and the encoder's newline.
	line = append(line[:start], line[start+1:len(line)-2]...)
	return seal(line), nil
}

// seal completes a line whose last "}" is missing.
func seal(body []byte) []byte {
	return fmt.Appendf(body, `%s%08x"}`+"\n", sealKey, crc(body))
}

// check verifies a line without its newline and returns its kind.
func check(line []byte) (kind string, sum uint32, err error) {
	rest, ok := bytes.CutPrefix(line, []byte(opening))
	if !ok {
		return "", 0, errOpening
	}
	name, _, ok := bytes.Cut(rest, []byte(`"`))
	if !ok || len(line) < sealLen {
		return "", 0, errNoSeal
	}
	body, end := line[:len(line)-sealLen], line[len(line)-sealLen:]
	said, ok := sealIn(end)
	if !ok {
		return "", 0, errNoSeal
	}
	if sum = crc(body); sum != said {
		return "", 0, errSeal
	}
	return string(name), sum, nil
}

// objects counts the objects and nulls of a line.
func objects(line []byte) int {
	return bytes.Count(line, []byte{'{'}) + bytes.Count(line, []byte("null"))
}

// Crowded rejects a line of more objects than most, or too many for its length. Those in its texts, as in what a
// command said, are none.
func Crowded(line []byte, most int) error {
	most = min(most, len(line)/leastObject)
	if objects(line) <= most {
		return nil
	}
	if n := objects(withoutTexts(line)); n > most {
		return fmt.Errorf("%d objects in %d bytes: none that was measured has so many", n, len(line))
	}
	return nil
}

// withoutTexts returns JSON with all of its strings empty.
func withoutTexts(line []byte) (out []byte) {
	inside := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case !inside:
			out = append(out, c)
		}
	}
	return out
}

// sealIn returns the crc of a line's end, and false if the end is none.
func sealIn(end []byte) (sum uint32, ok bool) {
	digits, ok := bytes.CutPrefix(end, []byte(sealKey))
	digits, closed := bytes.CutSuffix(digits, []byte(`"}`))
	if !ok || !closed {
		return 0, false
	}
	for _, d := range digits {
		v := bytes.IndexByte([]byte("0123456789abcdef"), d)
		if v < 0 {
			return 0, false
		}
		sum = sum<<4 | uint32(v)
	}
	return sum, true
}

// pieces splits a line before every position where another one of a known kind starts. A torn line, or one that lost
// its newline, has the next one appended directly; a JSON string cannot contain such a start, because its quotes would
// be escaped.
func pieces(line []byte) [][]byte {
	var out [][]byte
	for {
		next := nextStart(line)
		if next < 0 {
			return append(out, line)
		}
		out = append(out, line[:next])
		line = line[next:]
	}
}

// nextStart returns the index, above 0, at which a line of a known kind starts; -1 if there is none.
func nextStart(b []byte) int {
	for from := 1; from < len(b); {
		i := bytes.Index(b[from:], []byte(opening))
		if i < 0 {
			return -1
		}
		from += i
		for _, k := range kinds() {
			if bytes.HasPrefix(b[from+len(opening):], []byte(k+`"`)) {
				return from
			}
		}
		from++
	}
	return -1
}
