package main

import (
	"maps"
	"slices"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/storage"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/render"
)

// maxDisks bounds the loads for which to draw disks over time.
const maxDisks = 24

// addDisks adds charts of disk activity over time to a page: for each cell that was sized and whose disk was active,
// all machines with an equal load together.
func addDisks(page *render.Page, in *finding.Input) {
	warn := func(code note.Code, args ...any) {
		page.Shown.Warnings = append(page.Shown.Warnings, note.New(code, args...))
	}
	loads, sizings, order := sizedLoads(page.Shown, in.Trials)
	if more := len(order) - maxDisks; more > 0 {
		warn("disks-not-drawn", more)
		order = order[:maxDisks]
	}
	titles := titlesOf(loads, order)
	for i, at := range order {
		d := render.DiskLoad{Title: titles[i]}
		for _, machine := range slices.Sorted(maps.Keys(loads[at])) {
			t := loads[at][machine]
			line, err := storage.ReadDiskTimeline(in, t)
			if err != nil {
				warn("no-disk-timeline", t.ID, err)
				continue
			}
			d.Sides = append(d.Sides, render.DiskSide{Machine: machine, Timeline: line, Sizing: *sizings[t.ID]})
		}
		page.Disks = append(page.Disks, d)
	}
}

// sizedLoads returns the loads with disk activity: by load, the last valid trial of each machine that counts and used
// the sized disk; sizings are by trial.
func sizedLoads(shown finding.Shown, trials []record.Trial) (loads loadsOf, sizings map[string]*storage.Sizing, order []string) {
	byID := map[string]record.Trial{}
	for _, t := range trials {
		if t.Disk != nil && t.Void == "" {
			byID[t.ID] = t
		}
	}
	loads, sizings = loadsOf{}, map[string]*storage.Sizing{}
	for _, c := range shown.Workloads {
		if storage.KindSizing.Of(c) == nil || storage.KindSizing.Of(c).Idle || storage.KindSizing.Of(c).Need == nil {
			continue
		}
		for _, v := range slices.Backward(c.Trials) {
			t, ok := byID[v.ID]
			if !ok || t.Disk.Device != storage.KindSizing.Of(c).Device {
				continue
			}
			at, first := loads.add(c.Machine, t)
			if first {
				order = append(order, at)
			}
			sizings[t.ID] = storage.KindSizing.Of(c)
			break
		}
	}
	return loads, sizings, order
}
