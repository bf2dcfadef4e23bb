package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/render"
)

// maxWatched bounds the cells whose databases are drawn second by second.
const maxWatched = 12

// watchedTracks returns the seconds of the last valid trial of each cell with a monitored database.
func watchedTracks(in *finding.Input) (tracks []render.Watched, problems []note.Note) {
	chosen := lastOfCells(in.Trials, bottleneck.Watched)
	for _, t := range chosen[:min(len(chosen), maxWatched)] {
		series, err := bottleneck.Seconds(in, t)
		if err != nil {
			problems = append(problems, note.New("no-timeline-of-trial", t.ID, err))
			continue
		}
		if track, ok := bottleneck.NewTrack(t, series, in.Read.Events, bottleneck.Step); ok && len(track.Ops) > 1 {
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
