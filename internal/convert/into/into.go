// Package into writes the results of other tools into session files.
package into

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"plimsoll/internal/convert"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/finding/integrity"
	"plimsoll/internal/note"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/session"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
	"plimsoll/internal/usage"
)

// Session writes the results of other tools to a session, all of them or none, and returns of each input the runs that
// failed. newName names a plan; notices tell what was left out.
func Session(ctx context.Context, path string, batches []*convert.Batch,
	newName func() (string, error)) (voids []Failed, notices []string, err error) {
	if err := distinct(batches); err != nil {
		return nil, nil, err
	}
	w, log, err := open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	defer w.Close()
	if notices, err = fits(ctx, path, batches, log); err != nil {
		return nil, notices, errors.Join(err, discardNew(w, log))
	}
	voids = make([]Failed, len(batches))
	err = w.Bulk(func(out *session.Bulk) (err error) {
		for i, b := range batches {
			if voids[i], err = writeBatch(ctx, out, b, log, newName); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		err = errors.Join(err, discardNew(w, log))
		if ctx.Err() != nil || errors.As(err, new(session.Unwritten)) { // which has a hint already
			return nil, notices, fmt.Errorf("importing: %w", err)
		}
		return nil, notices, fmt.Errorf("importing: %w\nhint: make room there, or write elsewhere with -o OTHER", err)
	}
	return voids, notices, nil
}

// fits rejects inputs that contradict each other or the session.
func fits(ctx context.Context, path string, batches []*convert.Batch, log *session.Log) (notices []string, err error) {
	if err := unseen(path, batches, log); err != nil {
		return nil, err
	}
	if err := oneMachineAName(batches, log); err != nil {
		return nil, err
	}
	return onlyOnce(ctx, batches, log)
}

// discardNew removes a file created for this import, which is still empty.
func discardNew(w *session.Writer, log *session.Log) error {
	if len(log.Machines) > 0 {
		return nil
	}
	return w.Discard()
}

// Failed counts the runs of an input that failed, with the reason of the first.
type Failed struct {
	n   int
	why string
}

func (v Failed) String() string {
	if v.n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d failed: %s", v.n, v.why)
}

// onlyOnce rejects inputs whose trials are imported already.
func onlyOnce(ctx context.Context, batches []*convert.Batch, log *session.Log) (notices []string, err error) {
	if len(batches) == 1 && len(log.Trials) == 0 {
		return nil, nil
	}
	there := convert.NewTwice(log)
	for _, b := range batches {
		note, err := there.Take(ctx, b)
		if err != nil {
			return notices, err
		}
		if note != "" {
			notices = append(notices, note)
		}
	}
	return notices, nil
}

// open creates a session, or opens one for appending.
func open(ctx context.Context, path string) (*session.Writer, *session.Log, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		w, err := session.Create(path)
		return w, &session.Log{}, err
	}
	return session.ResumeContext(ctx, path)
}

// distinct rejects a file listed twice: each of its runs would count twice.
func distinct(batches []*convert.Batch) error {
	seen := map[string]bool{}
	for _, b := range batches {
		if seen[b.Source.SHA256] {
			return usage.Errorf("%s is given twice\nhint: its runs would count twice", b.Source.File)
		}
		seen[b.Source.SHA256] = true
	}
	return nil
}

// unseen rejects a file that is in the session already.
func unseen(path string, batches []*convert.Batch, log *session.Log) error {
	for _, p := range log.Plans {
		for _, b := range batches {
			if from := p.Plan.Imported; from != nil && from.SHA256 == b.Source.SHA256 {
				return usage.Errorf("%s: %s holds it already, as %s\nhint: its runs would count twice; -o OTHER writes them to "+
					"another file", b.Source.File, path, from.File)
			}
		}
	}
	return nil
}

// oneMachineAName rejects an input whose facts about a machine contradict earlier inputs or the session: its trials
// would pass for those of one machine.
func oneMachineAName(batches []*convert.Batch, log *session.Log) error {
	type fact struct{ machine, name string }
	known := map[fact]string{}
	for _, m := range log.Machines {
		if m.Arch != "" {
			known[fact{m.Name, "arch"}] = m.Arch
		}
	}
	for _, t := range log.Trials {
		for _, name := range []string{"os", "arch", "cpu"} {
			if v := t.Keys[name]; v != "" {
				known[fact{t.Keys[record.KeyMachine], name}] = v
			}
		}
	}
	for _, b := range batches {
		for machine, facts := range b.Facts() {
			for name, v := range facts {
				at := fact{machine, name}
				if had, ok := known[at]; ok && had != v {
					return usage.Errorf("%s: %s of %s is %q here, and %q in the earlier import: these are two machines\nhint: "+
						"import the file of each with its own --machine", b.Source.File, name, machine, v, had)
				}
				known[at] = v
			}
		}
	}
	return nil
}

// writeBatch writes the machines, the plan and the trials of one input.
func writeBatch(ctx context.Context, out *session.Bulk, b *convert.Batch, log *session.Log,
	newName func() (string, error)) (void Failed, err error) {
	name, err := newName()
	if err != nil {
		return void, err
	}
	p := b.Plan(name)
	for _, name := range b.Machines() {
		if err := out.Machine(importedMachine(name, log)); err != nil {
			return void, err
		}
	}
	hash := plan.Hash(p)
	if err := out.Plan(record.PlanLine{Hash: hash, Plan: p}); err != nil {
		return void, err
	}
	for t := range b.Trials(hash) {
		if ctx.Err() != nil {
			return void, errors.New("stopped")
		}
		if err := writeSeries(out, b, &t); err != nil {
			return void, err
		}
		trust := trialset.TrustStated(t)
		t.Void = cmp.Or(t.Void, trust.Void)
		t.Doubts = append(t.Doubts, note.Texts(slices.Concat(trust.Doubts, integrity.Implausible(t)))...)
		if t.Void != "" {
			void.n, void.why = void.n+1, cmp.Or(void.why, t.Void)
		}
		if err := out.Trial(t); err != nil {
			return void, err
		}
	}
	return void, out.End(record.End{Plan: hash, Reason: "done", Trials: b.Len(), Void: void.n})
}

// writeSeries writes a trial's activity second by second, and the results derived from it into the trial.
func writeSeries(out *session.Bulk, b *convert.Batch, t *record.Trial) error {
	for _, s := range b.Series(*t) {
		if err := out.Series(s); err != nil {
			return err
		}
		if s.Name != "ops" || s.StepNs != bottleneck.Step*1e9 || t.Load.Kind != record.Closed || paced(*t) {
			continue
		}
		counts, err := session.DecodeWindows(s.Data)
		if err != nil {
			return err
		}
		x := make([]float64, len(counts))
		for i, n := range counts {
			x[i] = float64(n)
		}
		if w, ok := stat.SummarizeSteady(x); ok {
			within := record.SteadyState(w)
			t.Steady = &within
		}
	}
	return nil
}

// paced reports whether a trial's rate was requested, so that its throughput is the offered rate.
func paced(t record.Trial) bool {
	v, ok := t.Value(record.Throughput)
	return ok && v.Better == record.Neutral
}

// importedMachine returns a machine known by name only. If the session describes one of that name, it keeps its
// fingerprint.
func importedMachine(name string, log *session.Log) record.Machine {
	for _, m := range log.Machines {
		if m.Name == name {
			return m
		}
	}
	return record.Machine{
		Name: name, CPU: record.CPU{Allowed: []int{}, Features: []string{}, Caches: []record.Cache{}},
		Unknown: []string{"imported: no fingerprint"},
	}
}
