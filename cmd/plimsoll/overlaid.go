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

// maxOverlaid bounds the loads that are drawn second by second with all machines.
const maxOverlaid = 24

// overlaidTracks returns the seconds of the last valid trial of each machine, for loads that several machines share.
func overlaidTracks(in *finding.Input) (out []render.Overlaid, problems []note.Note) {
	loads, order := alikeLoads(in.Trials)
	if more := len(order) - maxOverlaid; more > 0 {
		problems = append(problems, note.New("timelines-not-together", more))
		order = order[:maxOverlaid]
	}
	titles := titlesOf(loads, order)
	for i, at := range order {
		o := render.Overlaid{Title: titles[i], Unit: "op/s"}
		for _, machine := range slices.Sorted(maps.Keys(loads[at])) {
			t := loads[at][machine]
			series, err := bottleneck.Seconds(in, t)
			if err != nil {
				problems = append(problems, note.New("no-timeline-of-trial", t.ID, err))
				continue
			}
			if track, ok := bottleneck.NewTrack(t, series, in.Read.Events, bottleneck.Step); ok {
				o.Sides = append(o.Sides, render.OverlaidSide{Machine: machine, Track: track})
			}
		}
		if len(o.Sides) > 1 {
			out = append(out, o)
		}
	}
	return out, problems
}

// loadsOf holds trials by load and machine.
type loadsOf map[string]map[string]record.Trial

// add replaces an earlier trial of the same load and machine; first reports whether the load is new.
func (l loadsOf) add(machine string, t record.Trial) (at string, first bool) {
	at = fmt.Sprint(loadKeys(t)) // fmt prints maps in the order of their keys
	if first = l[at] == nil; first {
		l[at] = map[string]record.Trial{}
	}
	l[at][machine] = t
	return at, first
}

// alikeLoads returns the loads that several machines' servers share: by load, the last valid trial by machine.
func alikeLoads(trials []record.Trial) (loads loadsOf, order []string) {
	loads = loadsOf{}
	for _, t := range trials {
		if !bottleneck.Served(t) || !t.Counts() || t.Probe > 0 {
			continue
		}
		if at, first := loads.add(t.Keys[record.KeyMachine], t); first {
			order = append(order, at)
		}
	}
	return loads, slices.DeleteFunc(order, func(at string) bool { return len(loads[at]) < 2 })
}

// loadKeys returns the keys that distinguish loads.
func loadKeys(t record.Trial) map[string]string {
	out := map[string]string{record.KeyWorkload: t.Keys[record.KeyWorkload], record.KeyLoad: t.Load.Key()}
	for name, v := range t.Keys {
		if strings.HasPrefix(name, t.Keys[record.KeyWorkload]+".") {
			out[name] = v
		}
	}
	return out
}

// titlesOf name loads by their workload, the parameters in which those of one workload differ, and how much there is of them.
func titlesOf(loads loadsOf, order []string) []string {
	var all []map[string]string
	for _, at := range order {
		for _, t := range loads[at] {
			all = append(all, loadKeys(t))
			break
		}
	}
	out := make([]string, len(order))
	for i, keys := range all {
		w := keys[record.KeyWorkload]
		parts := []string{w}
		for _, name := range slices.Sorted(maps.Keys(keys)) {
			param, own := strings.CutPrefix(name, w+".")
			if own && param != record.ParamClients && slices.ContainsFunc(all, func(o map[string]string) bool { return o[record.KeyWorkload] == w && o[name] != keys[name] }) {
				parts = append(parts, param+"="+keys[name])
			}
		}
		out[i] = strings.Join(append(parts, keys[record.KeyLoad]), ", ")
	}
	return out
}
