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

	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/session"
	"plimsoll/internal/record/stat"
)

// Refused is an input that is not written, and why: a *usage.Error.
type Refused struct {
	Batch *convert.Batch
	Why   error
}

// Done is what became of inputs.
type Done struct {
	Written []*convert.Batch
	Failed  []Failed // of each that was written, the runs that failed
	Refused []Refused
	Notices []string // what was left out
}

// Session writes the results of other tools to a session: each input as a whole or, if it contradicts an earlier one or
// the session, not at all. newName names a plan.
func Session(ctx context.Context, path string, batches []*convert.Batch, newName func() (string, error)) (Done, error) {
	w, log, err := open(ctx, path)
	if err != nil {
		return Done{}, err
	}
	defer w.Close()
	out, err := fitting(ctx, path, batches, log)
	if err != nil || len(out.Written) == 0 {
		return out, errors.Join(err, discardNew(w, log))
	}
	convert.Renumber(out.Written)
	out.Failed = make([]Failed, len(out.Written))
	err = w.Bulk(func(to *session.Bulk) (err error) {
		for i, b := range out.Written {
			if out.Failed[i], err = writeBatch(ctx, to, b, log, newName); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		err = errors.Join(err, discardNew(w, log))
		if ctx.Err() != nil || errors.As(err, new(session.Unwritten)) { // which has a hint already
			return out, fmt.Errorf("importing: %w", err)
		}
		return out, fmt.Errorf("importing: %w\nhint: make room there, or write elsewhere with -o OTHER", err)
	}
	return out, nil
}

// fitting sorts inputs into those to write, and those that are there already or contradict the ones before.
func fitting(ctx context.Context, path string, batches []*convert.Batch, log *session.Log) (Done, error) {
	var out Done
	seen, names, twice := map[string]string{}, namesOf(log), convert.NewTwice(log)
	forms := convert.NewForms(batches, log)
	for _, b := range batches {
		note, err := "", distinct(b, seen)
		if err == nil {
			err = unseen(path, b, log)
		}
		if err == nil {
			err = names.of(b)
		}
		if err == nil && (len(batches) > 1 || len(log.Trials) > 0) {
			note, err = twice.Take(ctx, b)
		}
		if err == nil && note == "" {
			note, err = forms.Take(b)
		}
		switch {
		case err != nil && !usage.Is(err):
			return out, err
		case err != nil:
			out.Refused = append(out.Refused, Refused{b, err})
			continue
		case note != "":
			out.Notices = append(out.Notices, note)
		}
		seen[b.Source.SHA256] = b.Source.File
		names.learn(b)
		out.Written = append(out.Written, b)
	}
	return out, nil
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

// open creates a session, or opens one for appending.
func open(ctx context.Context, path string) (*session.Writer, *session.Log, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		w, err := session.Create(path)
		return w, &session.Log{}, err
	}
	return session.ResumeContext(ctx, path)
}

// distinct rejects a file that is the same as an earlier one: each of its runs would count twice.
func distinct(b *convert.Batch, seen map[string]string) error {
	if as, ok := seen[b.Source.SHA256]; ok {
		return usage.Errorf("%s: it is given twice, also as %s\nhint: its runs would count twice", b.Source.File, as)
	}
	return nil
}

// unseen rejects a file that is in the session already.
func unseen(path string, b *convert.Batch, log *session.Log) error {
	for _, p := range log.Plans {
		if from := p.Plan.Imported; from != nil && from.SHA256 == b.Source.SHA256 {
			as := ""
			if from.File != b.Source.File {
				as = ", as " + from.File
			}
			return usage.Errorf("%s: %s holds it already%s\nhint: its runs would count twice; -o OTHER writes them to "+
				"another file", b.Source.File, path, as)
		}
	}
	return nil
}

// fact is a fact about the machine of a name.
type fact struct{ machine, name string }

// known are the facts about machines: an input that contradicts them is of another machine, whose trials would pass for
// those of one.
type known map[fact]string

// namesOf returns what a session knows.
func namesOf(log *session.Log) known {
	out := known{}
	for _, m := range log.Machines {
		if m.Arch != "" {
			out[fact{m.Name, "arch"}] = m.Arch
		}
	}
	for _, t := range log.Trials {
		for _, name := range []string{"os", "arch", "cpu"} {
			if v := t.Keys[name]; v != "" {
				out[fact{t.Keys[record.KeyMachine], name}] = v
			}
		}
	}
	return out
}

// of rejects an input that contradicts what is known.
func (k known) of(b *convert.Batch) error {
	for machine, facts := range b.Facts() {
		for name, v := range facts {
			if had, ok := k[fact{machine, name}]; ok && had != v {
				return usage.Errorf("%s: %s of %s is %q here, and %q in the earlier import: these are two machines\nhint: "+
					"import the file of each with its own --machine", b.Source.File, name, machine, v, had)
			}
		}
	}
	return nil
}

// learn adds the facts of an input.
func (k known) learn(b *convert.Batch) {
	for machine, facts := range b.Facts() {
		for name, v := range facts {
			k[fact{machine, name}] = v
		}
	}
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
	return void, out.End(record.End{Plan: hash, Reason: record.EndDone, Trials: b.Len(), Void: void.n})
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
