package bottleneck

import (
	"cmp"
	"maps"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Timeline is the activity of a database under load. It belongs to the primary metric of a cell whose databases were
// monitored.
type Timeline struct {
	N           int            `json:"n"`           // monitored runs
	Seconds     float64        `json:"seconds"`     // of all of them
	Checkpoints map[string]int `json:"checkpoints"` // number begun, by trigger
	// fraction of the throughput without dips; nil if no run is long enough to have any
	Lost   *float64    `json:"lost"`
	Dips   []Dip       `json:"dips"`
	Doubts []note.Note `json:"-"`

	Killed int `json:"killed,omitempty"` // runs in which a broker of a cluster was killed: it has no checkpoints

	Faults []FaultCost `json:"faults,omitempty"` // of brokers in the window, by kind

	Unwatched bool `json:"unwatched,omitempty"` // nothing is known of coinciding activity: the runs are imported
}

// Caveats returns the notes of the finding.
func (t Timeline) Caveats() []note.Note { return t.Doubts }

// Dip is an interval of a run in which throughput was below its usual level.
type Dip struct {
	Trial     string  `json:"trial"`
	Replicate int     `json:"replicate"`
	At        float64 `json:"at_s"` // from the start of the measured window
	Length    float64 `json:"length_s"`
	Depth     float64 `json:"depth"` // drop below the run's median, as a fraction
	// activity during the dip and not otherwise, most relevant first; empty if none is known
	Beside []Beside `json:"beside"`
}

// Beside is an activity during a dip.
type Beside struct {
	What   string   `json:"what"`             // Beside*, or a class of waits
	Detail string   `json:"detail,omitempty"` // a checkpoint's trigger; a vacuum's table; the broker
	At     *float64 `json:"at_s,omitempty"`   // start within the measured window; negative: before it
	Within *float64 `json:"within,omitempty"` // during the dip: images/s, or a share of the backends' time, 0 to 1
	Other  *float64 `json:"otherwise,omitempty"`
}

// Activities that may coincide with a dip, apart from waits.
const (
	BesideCheckpoint = "checkpoint"
	BesideImages     = "full-page images"
	BesideVacuum     = "autovacuum"
	BesideBroker     = "killed broker" // of a cluster, until all replicas were in sync again
	BesideDrive      = "lost drive"    // of an object store's erasure set, until the window's end
	BesideAdded      = "added broker"  // likewise, from its start until it had its partitions
)

// Track holds a trial's throughput and its database's activity, second by second.
type Track struct {
	Unit   string  // of throughput, as users of the workload write it
	Step   float64 // s
	Ops    []float64
	Series map[string][]float64 // of record.DB*, by name, in each step; 0 if missing
	Marks  []Mark               // ordered by start
}

// Mark is an activity with a start and an end.
type Mark struct {
	What     string // BesideCheckpoint, BesideVacuum, BesideBroker, BesideAdded, BesideDrive
	Detail   string
	From, To float64 // s from the start of the measured window
}

// Step is the step of the series of a database's activity, s.
const Step = 1

// trackOf reads the seconds of a trial, or the longer steps in which a file states its throughput; false if it has no
// throughput by second.
func trackOf(in *finding.Input, t record.Trial) (Track, bool, error) {
	step := int64(Step * 1e9)
	series, err := in.Read.Windows(t, func(s record.Series) bool {
		if longer := s.Name == "ops" && s.StepNs > step; longer {
			step = s.StepNs
			return true
		}
		return s.StepNs == Step*1e9
	})
	if err != nil {
		return Track{}, false, err
	}
	out := Track{Unit: figure.UnitOf(t.Keys[record.KeyWorkload], "op/s"), Step: float64(step) / 1e9,
		Ops: floats(series["ops"], len(series["ops"])), Series: map[string][]float64{}}
	for name, values := range series {
		if record.IsDBSeries(name) {
			out.Series[name] = floats(values, len(out.Ops))
		}
	}
	out.Marks = marksOf(t, in.Read.Events, out.seconds())
	return out, len(out.Ops) > 0, nil
}

// floats converts n values; missing ones are 0.
func floats(values []int64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		if i < len(values) {
			out[i] = float64(values[i])
		}
	}
	return out
}

// marksOf pairs the begin and end events of a trial; a mark without an end lasts until the trial's.
func marksOf(t record.Trial, events []record.Event, end float64) []Mark {
	var out []Mark
	closeLast := func(what, detail string, at float64) {
		for i := len(out) - 1; i >= 0; i-- {
			if out[i].What == what && out[i].To == end && (detail == "" || out[i].Detail == detail) {
				out[i].To = min(at, end)
				return
			}
		}
	}
	for _, e := range events {
		if e.Trial != t.ID {
			continue
		}
		switch at := float64(e.TimeNs-t.MonoNs) * 1e-9; e.Name {
		case record.EventCheckpointBegin:
			out = append(out, Mark{BesideCheckpoint, e.Detail, at, end})
		case record.EventCheckpointEnd:
			closeLast(BesideCheckpoint, "", at)
		case record.EventAutovacuumBegin:
			out = append(out, Mark{BesideVacuum, e.Detail, at, end})
		case record.EventAutovacuumEnd:
			closeLast(BesideVacuum, e.Detail, at)
		case record.EventBrokerKilled:
			out = append(out, Mark{BesideBroker, e.Detail, at, end})
		case record.EventBrokerInSync:
			closeLast(BesideBroker, e.Detail, at)
		case record.EventDriveLost:
			out = append(out, Mark{BesideDrive, e.Detail, at, end})
		case record.EventBrokerAdded:
			out = append(out, Mark{BesideAdded, e.Detail, at, end})
		case record.EventBrokerReassigned:
			closeLast(BesideAdded, e.Detail, at)
		}
	}
	slices.SortStableFunc(out, func(a, b Mark) int { return cmp.Compare(a.From, b.From) })
	return out
}

// watched reports whether a valid trial's database was monitored.
func watched(t record.Trial) bool {
	_, ok := t.Value(record.WaitShare(record.WaitClient))
	return ok && t.Void == ""
}

// killed reports whether a broker was killed in a valid trial.
func killed(t record.Trial) bool {
	_, ok := t.Value(record.FaultInSync)
	return ok && t.Void == ""
}

// faulted reports whether a broker was killed or added, or a drive lost, in a valid trial.
func faulted(t record.Trial) bool {
	_, added := t.Value(record.AddReassigned)
	_, cost := t.Value(record.FaultRecovery)
	return (added || cost && t.Keys[record.KeyErasureSet] != "") && t.Void == "" || killed(t)
}

// followed reports whether what went on beside the load is known of a valid trial.
func followed(t record.Trial) bool { return watched(t) || faulted(t) }

// importedBySecond reports whether a valid trial was imported from a tool that states the throughput of each second.
func importedBySecond(t record.Trial) bool {
	return t.Keys[record.KeyImported] != "" && t.DurationS > 0 && t.Void == ""
}

// served reports whether a valid trial loaded a server in a closed loop, and the CPU time of its process is known.
func served(t record.Trial) bool {
	return t.Void == "" && t.Load.Kind == record.Closed && t.CPU != nil && t.CPU.Source != record.ChargedThreads &&
		t.Generator != nil && t.Load.Unit == record.ParamClients
}

// timelineOf returns the timeline of a cell's trials.
func timelineOf(in *finding.Input, trials []record.Trial) *Timeline {
	out := &Timeline{Checkpoints: map[string]int{}, Dips: []Dip{}, Doubts: []note.Note{}}
	missing, whole, judged := 0.0, 0.0, false
	var valid []record.Trial
	var tracks []Track
	for _, t := range trials {
		track, ok, err := trackOf(in, t)
		if err != nil {
			out.Doubts = append(out.Doubts, note.New("series-unreadable", record.RunNumber(t.Replicate), err))
			continue
		}
		if !ok {
			continue
		}
		out.N++
		valid, tracks = append(valid, t), append(tracks, track)
		if killed(t) {
			out.Killed++
		}
		out.Seconds += track.seconds()
		for _, m := range track.Marks {
			if m.What == BesideCheckpoint && m.From >= 0 {
				out.Checkpoints[m.Detail]++
			}
		}
		dips, level, long := stat.Dips(track.Ops)
		judged = judged || long
		for _, d := range dips {
			missing += d.Lost * level
			out.Dips = append(out.Dips, dipOf(t, track, d, dips))
		}
		whole += trialset.Sum(track.Ops)
	}
	out.Faults = faultsOf(valid, tracks)
	out.Unwatched = !slices.ContainsFunc(trials, followed)
	if judged {
		lost := trialset.Part(missing, whole+missing)
		out.Lost = &lost
	}
	return out
}

func dipOf(t record.Trial, track Track, d stat.Dip, all []stat.Dip) Dip {
	return Dip{
		Trial: t.ID, Replicate: t.Replicate, At: track.Step * float64(d.From), Length: track.Step *
			float64(d.To-d.From), Depth: d.Depth,
		Beside: besides(track, d, all),
	}
}

// Triggers returns the triggers of a timeline's checkpoints, the most frequent first.
func (t Timeline) Triggers() []string {
	return slices.SortedFunc(maps.Keys(t.Checkpoints), func(a, b string) int {
		return cmp.Or(cmp.Compare(t.Checkpoints[b], t.Checkpoints[a]), cmp.Compare(a, b))
	})
}
