package convert

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"plimsoll/internal/exchange/convert/reader"
)

// goEvent is the part of an event of go test -json that we use; see "go doc test2json".
type goEvent struct {
	Action  string
	Package string
	Output  string
}

// isGoEvents reports whether a text begins like the events of go test -json.
func isGoEvents(head []byte) bool {
	return regexp.MustCompile(`^\s*\{(?:"Time":"[^"]*",)?(?:"ImportPath":"[^"]*",)?"Action":"[a-z-]+"`).Match(head)
}

// goOutput returns the output that the events of go test -json hold. An event has a line or a part of one, and packages
// that ran at once took turns, so that each package's parts are joined. Lines that are no events, which go prints of
// packages that it cannot build, are left as they are.
func goOutput(events []byte) ([]byte, error) {
	by, order := map[string]*bytes.Buffer{}, []*bytes.Buffer{}
	at := 0
	for line := range bytes.Lines(events) {
		at++
		e := goEvent{Action: "output", Output: string(line)}
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
			e = goEvent{}
			if err := json.Unmarshal(line, &e); err != nil || e.Action == "" {
				return nil, fmt.Errorf("line %d is no event of go test -json: %s\nhint: it is torn or mixed with other output: "+
					"fix it, or leave it out", at, reader.Brief(string(line)))
			}
		}
		if e.Action != "output" {
			continue
		}
		if by[e.Package] == nil {
			by[e.Package] = &bytes.Buffer{}
			order = append(order, by[e.Package])
		}
		by[e.Package].WriteString(e.Output)
	}
	var out bytes.Buffer
	for _, b := range order {
		out.Write(b.Bytes())
		if !bytes.HasSuffix(b.Bytes(), []byte("\n")) {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}

// joined returns the text of go test, of which -json makes events.
func joined(text *bufio.Reader) (out *bufio.Reader, events bool, err error) {
	head, _ := text.Peek(sniffBytes) // an error recurs on reading
	if !isGoEvents(head) {
		return text, false, nil
	}
	most := reader.Limits().Bytes
	all, err := io.ReadAll(io.LimitReader(text, int64(most)+1))
	if err != nil {
		return nil, true, err
	}
	if len(all) > most {
		return nil, true, fmt.Errorf("it is longer than %d MiB", most>>20)
	}
	if all, err = goOutput(all); err != nil {
		return nil, true, err
	}
	return bufio.NewReader(bytes.NewReader(all)), true, nil
}
