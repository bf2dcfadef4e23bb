package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/judge"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/render"
	"plimsoll/internal/session"
)

// The most steps that are read of a series: of one a second or ten, 29 hours at least; of a disk's finest, more than a trial has.
const (
	maxSeconds = 1 << 20
	maxSteps   = 1 << 22
)

// watchedStep is the step of the series of a database's activity, s.
const watchedStep = 1

// addWatched adds database activity second by second and bottlenecks to the results.
func (v valuer) addWatched(shown *finding.Shown, log *session.Log) {
	judge.AddTimelines(shown, log.Trials, bottleneck.TimelineOptions{
		StepS: watchedStep, Events: log.Events,
		Series: func(t record.Trial) (map[string][]int64, error) { return secondsOf(log, t) },
	})
	judge.AddBinds(shown, log.Trials, bottleneck.BindOptions{Network: func(machine string) (float64, string) {
		m := shown.Machines[machine]
		m.Name = machine
		if t, ok := v.typeOf(m); ok && t.NetworkMbps.Known {
			return t.NetworkMbps.Value * 1e6 / 8, "guaranteed to " + t.Name
		}
		return 0, ""
	}})
}

// secondsOf reads the series of a trial with one value a second.
func secondsOf(log *session.Log, t record.Trial) (map[string][]int64, error) {
	all, err := log.Series(t.ID)
	if err != nil {
		return nil, err
	}
	out := map[string][]int64{}
	for _, s := range all {
		if s.StepNs != watchedStep*1e9 || s.Enc != record.EncWindows {
			continue
		}
		if out[s.Name], err = session.DecodeWindowsUpTo(s.Data, maxSeconds); err != nil {
			return nil, fmt.Errorf("series %s: %w", s.Name, err)
		}
	}
	return out, nil
}

// maxWatched bounds the cells whose databases are drawn second by second.
const maxWatched = 12

// watchedTracks returns the seconds of the last valid trial of each cell with a monitored database.
func watchedTracks(log *session.Log) (tracks []render.Watched, problems []note.Note) {
	chosen := lastOfCells(log.Trials, bottleneck.Watched)
	for _, t := range chosen[:min(len(chosen), maxWatched)] {
		series, err := secondsOf(log, t)
		if err != nil {
			problems = append(problems, note.New("no-timeline-of-trial", t.ID, err))
			continue
		}
		if track, ok := bottleneck.NewTrack(t, series, log.Events, watchedStep); ok && len(track.Ops) > 1 {
			tracks = append(tracks, render.Watched{Label: watchedLabel(t), Track: track})
		}
	}
	if more := len(chosen) - maxWatched; more > 0 {
		problems = append(problems, note.New("databases-not-drawn", more))
	}
	return tracks, problems
}

func watchedLabel(t record.Trial) string {
	parts := []string{t.Keys[record.KeyMachine], t.Keys[record.KeyWorkload]}
	for _, name := range slices.Sorted(maps.Keys(t.Keys)) {
		if factor, ok := strings.CutPrefix(name, record.FactorPrefix); ok {
			parts = append(parts, factor+"="+t.Keys[name])
		}
	}
	return fmt.Sprintf("%s, %s, replicate %d", strings.Join(parts, ", "), record.LoadText(t.Load.Key()), t.Replicate)
}
