package main

import (
	"fmt"

	"plimsoll/internal/finding"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/render"
	"plimsoll/internal/workload/disk"
)

// Limits of timelines in a report: a page stays small, and a stall of a few ms remains visible.
const (
	maxTracks = 24
	maxPoints = 6000
)

// timelines returns the bytes per ms of the last valid trial that counts, for each cell with such a series. Unreadable
// ones are omitted with a note.
func timelines(in *finding.Input) (tracks []render.Track, problems []note.Note) {
	chosen := lastOfCells(in.Trials, func(t record.Trial) bool { return t.Keys[record.KeyWorkload] == disk.Name })
	for _, t := range chosen[:min(len(chosen), maxTracks)] {
		track, ok, err := trackOf(in, t)
		if err != nil {
			problems = append(problems, note.New("no-timeline", err))
		}
		if ok {
			tracks = append(tracks, track.Thinned(maxPoints))
		}
	}
	if more := len(chosen) - maxTracks; more > 0 {
		problems = append(problems, note.New("timelines-not-drawn", more))
	}
	return tracks, problems
}

// lastOfCells returns the last valid trial of each cell, among those that count and are wanted, in the order in which
// the cells came first.
func lastOfCells(trials []record.Trial, wanted func(record.Trial) bool) []record.Trial {
	place := map[string]int{}
	var out []record.Trial
	for _, t := range trials {
		if t.Void != "" || !t.Counts() || !wanted(t) {
			continue
		}
		at := fmt.Sprint(t.Keys[record.KeyMachine], t.Plan, t.Cell)
		i, ok := place[at]
		if !ok {
			place[at] = len(out)
			out = append(out, t)
			continue
		}
		out[i] = t
	}
	return out
}

// trackOf returns a trial's bytes per step, as bytes per second; false if it has none.
func trackOf(in *finding.Input, t record.Trial) (render.Track, bool, error) {
	step := 0.0
	series, err := in.Read.Windows(t, func(s record.Series) bool {
		if s.Name != record.SeriesDiskBytes || s.StepNs <= 0 {
			return false
		}
		step = float64(s.StepNs) * 1e-9
		return true
	})
	counts := series[record.SeriesDiskBytes]
	if err != nil || len(counts) == 0 {
		return render.Track{}, false, err
	}
	out := render.Track{Unit: "B/s", StepS: step, Values: make([]float64, len(counts))}
	for i, n := range counts {
		out.Values[i] = float64(n) / step
	}
	out.Label = fmt.Sprintf("%s, %s, %s, replicate %d: bytes of each %s", t.Keys[record.KeyMachine], t.Keys[record.KeyWorkload]+said(t), record.LoadText(t.Load.Key()), t.Replicate, record.FormatDuration(step))
	return out, true, nil
}

// said returns the parameters that distinguish a disk's trials.
func said(t record.Trial) string {
	text := ""
	for _, name := range []string{"rw", "block"} {
		if v := t.Keys[disk.Name+"."+name]; v != "" {
			text += " " + v
		}
	}
	return text
}
