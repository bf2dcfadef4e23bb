package profile

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Overhead is the effect of profiling on a metric: profiled runs against unprofiled ones of the same benchmark and
// replicate.
type Overhead struct {
	Ratio float64 `json:"ratio"` // profiled over unprofiled
	figure.Bounds
	N int `json:"n"` // replicates that have both
}

// profiles holds the profiled trials: the valid ones by cell and replicate, and notes by cell.
type profiles struct {
	valid  map[profiledAt]record.Trial
	doubts map[trialset.CellID][]note.Note
}

type profiledAt struct {
	trialset.CellID
	replicate int
}

func profiledIn(trials []record.Trial) profiles {
	out := profiles{map[profiledAt]record.Trial{}, map[trialset.CellID][]note.Note{}}
	var void []record.Trial
	for _, t := range trials {
		if !t.Profiled {
			continue
		}
		id := trialset.IDOf(t)
		if t.Void != "" {
			void = append(void, t)
			continue
		}
		out.valid[profiledAt{id, t.Replicate}] = t
		for _, d := range t.Doubts {
			if strings.HasPrefix(d, record.ProfileDoubt) {
				out.doubts[id] = append(out.doubts[id], note.FromRecord(d))
			}
		}
	}
	// One that was repeated successfully is not missing.
	for _, t := range void {
		id := trialset.IDOf(t)
		if _, again := out.valid[profiledAt{id, t.Replicate}]; !again {
			out.doubts[id] = append(out.doubts[id], note.New("profile-left-out", record.ProfileDoubt,
				record.RunNumber(t.Replicate), t.Void))
		}
	}
	return out
}

// overheads also returns the notes on profiled trials.
func overheads(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	p := profiledIn(in.Trials)
	for _, g := range in.Groups {
		out = append(out, p.remarks(g)...)
	}
	groups := map[trialset.Key][]record.Trial{}
	for _, g := range in.Groups {
		groups[g.Key] = g.Trials
	}
	for _, c := range in.Cells {
		if c.Primary || c.Metric == record.CPUPerOp {
			for _, f := range KindOverhead.New(p.overheadOf(c, groups[c.Key()]), c.Key()) {
				f.Metric = c.Metric
				out = append(out, f)
			}
		}
	}
	return out
}

func (p profiles) remarks(g finding.Group) []finding.Finding {
	var notes []note.Note
	seen := map[trialset.CellID]bool{}
	for _, t := range trialset.Valid(g.Trials) {
		if id := trialset.IDOf(t); !seen[id] {
			seen[id] = true
			notes = append(notes, p.doubts[id]...)
		}
	}
	return finding.Remark(g.Key, notes...)
}

// overheadOf returns the effect of profiling on a metric; nil without a profiled trial of it.
func (p profiles) overheadOf(c finding.Cell, trials []record.Trial) *Overhead {
	var logs []float64
	for _, t := range trialset.Valid(trials) {
		with, ok := p.valid[profiledAt{trialset.IDOf(t), t.Replicate}]
		if !ok {
			continue
		}
		a, okA := t.Value(c.Metric)
		b, okB := with.Value(c.Metric)
		if okA && okB && a.Value > 0 && b.Value > 0 && a.Unit == b.Unit {
			logs = append(logs, math.Log(b.Value/a.Value))
		}
	}
	if len(logs) == 0 {
		return nil
	}
	ratio := estimate.FromLogs(stat.LogRatio{Mean: stat.Mean(logs),
		Hull: stat.TInterval(logs, estimate.Alpha, stat.SDFloor)}, len(logs))
	return &Overhead{ratio.Value, ratio.Bounds, len(logs)}
}

// profilingNotes states the cost of profiling, a sentence for each cell.
func profilingNotes(v *finding.View) []block.Sentence {
	var places []string
	of := map[string][]string{}
	for _, c := range v.Cells {
		if KindOverhead.Of(c) == nil {
			continue
		}
		where := v.Place(c)
		if of[where] == nil {
			places = append(places, where)
		}
		of[where] = append(of[where], profilingText(c))
	}
	var out []block.Sentence
	for _, where := range places {
		text := strings.Join(of[where], ", ")
		if len(places) > 1 {
			text = where + ": " + text
		}
		out = append(out, block.Sentence{Lead: "profiling", Tone: block.Dim, Text: text})
	}
	return out
}

// profilingText states the effect of profiling on one metric.
func profilingText(c finding.Cell) string {
	name := c.Metric
	if name == record.CPUPerOp {
		name = "CPU for an operation"
	}
	p := *KindOverhead.Of(c)
	if !p.Bounded() {
		return fmt.Sprintf("%s %+.1f%% while profiled (%s, no interval)", name, 100*(p.Ratio-1), figure.N(p.N))
	}
	return fmt.Sprintf("%s %+.1f to %+.1f%% while profiled (%s)", name, 100*(*p.Lo-1), 100*(*p.Hi-1),
		figure.N(p.N))
}
