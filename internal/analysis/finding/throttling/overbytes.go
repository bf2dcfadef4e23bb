package throttling

import (
	"fmt"
	"math"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/note"
)

// Limits of timelines of bytes in a report: a page stays small, and a stall of a few ms remains visible.
const (
	maxTracks = 24
	maxPoints = 6000
)

// bytesOverTime draws the bytes of workloads disk and network in each ms of the last valid trial of each cell.
// Unreadable series are omitted with a note.
func bytesOverTime(in *finding.Input, _ []string) (out []block.Block, problems []note.Note) {
	chosen := finding.LatestOfCells(in.Trials, func(t record.Trial) bool {
		return trialset.WorkloadOf(t) == DiskWorkload || trialset.WorkloadOf(t) == NetworkWorkload
	})
	chosen, problems = finding.AtMost(chosen, maxTracks, "timelines-not-drawn")
	for i, t := range chosen {
		tr, err := bytesOf(in, t)
		if err != nil {
			problems = append(problems, note.New("no-timeline", err))
		}
		if ch, ok := tr.thinned(maxPoints).chart(fmt.Sprintf("time-%d", i+1)); ok {
			out = append(out, ch)
		}
	}
	return out, problems
}

// track is a series over time.
type track struct {
	label  string
	stepS  float64   // seconds between values
	values []float64 // B/s; NaN for a gap
}

// bytesOf reads a trial's bytes per step, in bytes/s; empty if it has no such series.
func bytesOf(in *finding.Input, t record.Trial) (track, error) {
	step := 0.0
	series, err := in.Read.Windows(t, func(s record.Series) bool {
		if s.Name != record.SeriesDiskBytes && s.Name != record.SeriesNetworkBytes || s.StepNs <= 0 {
			return false
		}
		step = float64(s.StepNs) * 1e-9
		return true
	})
	if err != nil {
		return track{}, err
	}
	out := track{stepS: step}
	for _, name := range []string{record.SeriesDiskBytes, record.SeriesNetworkBytes} {
		for _, n := range series[name] {
			out.values = append(out.values, float64(n)/step)
		}
	}
	out.label = fmt.Sprintf("%s, %s, %s, run %d: bytes of each %s", t.Keys[record.KeyMachine],
		trialset.WorkloadOf(t)+shapeText(t), record.LoadText(t.Load.Key()),
		record.RunNumber(t.Replicate), record.FormatDuration(step))
	return out, nil
}

// shapeText returns the parameters that distinguish the trials of a disk or a network.
func shapeText(t record.Trial) string {
	text := ""
	for _, name := range []string{"rw", "block", "transport", "direction", "size"} {
		if name == "size" && trialset.WorkloadOf(t) == DiskWorkload {
			continue // of the files
		}
		if v := t.Keys[trialset.WorkloadOf(t)+"."+name]; v != "" {
			text += " " + v
		}
	}
	return text
}

// thinned returns the track with at most that many values, at least 2: each stretch of values is replaced by its
// minimum and maximum, in order of occurrence, which preserves spikes and stalls.
func (t track) thinned(most int) track {
	if len(t.values) <= most {
		return t
	}
	per := (2*len(t.values) + most - 1) / most
	out := t
	out.stepS, out.values = t.stepS*float64(per)/2, make([]float64, 0, most)
	for from := 0; from < len(t.values); from += per {
		stretch := t.values[from:min(from+per, len(t.values))]
		low, high := 0, 0
		for i, v := range stretch {
			if v < stretch[low] || math.IsNaN(stretch[low]) {
				low = i
			}
			if v > stretch[high] || math.IsNaN(stretch[high]) {
				high = i
			}
		}
		out.values = append(out.values, stretch[min(low, high)], stretch[max(low, high)])
	}
	return out
}

func (t track) chart(id string) (block.Chart, bool) {
	line := finding.TimeLine(block.Line{Name: t.label, Group: -1}, t.stepS, t.values)
	ch, _, ok := finding.TimeChart(block.Chart{ID: id, Title: t.label, Lines: []block.Line{line}}, "B/s",
		t.stepS*float64(len(t.values)), 1)
	ch.Hint = ch.Desc
	return ch, ok
}
