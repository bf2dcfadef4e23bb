package judge

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/finding/storage"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// AddBinds gives the cells of what is shown what holds them down, as far as their trials say what was in use. A load line is made of
// many loads, and none of it is bound by one thing.
func AddBinds(shown *finding.Shown, trials []record.Trial, o bottleneck.BindOptions) {
	byID := map[string]record.Trial{}
	for _, t := range trialset.Counting(trialset.Valid(trials)) {
		if t.Probe == 0 && (bottleneck.Watched(t) || t.CPU != nil) {
			byID[t.ID] = t
		}
	}
	if len(byID) == 0 {
		return
	}
	disks := bottleneck.DisksMeasured(trials)
	for i := range shown.Workloads {
		c := &shown.Workloads[i]
		if !c.Primary {
			continue
		}
		if own := amongTrials(*c, byID); len(own) > 0 {
			c.Add(bottleneck.KindBottleneck.New(bottleneck.BindsOf(own, disks, o.Network), placeOfCell(*c)))
		}
	}
}

// AddSizing gives the cells of what is shown their sizing, as far as their trials used the disk that holds their data.
func AddSizing(shown *finding.Shown, trials []record.Trial, o storage.SizingOptions) {
	byID := map[string]record.Trial{}
	for _, t := range trials {
		if t.Void == "" && storage.UsedItsDisk(t) {
			byID[t.ID] = t
		}
	}
	if len(byID) == 0 {
		return
	}
	sizings := map[string]*storage.Sizing{}
	for i := range shown.Workloads {
		c := &shown.Workloads[i]
		if !c.Primary {
			continue
		}
		own := amongTrials(*c, byID)
		c.Add(storage.KindSizing.New(storage.SizingOf(own, shown.Machines[c.Machine], c.Machine, o), placeOfCell(*c)))
		for _, t := range own {
			sizings[t.ID] = storage.KindSizing.Of(c)
		}
	}
	for i := range shown.Workloads {
		if s := storage.KindPeakDemand.Of(shown.Workloads[i]); s != nil {
			s.Size(sizings, shown.Machines[shown.Workloads[i].Machine], shown.Workloads[i].Machine, o)
		}
	}
}

// AddTimelines gives the cells of what is shown their timelines, as far as their trials were watched.
func AddTimelines(shown *finding.Shown, trials []record.Trial, o bottleneck.TimelineOptions) {
	byID := map[string]record.Trial{}
	for _, t := range trials {
		if bottleneck.Watched(t) || bottleneck.ToldBySecond(t) {
			byID[t.ID] = t
		}
	}
	if len(byID) == 0 {
		return
	}
	for i := range shown.Workloads {
		c := &shown.Workloads[i]
		if !c.Primary {
			continue
		}
		own := amongTrials(*c, byID)
		if len(own) > 0 {
			c.Add(bottleneck.KindTimeline.New(bottleneck.TimelineOf(own, o), placeOfCell(*c)))
		}
	}
}
