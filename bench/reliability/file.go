package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
)

// content is what a session file holds, by docs/format.md alone.
type content struct {
	runs    map[string]line // whole trials, by ID
	order   []line          // the same, as they come
	twice   []string        // IDs that come twice
	planned bool
	ended   bool // the last whole line is an end
	torn    bool // the last line has no end
	damaged int  // whole lines whose checksum does not fit, or that are no JSON
	foreign int  // whole lines that another program has appended
}

// foreignLine is what another program appends to a session.
const foreignLine = "what another program writes"

// line is what is looked at of a line.
type line struct {
	Kind   string            `json:"kind"`
	ID     string            `json:"id"`
	Keys   map[string]string `json:"keys"`
	Void   any               `json:"void"` // of a trial why it is void, of an end how many are
	Doubts []string          `json:"doubts"`
	MonoNs int64             `json:"mono_ns"`
	Lasts  float64           `json:"duration_s"`
	Warmup float64           `json:"warmup_s"`
	Values []struct {
		Name  string  `json:"name"`
		Value float64 `json:"value"`
	} `json:"values"`
	Generator *struct {
		Done   float64 `json:"done"`
		Errors float64 `json:"errors"`
		Bytes  float64 `json:"bytes"`
	} `json:"generator"`
	Ledger *struct {
		Gap float64 `json:"gap_max_s"`
	} `json:"ledger"`
}

// readSession reads a file. A torn last line is none.
func readSession(path string) (content, error) {
	c := content{runs: map[string]line{}}
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	for len(text) > 0 {
		raw, rest, whole := bytes.Cut(text, []byte("\n"))
		if !whole {
			c.torn = !strings.HasPrefix(foreignLine, string(raw))
			break
		}
		text = rest
		l, ok := parseLine(raw)
		c.ended = ok && l.Kind == "end"
		switch {
		case string(raw) == foreignLine:
			c.foreign++
		case strings.HasPrefix(foreignLine, string(raw)): // the disk was full
		case !ok && len(raw) > 0:
			c.damaged++
		case l.Kind == "plan":
			c.planned = true
		case l.Kind == "trial":
			if _, again := c.runs[l.ID]; again {
				c.twice = append(c.twice, l.ID)
			}
			c.runs[l.ID], c.order = l, append(c.order, l)
		}
	}
	return c, nil
}

// parseLine checks a line's checksum, CRC-32C of the bytes before it, and parses it.
func parseLine(raw []byte) (line, bool) {
	const tail = `,"crc":"00000000"}`
	at := len(raw) - len(tail)
	var l line
	if at < 0 || string(raw[at:at+8]) != tail[:8] {
		return l, false
	}
	sum := fmt.Sprintf("%08x", crc32.Checksum(raw[:at], crc32.MakeTable(crc32.Castagnoli)))
	return l, string(raw[at+8:at+16]) == sum && json.Unmarshal(raw, &l) == nil
}

// valid counts the runs that are not void.
func (c content) valid() int {
	n := 0
	for _, l := range c.runs {
		if l.Void == nil {
			n++
		}
	}
	return n
}
