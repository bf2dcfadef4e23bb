package main

import (
	"context"
	"fmt"
	"io"
	"sync"

	"plimsoll/internal/record/session"
)

// asides is the standard error of a server. Nobody may read it, so that no request waits for it: lines are written one
// after another, and those for which there is no room are lost.
type asides struct {
	lines chan []byte
	mu    sync.Mutex
	files map[string]bool // whose problems were told
}

// mostAsides are the lines that wait to be written.
const mostAsides = 1000

func newAsides(ctx context.Context, to io.Writer) *asides {
	a := &asides{lines: make(chan []byte, mostAsides), files: map[string]bool{}}
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case line := <-a.lines:
				if _, err := to.Write(line); err != nil {
					return
				}
			}
		}
	}()
	return a
}

// Write implements io.Writer. It never waits and never fails.
func (a *asides) Write(p []byte) (int, error) {
	select {
	case a.lines <- append([]byte(nil), p...):
	default:
	}
	return len(p), nil
}

// of tells of each file with problems in one line, once.
func (a *asides) of(all []session.Problem) {
	places := map[string]int{}
	for _, p := range all {
		places[p.File] += 1 + p.More
	}
	for _, p := range all {
		if !a.first(p.File) {
			continue
		}
		also := ""
		if n := places[p.File]; n > 1 {
			also = fmt.Sprintf(" (and %d more)", n-1)
		}
		p.More = 0
		fmt.Fprintf(a, "plimsoll: %s%s\n", p, also)
	}
}

func (a *asides) first(file string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	first := !a.files[file]
	a.files[file] = true
	return first
}
