package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// sharedRows is how many runs each import into a shared session has.
const sharedRows = 2000

// shared has two or three programs continue one session at once, or import into it, while others read it. Of those that
// end with 0 all is there, of the others nothing or what they have reported; nothing is there twice, and no line of
// another is lost.
func shared(ctx context.Context, t *trial) outcome {
	if err := t.filled(ctx, "resume"); err != nil {
		return outcome{broken: text(err)}
	}
	before, err := os.ReadFile(t.session)
	if err != nil {
		return outcome{broken: text(err)}
	}
	sharers, err := t.sharers(2 + t.random.IntN(2))
	if err != nil {
		return outcome{broken: text(err)}
	}
	var reader lookout
	over, readers := make(chan struct{}), sync.WaitGroup{}
	readers.Go(func() { reader.look(ctx, t, over) })
	err = t.atOnce(ctx, sharers)
	close(over)
	readers.Wait()
	c, kerr := t.kept(0)
	hit := err == nil && sharers.together()
	if err = errors.Join(err, kerr, reader.fault); err == nil {
		err = sharers.judge(c)
	}
	now, rerr := os.ReadFile(t.session)
	if err = errors.Join(err, rerr); err == nil && !strings.HasPrefix(string(now), string(before)) {
		err = errors.New("what the session had before is not kept")
	}
	if err == nil {
		err = t.whole(ctx, c)
	}
	if err == nil {
		err = t.pricedAtOnce(ctx)
	}
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, sharers)
	}
	return outcome{hit: hit, broken: text(errors.Join(err, t.deserted()))}
}

// sharer is a program that writes to a shared session: it continues it, or imports a table of its own.
type sharer struct {
	table string // "": it continues it
	args  []string
	ran   *running
	code  int
	ended int64 // CLOCK_MONOTONIC
}

type sharers []*sharer

// sharers returns some, the first of which continues the session.
func (t *trial) sharers(n int) (sharers, error) {
	var out sharers
	for i := range n {
		w := &sharer{args: []string{t.program, "run", "--resume", t.session}}
		if i > 0 && t.random.IntN(2) == 0 {
			w.table = fmt.Sprintf("table%d", i)
			w.args = t.importing(t.session, w.table+".csv")
			rows := "machine,workload,replicate,load,load_kind,metric,value,unit\n"
			for j := range sharedRows {
				rows += fmt.Sprintf("m,%s,%d,1,clients,throughput,%d,op/s\n", w.table, j, 1000+j)
			}
			if err := os.WriteFile(filepath.Join(t.dir, w.table+".csv"), []byte(rows), 0o600); err != nil {
				return nil, err
			}
		}
		out = append(out, w)
	}
	return out, nil
}

// atOnce starts all of them, and waits until each has ended.
func (t *trial) atOnce(ctx context.Context, all sharers) error {
	var errs []error
	var wait sync.WaitGroup
	for _, w := range all {
		var err error
		if w.ran, err = t.command(ctx, w.args); err != nil {
			errs = append(errs, err)
			continue
		}
		wait.Go(func() { w.code, w.ended = w.ran.wait(), monotonic() })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// pricedAtOnce has programs set prices of the user's own at once: each is in the file.
func (t *trial) pricedAtOnce(ctx context.Context) error {
	var all sharers
	names := []string{"c6i.2xlarge", "m6gd.8xlarge", "m5d.8xlarge", "c6g.large", "m6g.large", "r5.large"}
	for _, name := range names {
		all = append(all, &sharer{args: []string{t.program, "prices", "set", name + "=0.29"}})
	}
	if err := t.atOnce(ctx, all); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(t.dir, "home", "config", "plimsoll", "prices.csv"))
	for i, p := range all {
		if p.code != 0 || !strings.Contains(string(text), "\n"+names[i]+",0.29,") {
			err = errors.Join(err, fmt.Errorf("the price of %s is lost, and its program ended with %d: %s", names[i], p.code,
				text))
		}
	}
	return err
}

// together reports whether all of them ran at once for a time.
func (all sharers) together() bool {
	last, first := int64(0), all[0].ended
	for _, w := range all {
		last, first = max(last, w.ran.began), min(first, w.ended)
	}
	return last < first
}

// judge checks what is left of all.
func (all sharers) judge(c content) error {
	var errs []error
	if c.damaged > 0 || c.torn {
		errs = append(errs, fmt.Errorf("%d damaged lines, the last one torn: %t", c.damaged, c.torn))
	}
	measured, rows := 0, map[string]int{}
	for _, l := range c.order {
		if rows[l.Keys["workload"]]++; l.Keys["workload"] == "exec" && l.Void == nil {
			measured++
		}
	}
	good := 0
	for _, w := range all {
		switch refused := strings.Contains(w.ran.text.String(), "another plimsoll is writing to it"); {
		case w.code == -2:
			errs = append(errs, errors.New("it hangs"))
		case w.code == 0 && w.table == "" && measured != ordered:
			errs = append(errs, fmt.Errorf("--resume ends with 0, and %d of %d runs are there", measured, ordered))
		case w.code == 0 && w.table != "" && rows[w.table] != sharedRows:
			errs = append(errs, fmt.Errorf("the import of %s ends with 0, and %d of %d runs are there", w.table, rows[w.table],
				sharedRows))
		case w.code != 0 && (!refused || w.ran.said.Load() > 0 || rows[w.table] > 0):
			errs = append(errs, fmt.Errorf("exit code %d, after %d runs, with %d of its table", w.code, w.ran.said.Load(),
				rows[w.table]))
		}
		if w.code == 0 {
			good++
		}
	}
	if good == 0 {
		errs = append(errs, errors.New("nobody could write"))
	}
	return errors.Join(errs...)
}

func (all sharers) String() string {
	var out strings.Builder
	for i, w := range all {
		fmt.Fprintf(&out, "program %d: exit code %d: %s\n", i+1, w.code, w.ran.text.String())
	}
	return out.String()
}

// lookout reads a session again and again.
type lookout struct{ fault error } // the first

// look shows and reports the session until all is over. A session that somebody writes can be read.
func (r *lookout) look(ctx context.Context, t *trial, over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		default:
		}
		for _, args := range [][]string{{"show", t.session}, {"report", t.session, "-o", "-"}} {
			got := t.captured(ctx, args)
			if got.code != 0 && got.code != 3 || strings.Contains(got.err, "goroutine ") {
				r.fault = fmt.Errorf("%s meanwhile ends with %d: %s", args[0], got.code, got.err)
				return
			}
		}
	}
}
