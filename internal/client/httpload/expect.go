package httpload

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// statuses bounds an answer's status.
const statuses = 1000

// Expect are the checks of each answer.
type Expect struct {
	Status string // statuses of a good answer, such as "2xx,304" and "200-299"; "": below 400
	Body   []byte // bytes that its body contains
}

// Valid returns an error if e itself is bad.
func (e Expect) Valid() error {
	_, err := e.good()
	return err
}

// Answer is an answer as far as it is kept: a server may send one without an end.
type Answer struct {
	Status int
	Begins []byte // the first bytes of the body
	Length int64  // of all of it
	found  bool   // the expected text is in it
}

// Read reads an answer's body to its end, and keeps its first bytes.
func (e Expect) Read(status int, body io.Reader, keep int) (Answer, error) {
	out := Answer{Status: status}
	f := finder{text: e.Body}
	f.reset()
	piece := make([]byte, 64<<10)
	for {
		n, err := body.Read(piece)
		f.feed(piece[:n])
		out.Length += int64(n)
		out.Begins = append(out.Begins, piece[:min(n, keep-len(out.Begins))]...)
		if err != nil {
			out.found = f.found
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return out, err
		}
	}
}

// Check returns an error if an answer is not a good one; e is valid.
func (e Expect) Check(a Answer) error {
	good, err := e.good()
	switch {
	case err != nil || !good[a.Status%statuses]:
		return errStatus(a.Status)
	case len(e.Body) > 0 && !a.found:
		return errBody
	}
	return nil
}

var errBody = errors.New("an answer whose body does not contain the expected text")

func errStatus(status int) error { return fmt.Errorf("an answer with status %d", status) }

// good returns the good statuses.
func (e Expect) good() (*[statuses]bool, error) {
	text := e.Status
	if text == "" {
		text = "100-399"
	}
	var out [statuses]bool
	for part := range strings.SplitSeq(text, ",") {
		lo, hi, err := statusRange(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		for status := lo; status <= hi; status++ {
			out[status] = true
		}
	}
	return &out, nil
}

// statusRange parses a status, a class such as 2xx, or a range such as 200-299.
func statusRange(text string) (lo, hi int, err error) {
	if class, ok := strings.CutSuffix(strings.ToLower(text), "xx"); ok {
		n, _ := strconv.Atoi(class)
		lo, hi = 100*n, 100*n+99
	} else {
		from, to, several := strings.Cut(text, "-")
		lo, _ = strconv.Atoi(from)
		if hi = lo; several {
			hi, _ = strconv.Atoi(to)
		}
	}
	if lo < 100 || hi >= statuses || lo > hi {
		return 0, 0, fmt.Errorf("http: %q is not a status\nhint: such as 200, 2xx, 200-299, or several separated by commas",
			text)
	}
	return lo, hi, nil
}

// finder searches a text in bytes that come in pieces.
type finder struct {
	text  []byte
	tail  []byte // the last bytes before the next piece, fewer than the text's
	found bool
}

func (f *finder) reset() { f.tail, f.found = f.tail[:0], len(f.text) == 0 }

func (f *finder) feed(b []byte) {
	if f.found {
		return
	}
	most := len(f.text) - 1
	before := len(f.tail)
	f.tail = append(f.tail, b[:min(len(b), most)]...)
	f.found = bytes.Contains(f.tail, f.text) || bytes.Contains(b, f.text)
	if len(b) >= most {
		f.tail = append(f.tail[:0], b[len(b)-most:]...)
	} else if over := before + len(b) - most; over > 0 {
		f.tail = f.tail[:copy(f.tail, f.tail[over:])]
	}
}
