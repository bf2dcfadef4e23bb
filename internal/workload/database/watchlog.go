package database

import (
	"bytes"
	"fmt"
	"regexp"
	"sync"

	"plimsoll/internal/record"
)

// serverLog extracts checkpoints from a server's output as it arrives. It is an io.Writer that never fails.
type serverLog struct {
	now func() int64 // CLOCK_MONOTONIC, ns

	mu    sync.Mutex
	part  []byte // of an incomplete line
	found []record.Event
}

// longestLine bounds the part of a line that is parsed: a logged statement may be long.
const longestLine = 4 << 10

func (l *serverLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for rest := p; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte{'\n'})
		if room := longestLine - len(l.part); room > 0 {
			l.part = append(l.part, line[:min(len(line), room)]...)
		}
		if ended {
			l.line(l.part)
			l.part = l.part[:0]
		}
		rest = after
	}
	return len(p), nil
}

func (l *serverLog) line(line []byte) {
	if !bytes.Contains(line, []byte("checkpoint ")) {
		return
	}
	if e, ok := checkpointIn(string(line)); ok {
		e.TimeNs = l.now()
		l.found = append(l.found, e)
	}
}

// events returns the events so far, in order.
func (l *serverLog) events() []record.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]record.Event(nil), l.found...)
}

// checkpointIn parses "LOG: checkpoint starting: wal" and "LOG: checkpoint complete: wrote 3110 buffers (19.0%); 0
// WAL file(s) added, …; write=26.9 s, sync=0.003 s, total=27.0 s; …", whatever the prefix of the line. Text
// within quotes does not match.
func checkpointIn(line string) (record.Event, bool) {
	if m := regexp.MustCompile(`LOG:  checkpoint starting: ?([a-z -]*)$`).FindStringSubmatch(line); m != nil {
		return record.Event{Name: record.EventCheckpointBegin, Detail: triggerOf(m[1])}, true
	}
	m := regexp.MustCompile(`LOG:  checkpoint complete: wrote (\d+) buffers .*write=([\d.]+) s, sync=([\d.]+) s, ` +
		`total=([\d.]+) s`).FindStringSubmatch(line)
	if m == nil {
		return record.Event{}, false
	}
	return record.Event{Name: record.EventCheckpointEnd, Detail: fmt.Sprintf("%s buffers, write %s s, sync %s s",
		m[1], m[2], m[3])}, true
}

// triggerOf returns a checkpoint's trigger. A server logs "wal" or "time", and for a requested one its options:
// "immediate force wait".
func triggerOf(words string) string {
	if words == "" {
		return triggerRequested
	}
	return words
}

// triggerRequested is the trigger of a checkpoint that was not due by its time, as far as a server's counters show.
const (
	triggerTime      = "time"
	triggerRequested = "requested"
)
