package sweep

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

// Estimate returns the share with its interval.
func (m MemoryBandwidthShare) Estimate() estimate.Estimate {
	return m.Around(m.Share)
}

// memoryWorkload is the workload that measures memory bandwidth.
const memoryWorkload = "memory"

// Reach is the scope of a memory bandwidth: one number of CPUs, or one socket, says nothing about others.
type Reach struct {
	machine string
	cpus    int // 0 if the load counts none
	one     bool
}

// reachOf returns the memory and the load of a trial, for which a ceiling is valid.
func reachOf(t record.Trial) Reach {
	one := t.Keys[trialset.WorkloadOf(t)+"."+record.ParamSockets] == record.SocketsOne
	return Reach{t.Keys[record.KeyMachine], trialset.CPUsOf(t), one}
}

// Ceiling is the cell of workload memory with the highest bandwidth at a load.
type Ceiling struct {
	trials  []record.Trial
	metric  string
	traffic float64
}

// ceilingsOf ignores cells whose arrays were even partly in cache: their bandwidth is not the memory's.
func ceilingsOf(trials []record.Trial) map[Reach]Ceiling {
	out := map[Reach]Ceiling{}
	order, cells := trialset.GroupByKeys(trials, func(t record.Trial) trialset.Key { return trialset.KeyOf(t, "", nil) })
	for _, p := range order {
		ok := trialset.Valid(cells[p])
		regime := trialset.Common(ok, record.KeyRegime)
		if p.Workload != memoryWorkload || len(ok) == 0 || trialset.CPUsOf(ok[0]) == 0 || regime == record.RegimeCache ||
			regime == record.RegimeBetween {
			continue
		}
		c := Ceiling{trials: ok, metric: trafficOf(ok)}
		if c.traffic = estimate.Average(trialset.ValuesOf(ok, c.metric)); c.traffic > out[reachOf(ok[0])].traffic {
			out[reachOf(ok[0])] = c
		}
	}
	return out
}

// trafficOf returns the metric of memory traffic; earlier sessions have throughput instead.
func trafficOf(memory []record.Trial) string {
	if len(trialset.Having(memory, record.MemoryTraffic)) > 0 {
		return record.MemoryTraffic
	}
	return record.Throughput
}

func (c Ceiling) name() string {
	text := memoryWorkload
	if op := c.trials[0].Keys[memoryWorkload+".op"]; op != "" {
		text += " " + op
	}
	if trialset.CPUsOf(c.trials[0]) == 1 {
		return text + " at 1 cpu"
	}
	return text + " at " + record.LoadText(trialset.LoadOf(c.trials[0]))
}

// Share returns the trials' share of the ceiling; nil if they lack memory traffic or their working set is in cache. The
// note reports an impossible share.
func (c Ceiling) Share(trials []record.Trial) (m *MemoryBandwidthShare, doubt note.Note) {
	trials = trialset.Having(trials, record.MemoryTraffic)
	if c.traffic == 0 || len(trials) == 0 || trialset.WorkloadOf(trials[0]) == memoryWorkload ||
		trialset.Common(trials, record.KeyRegime) == record.RegimeCache {
		return nil, note.Note{}
	}
	took, moved := trialset.ValuesOf(trials, record.MemoryTraffic), trialset.ValuesOf(c.trials, c.metric)
	r := stat.WelchRatio(stat.Logs(moved), stat.Logs(took),
		stat.Opts{Boundary: stat.Fixed(estimate.Alpha), SDFloor: stat.SDFloor})
	if math.IsNaN(r.Mean) {
		return nil, note.Note{}
	}
	t := estimate.FromLogs(r, r.N)
	m = &MemoryBandwidthShare{Share: t.Value, Bounds: t.Bounds, Traffic: estimate.Average(took), Ceiling: c.traffic,
		Of: c.name()}
	if t.Above(1) {
		doubt = note.New("over-memory-ceiling", t.Value, m.Of)
	}
	return m, doubt
}

// showMemory states the memory bandwidth, if cells are related to it, and draws their shares.
func showMemory(v *finding.View) []block.Block {
	var out []block.Sentence
	for _, c := range v.Cells {
		if m := KindMemoryBandwidth.Of(c); m != nil {
			text := fmt.Sprintf("100%% of memory bandwidth is that of %s: %s", m.Of, figure.Quantity(m.Ceiling, "B/s"))
			if v.Several {
				text = c.Machine + ": " + text
			}
			out = append(out, block.Sentence{Lead: "ceiling", Tone: block.Dim, Text: text})
		}
	}
	return append(finding.Blocks(block.Unique(out)), finding.Blocks(ceilingPlot(v))...)
}

// ceilingPlot draws the share of its machine's memory bandwidth of each cell.
func ceilingPlot(v *finding.View) []block.Plot {
	return finding.SharePlot{
		Suffix: "ceiling", Title: "share of the memory's bandwidth", Axis: "memory traffic, % of the highest measured at " +
			"the same load; dashed: 100%",
		Of: ceilingShare,
	}.Draw(v)
}

func ceilingShare(c finding.Cell) (share estimate.Estimate, text, tip string, ok bool) {
	m := KindMemoryBandwidth.Of(c)
	if m == nil || !figure.IsFinite(m.Share) {
		return share, "", "", false
	}
	share, text = m.Estimate(), figure.PercentOf(m.Share, 1)+"%, no interval"
	if share.Bounded() {
		text = figure.PercentRange(m.Ends())
	}
	u := figure.ScaleFor("B/s", m.Traffic, m.Ceiling)
	ceiling := u.Text(m.Ceiling, figure.Digits)
	tip = strings.Join(figure.NonEmpty(
		fmt.Sprintf("%s of traffic are %s of %s", u.Text(m.Traffic, figure.Digits), text, ceiling), m.Of), ", ")
	return share, text + " of " + ceiling, tip, true
}

func memoryRows(c finding.Cell) []finding.Row {
	m := KindMemoryBandwidth.Of(c)
	if m == nil {
		return nil
	}
	return []finding.Row{{Name: "of memory", Value: m.Estimate(), Scale: finding.Percents()}}
}
