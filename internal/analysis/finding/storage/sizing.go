package storage

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Sizing is the disk performance that a workload needs: the document of `sizing` in `show --json`. It belongs to the
// primary metric of a cell whose trials used the disk that holds its data.
type Sizing struct {
	Device   string        `json:"device"`
	Kind     string        `json:"kind,omitempty"` // of storage, from the fingerprint: "EBS"
	N        int           `json:"n"`              // runs with a disk timeline
	Idle     bool          `json:"idle"`           // hardly any I/O: below both idleBytes and idleIOs
	Averages []DiskAverage `json:"averages"`
	MeanIO   float64       `json:"mean_io_bytes"`
	Reads    float64       `json:"read_share"`   // of the bytes, 0 to 1
	Merged   float64       `json:"merged_share"` // share of the requests merged by the kernel, 0 to 1
	BusyPct  float64       `json:"busy_pct"`     // time with I/O in flight
	Iowait   float64       `json:"iowait_pct"`   // of the time of all CPUs
	InFlight float64       `json:"in_flight"`    // mean of samples at the steps' ends
	// whether I/Os and bytes rise and fall together; absent if the load was level, or short
	Together *IOsWithBytes     `json:"ios_with_bytes,omitempty"`
	Cap      DiskCap           `json:"cap"`
	Need     *DiskNeed         `json:"need"` // nil if Unsized has the reason
	Unsized  note.Note         `json:"unsized,omitzero"`
	Storage  []catalog.Storage `json:"storage"` // storage that satisfies the need
	Doubts   []note.Note       `json:"-"`
}

// Caveats returns the notes of the finding.
func (s Sizing) Caveats() []note.Note { return s.Doubts }

// DiskAverage holds the rates that suffice for shares of the time, at one averaging window.
type DiskAverage struct {
	Seconds float64     `json:"seconds"`
	Points  []DiskPoint `json:"points"`
}

// DiskPoint holds the rates that suffice for a share of the time. Figures are null if Why has the reason.
type DiskPoint struct {
	Percentile   float64     `json:"percentile"`   // of the time
	IOPS         *DiskFigure `json:"iops"`         // completed, as the kernel issued them
	Counted      *DiskFigure `json:"counted_iops"` // as a provider counts them, upper bound
	CountedLeast *DiskFigure `json:"counted_iops_least"`
	Bytes        *DiskFigure `json:"bytes_per_s"`
	Why          note.Note   `json:"why,omitzero"`
}

// DiskFigure is the mean over runs, its interval, and the highest of any run.
type DiskFigure struct {
	estimate.Estimate
	Most float64 `json:"most"`
}

// DiskNeed is the performance that storage must provide: the highest of any run, at a share of the time and an
// averaging window.
type DiskNeed struct {
	catalog.Need
	Percentile float64   `json:"percentile"`
	Averaging  float64   `json:"averaging_s"`
	Why        note.Note `json:"why,omitzero"` // set if it differs from the requested averaging
}

// sizingOptions are the requirements of a sizing.
type sizingOptions struct {
	Percentile float64 // share of the time for the need, over 0 and at most 100
	GiB        float64 // capacity; 0: the size of the disk
	Held       float64 // bytes/s that a quota lets pass; 0: none was found
	Volumes    bool    // list a provider's volumes for any machine, not only for that provider's
	Catalog    *catalog.Catalog
	Type       func(record.Machine) (catalog.Type, bool)
	Timeline   func(record.Trial) (diskTimeline, error)
}

// leastOwn is the least share of a disk's traffic that must be the work's own for the disk's figures to be the work's.
// A file system's journal and metadata multiply small synchronous writes by up to 4.
const leastOwn = .2

// usedItsDisk reports whether a trial has a timeline of the disk that holds its data, and caused that disk's traffic.
// Earlier versions did not record the work's own bytes.
func usedItsDisk(t record.Trial) bool {
	d := t.Disk
	if d == nil || d.OnData == nil || !*d.OnData {
		return false
	}
	return d.WorkBytes == nil || float64(*d.WorkBytes) >= leastOwn*float64(d.ReadBytes+d.WriteBytes)
}

// Below both, disk activity is that of an idle machine.
const (
	idleBytes = 1e6 // B/s
	idleIOs   = 20  // 1/s
)

// diskStep is the step of a timeline, s.
const diskStep = record.DiskStepNs * 1e-9

// averagings returns the averaging windows of rates, in seconds.
func averagings() []float64 { return []float64{diskStep, 1, 60} }

// percentiles returns the reported shares of the time.
func percentiles() []float64 { return []float64{50, 95, 99, 100} }

// sizingOf sizes the busiest disk over the trials that used theirs; nil if none did.
func sizingOf(trials []record.Trial, m record.Machine, name string, o sizingOptions) *Sizing {
	device := mostUsed(trials)
	s := &Sizing{Device: device, Doubts: []note.Note{}, Storage: []catalog.Storage{}}
	var lines []diskTimeline
	var of []record.Trial
	others := 0
	for _, t := range trials {
		if t.Disk.Device != device {
			others++
			continue
		}
		line, err := o.Timeline(t)
		if err != nil {
			s.doubt("disk-timeline-unreadable", record.RunNumber(t.Replicate), err)
			continue
		}
		lines, of = append(lines, line), append(of, t)
	}
	if len(lines) == 0 {
		return nil
	}
	s.N = len(lines)
	if others > 0 {
		s.doubt("other-disk-used", others)
	}
	s.describe(lines, of)
	s.Together = iosWithBytes(lines)
	for _, seconds := range averagings() {
		s.Averages = append(s.Averages, averageOver(lines, seconds))
	}
	m.Name = name
	s.Cap = capOf(lines, s.Kind, diskOf(m, device), m, o)
	s.satisfy(lines, m, o)
	s.doubtTrials(of, lines)
	return s
}

func mostUsed(trials []record.Trial) string {
	moved := map[string]int64{}
	best := ""
	for _, t := range trials {
		moved[t.Disk.Device] += t.Disk.ReadBytes + t.Disk.WriteBytes
		if best == "" || moved[t.Disk.Device] > moved[best] {
			best = t.Disk.Device
		}
	}
	return best
}

func (s *Sizing) doubt(code note.Code, args ...any) {
	s.Doubts = append(s.Doubts, note.New(code, args...))
}

func (s *Sizing) describe(lines []diskTimeline, of []record.Trial) {
	s.Kind = of[0].Disk.Kind
	var seconds, io, bytes, read, merges, busy, iowait, cpu, inFlight, steps float64
	for _, l := range lines {
		seconds += trialset.Sum(l.lengths)
		io += trialset.Sum(l.io)
		bytes += trialset.Sum(l.bytes)
		read += trialset.Sum(l.readBytes)
		merges += trialset.Sum(l.merges)
		busy += trialset.Sum(l.busy)
		iowait += trialset.Sum(l.iowait)
		cpu += trialset.Sum(l.cpu)
		inFlight += trialset.Sum(l.inFlight)
		steps += float64(len(l.lengths))
	}
	s.MeanIO, s.Reads, s.Merged = trialset.Part(bytes, io), trialset.Part(read, bytes), trialset.Part(merges, merges+io)
	s.BusyPct, s.Iowait, s.InFlight = min(100, 100*trialset.Part(busy, seconds)), 100*trialset.Part(iowait, cpu),
		trialset.Part(inFlight, steps)
	s.Idle = bytes < idleBytes*seconds && io < idleIOs*seconds
}

// averageOver returns the sufficient rates at one averaging window.
func averageOver(lines []diskTimeline, seconds float64) DiskAverage {
	out := DiskAverage{Seconds: seconds}
	for _, p := range percentiles() {
		out.Points = append(out.Points, pointOf(lines, seconds, p))
	}
	return out
}

func pointOf(lines []diskTimeline, seconds, percentile float64) DiskPoint {
	p := DiskPoint{Percentile: percentile}
	if n, need := fewestWindows(lines, seconds), stat.WindowsFor(percentile/100); n < need {
		p.Why = note.New("few-windows", n, seconds, need)
		return p
	}
	figure := func(of func(diskTimeline) []float64) *DiskFigure {
		var values []float64
		for _, l := range lines {
			values = append(values, l.suffices(of(l), seconds, percentile))
		}
		return diskFigure(values)
	}
	p.IOPS = figure(func(l diskTimeline) []float64 { return l.io })
	p.Counted = figure(func(l diskTimeline) []float64 { return l.counted })
	p.CountedLeast = figure(func(l diskTimeline) []float64 { return l.countedLeast })
	p.Bytes = figure(func(l diskTimeline) []float64 { return l.bytes })
	return p
}

// suffices returns the rate that suffices for a column in a share of the time, in %.
func (t diskTimeline) suffices(column []float64, seconds, percentile float64) float64 {
	rates, lengths := stat.Rates(column, t.lengths, seconds, diskStep)
	return stat.QuantileOfTime(rates, lengths, percentile/100)
}

func diskFigure(values []float64) *DiskFigure {
	return &DiskFigure{estimate.Of(values), slices.Max(values)}
}

// fewestWindows returns the number of windows of that length in the shortest timeline.
func fewestWindows(lines []diskTimeline, seconds float64) int {
	fewest := math.MaxInt
	for _, l := range lines {
		rates, _ := stat.Rates(l.io, l.lengths, seconds, diskStep)
		fewest = min(fewest, len(rates))
	}
	return fewest
}

// sizingSays describes the cells of each machine with the highest disk load, in bytes and in I/Os. The others are in
// the JSON document.
func sizingSays(v *finding.View) []block.Block {
	var out []block.Section
	for _, own := range finding.GroupBy(usingDisks(v.Cells), func(c finding.Cell) string { return c.Machine }) {
		most := func(of func(DiskNeed) float64) int {
			best := 0
			for i, c := range own {
				if of(*KindSizing.Of(c).Need) > of(*KindSizing.Of(own[best]).Need) {
					best = i
				}
			}
			return best
		}
		at := []int{most(func(n DiskNeed) float64 { return n.MiBps }), most(func(n DiskNeed) float64 { return n.IOPS })}
		slices.Sort(at)
		at = slices.Compact(at)
		for _, i := range at {
			out = append(out, newSizing(own[i], v.Place(own[i])))
		}
		if rest := len(own) - len(at); rest > 0 {
			last := &out[len(out)-1]
			last.Blocks = append(last.Blocks, block.Sentence{Lead: "others", Tone: block.Dim, Detail: true,
				Text: fmt.Sprintf("%s with lower needs; show --json lists them", figure.Count(rest, "cell"))})
		}
	}
	return finding.Blocks(out)
}

func usingDisks(cells []finding.Cell) []finding.Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c finding.Cell) bool { return activeSizing(c) == nil })
}

// activeSizing returns the sizing of a cell whose disk was active and has a need; else nil.
func activeSizing(c finding.Cell) *Sizing {
	if s := KindSizing.Of(c); s != nil && !s.Idle && s.Need != nil {
		return s
	}
	return nil
}

func newSizing(c finding.Cell, where string) block.Section {
	s := *KindSizing.Of(c)
	disk := strings.TrimSpace(s.Device + " " + s.Kind)
	out := block.Section{Title: "disk",
		Fixed: fmt.Sprintf("%s: %s, I/Os of %s on average, %s%% of the bytes read, %s%% of requests merged by the "+
			"kernel, in use %s%% of the time, iowait %s%% (%s)",
			where, disk, figure.Quantity(s.MeanIO, "B"), figure.Fixed(100*s.Reads, 0), figure.Fixed(100*s.Merged, 0),
			figure.Fixed(s.BusyPct, 0), figure.Fixed(s.Iowait, 1), figure.N(s.N))}
	out.Blocks = append(out.Blocks, ratesTable(s.Averages))
	notes := append(missingNotes(s.Averages),
		block.Sentence{Lead: "cap", Tone: block.Strong, Detail: !s.Cap.Held, Text: capText(s.Cap)},
		block.Sentence{Lead: "need", Tone: block.Strong, Detail: len(s.Storage) == 0, Text: diskNeedText(*s.Need)})
	if s.Together != nil {
		notes = append(notes, block.Sentence{Lead: "both", Detail: true, Text: s.Together.text()})
	}
	for _, d := range s.Doubts {
		notes = append(notes, block.Sentence{Lead: "note", Tone: block.Warn, Detail: len(s.Storage) == 0, Text: d.Text()})
	}
	out.Blocks = append(out.Blocks, finding.Blocks(notes)...)
	if len(s.Storage) > 0 {
		out.Blocks = append(out.Blocks, storageTable(s.Storage))
	}
	out.Blocks = append(out.Blocks, finding.Blocks(sourceNotes(s.Storage))...)
	return out
}

// ratesTable returns a row for each averaging window and share of the time.
func ratesTable(averages []DiskAverage) block.Table {
	t := block.Table{Keys: 1, Detail: true, Spare: []string{"MB/s", "I/Os"}, Columns: []block.Column{
		{Name: "averaged", Right: true}, {Name: "of time", Right: true}, {Name: "MB/s, interval", Right: true},
		{Name: "MB/s", Right: true}, {Name: "I/Os per s, interval", Right: true}, {Name: "I/Os", Right: true},
		{Name: "counted", Right: true},
	}}
	mega, one := figure.Scale{Factor: 1e6, Unit: ""}, figure.Scale{Factor: 1, Unit: ""}
	for _, a := range averages {
		for _, p := range a.Points {
			if p.IOPS == nil {
				continue
			}
			bytes, ios := p.Bytes.Estimate, p.IOPS.Estimate
			t.Rows = append(t.Rows, []block.Cell{
				{Text: stepText(a.Seconds)}, {Text: figure.Fixed(p.Percentile, 0) + "%"},
				finding.IntervalCell(bytes, mega), {Text: bytes.Estimate(mega)}, finding.IntervalCell(ios, one),
				{Text: ios.Estimate(one)},
				{Text: one.Number(figure.RoundTo(p.CountedLeast.Value, figure.Digits), figure.Digits) + " to " +
					one.Number(figure.RoundTo(p.Counted.Value, figure.Digits), figure.Digits)},
			})
		}
	}
	return t
}

func stepText(seconds float64) string {
	if seconds < 1 {
		return figure.Exact(seconds*1e3) + " ms"
	}
	return figure.Exact(seconds) + " s"
}

// missingNotes lists the shares of the time for which the trials are too short.
func missingNotes(averages []DiskAverage) []block.Sentence {
	var out []block.Sentence
	for _, a := range averages {
		var missing []string
		why := ""
		for _, p := range a.Points {
			if p.IOPS == nil {
				missing = append(missing, figure.Fixed(p.Percentile, 0)+"%")
				why = cmp.Or(why, p.Why.Text())
			}
		}
		if len(missing) > 0 {
			out = append(out, block.Sentence{Lead: "unknown", Tone: block.Dim, Detail: true,
				Text: fmt.Sprintf("averaged over %s, %s of the time: %s", stepText(a.Seconds), strings.Join(missing, ", "), why)})
		}
	}
	return out
}

func capText(c DiskCap) string {
	if !c.Held {
		return "none found: " + c.Why.Text()
	}
	unit := "op/s"
	if c.Metric == "bytes_per_s" {
		unit = "B/s"
	}
	if c.Of == CapThrottled {
		return fmt.Sprintf("the disk is throttled to %s", figure.Quantity(c.Level, unit))
	}
	text := fmt.Sprintf("capped at %s for %s%% of the time, with %s I/Os in flight and iowait %s%%: ",
		figure.Quantity(c.Level, unit), figure.Fixed(100*c.Share, 0), figure.Fixed(*c.Flight, 1), figure.Fixed(*c.Iowait, 1))
	if c.Of == CapUnknown {
		return text + "by an unknown limit; " + c.Why.Text()
	}
	var near []string
	for _, l := range c.Limits {
		near = append(near, fmt.Sprintf("%s, %s", l.Name, figure.Quantity(l.Value, unit)))
	}
	return text + "by the " + c.Of + " (" + strings.Join(near, "; ") + ")"
}

func diskNeedText(n DiskNeed) string {
	text := fmt.Sprintf("%s IOPS as the provider counts them, %s MiB/s and %s GiB suffice for %s%% of the time, "+
		"averaged over %s",
		figure.Fixed(n.IOPS, 0), figure.Fixed(n.MiBps, 1), figure.Exact(n.GiB), figure.Exact(n.Percentile),
		stepText(n.Averaging))
	if !n.Why.IsZero() {
		text += "; " + n.Why.Text()
	}
	return text
}

func storageTable(all []catalog.Storage) block.Table {
	t := block.Table{Keys: 1, Columns: []block.Column{
		{Name: "storage"}, {Name: "GiB", Right: true}, {Name: "IOPS", Right: true}, {Name: "MiB/s", Right: true},
		{Name: "$/month", Right: true}, {Name: "remark"}}}
	for _, s := range all {
		cost := block.Cell{Text: finding.UnknownFigure, Tone: block.Dim}
		if s.USDPerMonth.Known {
			cost = block.Cell{Text: figure.Fixed(s.USDPerMonth.Value, 2), Tone: block.Strong}
		}
		remark := s.Why
		if s.BurstS != nil {
			remark = strings.TrimSuffix("on burst credits alone for "+figure.Quantity(*s.BurstS,
				"s")+" at the needed size; "+remark, "; ")
		}
		t.Rows = append(t.Rows, []block.Cell{
			{Text: s.Kind, Tone: block.Strong}, {Text: figure.Exact(s.GiB)}, knownCell(s.IOPS), knownCell(s.MiBps), cost,
			{Text: remark, Tone: block.Dim}})
	}
	return t
}

// knownCell formats a figure that is unknown if it is 0.
func knownCell(v float64) block.Cell {
	if v == 0 {
		return block.Cell{Text: finding.UnknownFigure, Tone: block.Dim}
	}
	return block.Cell{Text: figure.Exact(v)}
}

func sourceNotes(all []catalog.Storage) []block.Sentence {
	var of []string
	for _, s := range all {
		if s.USDPerMonth.Known {
			of = append(of, strings.Join(figure.NonEmpty(s.Kind, s.Region, s.Date), " "))
		}
	}
	if len(of) == 0 {
		return nil
	}
	return []block.Sentence{
		{Lead: "prices", Tone: block.Dim, Text: strings.Join(of, "; ") + "; show --json has their sources"}}
}
