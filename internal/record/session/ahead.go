package session

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"sync"

	"plimsoll/internal/base/input"
	"plimsoll/internal/record"
)

// parsed is a line with all that can be told of it alone.
type parsed struct {
	rawLine
	kind  string
	sum   uint32
	err   error        // why it is not valid
	trial record.Trial // of a trial's line
	keys  []byte       // of the trial as they stand in the line; nil: in the trial
}

// parse verifies a line and decodes a trial.
func (d *trialLines) parse(p *parsed) {
	p.text = bytes.TrimSuffix(p.text, []byte{'\r'}) // added by mail and some editors
	if p.kind, p.sum, p.err = check(p.text); p.err != nil {
		return
	}
	// Runs are many, and those that a Writer formats have no null: counting these too would take a seventh of the time.
	if p.kind == kindTrial && bytes.Count(p.text, []byte{'{'}) <= len(p.text)/leastObject {
		var ok bool
		if p.keys, ok = d.decode(p.text, &p.trial); ok {
			return
		}
		p.keys = nil
	}
	if p.err = Crowded(p.text, maxObjects); p.err == nil && p.kind == kindTrial {
		p.trial, p.err = decode[record.Trial](p.rawLine)
	}
}

// About how much of a file is parsed at once, whichever is reached first: a line may have a single byte, and takes 1 KB
// here.
const (
	batchBytes = 256 << 10
	batchLines = 1 << 10
)

// batch is some lines of a file in their order.
type batch struct {
	text  []byte // of all of them
	lines []parsed
	err   error         // why they are the last; io.EOF at the end of the file
	ready chan struct{} // receives once they are parsed
}

// fill reads lines.
func (b *batch) fill(from *splitter) {
	clear(b.lines) // of pointers into trials
	b.text, b.lines = b.text[:0], b.lines[:0]
	for len(b.text) < batchBytes && len(b.lines) < batchLines && b.err == nil {
		var l rawLine
		if l, b.err = from.next(); b.err == nil {
			at := len(b.text)
			b.text = append(b.text, l.text...)
			l.text = b.text[at:]
			b.lines = append(b.lines, parsed{rawLine: l})
		}
	}
}

// ahead parses the lines of a file on several CPUs, ahead of their reader.
type ahead struct {
	batches chan *batch // in the order of the file
	free    chan *batch
	parsers chan *trialLines // one a CPU; nil until it is needed
	cancel  context.CancelFunc
	running sync.WaitGroup
}

func newAhead(ctx context.Context, f io.Reader) *ahead {
	const most = 4
	cpus := min(runtime.GOMAXPROCS(0), most)
	a := &ahead{
		batches: make(chan *batch, cpus+1), free: make(chan *batch, cpus+1),
		parsers: make(chan *trialLines, cpus),
	}
	ctx, a.cancel = context.WithCancel(ctx)
	for range cpus {
		a.parsers <- nil
	}
	for range cap(a.free) {
		a.free <- &batch{ready: make(chan struct{}, 1)}
	}
	from := newSplitter(input.Stoppable(ctx, f)) // a line without an end may be longer than anybody waits
	a.running.Go(func() { a.read(ctx, from) })
	return a
}

// read hands batches on until the last, or until the context ends.
func (a *ahead) read(ctx context.Context, from *splitter) {
	defer close(a.batches)
	for {
		select {
		case <-ctx.Done():
			return
		case b := <-a.free:
			b.fill(from)
			last := b.err != nil
			a.batches <- b // has room for all of them
			a.running.Go(func() { a.parse(b) })
			if last {
				return
			}
		}
	}
}

func (a *ahead) parse(b *batch) {
	d := <-a.parsers
	if d == nil {
		d = newTrialLines()
	}
	for i := range b.lines {
		if l := &b.lines[i]; !l.long {
			d.parse(l)
		}
	}
	a.parsers <- d
	b.ready <- struct{}{}
}

// stop ends the reading and waits for its goroutines.
func (a *ahead) stop() {
	a.cancel()
	a.running.Wait()
}

// each implements source.
func (a *ahead) each(do func(*parsed) error) error {
	for b := range a.batches {
		<-b.ready
		for i := range b.lines {
			if err := do(&b.lines[i]); err != nil {
				return err
			}
		}
		if b.err != nil {
			return b.err
		}
		a.free <- b
	}
	return errors.New("it ended without its end")
}
