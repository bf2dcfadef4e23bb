package history

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"plimsoll/internal/analysis/changepoint"
	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/stat"
)

// Night is one session of a benchmark.
type Night struct {
	File    string `json:"file"`
	Began   string `json:"began"`             // UTC
	Undated bool   `json:"undated,omitempty"` // its runs state no start: began is when the file was written
	estimate.Estimate
	AtLeast bool `json:"at_least,omitempty"` // the value is a lower bound; no change is sought in it
	N       int  `json:"n"`
	Failed  int  `json:"failed"`
	// of all runs of the machine in that session, and of these how many something else on the machine disturbed
	Runs      int    `json:"runs"`
	Disturbed int    `json:"disturbed"`
	State     string `json:"state"`
	ID        string `json:"machine_id,omitempty"`
	Ratio     *Ratio `json:"ratio"` // to the control of the same session, or to the nights before; null if there is none
	// facts of the machine and versions that differ from the night before, as "kernel: 6.1 -> 6.2"
	Changed []string `json:"changed"`
}

// Ratio is a night against its control or the nights before.
type Ratio struct {
	estimate.Estimate
	N int `json:"n"` // pairs of runs, or earlier nights since the last suspected change
}

func nightOf(k explore.Kept, m explore.Machine, c explore.Cell) night {
	began, at, undated := beganAt(k, m)
	return night{
		Night: Night{File: k.File.Name, Began: began, Undated: undated, Estimate: c.Estimate,
			AtLeast: c.AtLeast, N: c.N, Failed: c.Failed, Runs: m.Runs, Disturbed: m.Disturbed,
			State: explore.StateOf(k.File, k.Summary), ID: m.ID, Changed: []string{}},
		at: at, cell: c, machine: m, others: k.Summary.Machines,
	}
}

// beganAt returns the start of a session's first run on a machine, or when its file changed if its runs are undated.
func beganAt(k explore.Kept, m explore.Machine) (began string, at time.Time, undated bool) {
	at, err := record.ParseTime(m.Began)
	if err == nil {
		return m.Began, at, false
	}
	at, _ = record.ParseTime(k.File.Changed)
	return k.File.Changed, at, true
}

// against sets the ratio to the control.
func (n *night) against(control *Side) {
	if control != nil && controlID(n.cell, n.machine) == control.ID {
		n.Ratio = &Ratio{n.cell.Control.Ratio, n.cell.Control.N}
	}
}

// againstEarlier returns the ratios of values to the geometric mean of those before since the last suspected change,
// with the interval in which the next one lies with 95% if it is like them: Student's of the mean and one more value.
// It is nil for the first, and for values that are not positive.
func againstEarlier(values []float64, found []changepoint.Change) []*Ratio {
	out := make([]*Ratio, len(values))
	var logs []float64
	for i, value := range values {
		if slices.ContainsFunc(found, func(c changepoint.Change) bool { return c.At == i }) {
			logs = nil
		}
		if !(value > 0) {
			continue
		}
		v := math.Log(value)
		if len(logs) > 0 {
			out[i] = &Ratio{nextOf(logs, v), len(logs)}
		}
		logs = append(logs, v)
	}
	return out
}

// nextOf returns the ratio of a value to earlier ones, all as logs.
func nextOf(earlier []float64, v float64) estimate.Estimate {
	d := v - stat.Mean(earlier)
	n := float64(len(earlier))
	half := stat.TInterval(earlier, estimate.Alpha, stat.SDFloor).HalfWidth() * math.Sqrt(n+1)
	return estimate.FromLogs(stat.LogRatio{Mean: d, Hull: stat.Interval{Lo: d - half, Hi: d + half}}, len(earlier))
}

// changes returns what differs from the night before: the machine, its facts, the versions of what was measured, and
// likewise of the control's machine.
func (n night) changes(before night, varies bool) []string {
	out := machineChanges(before.machine, n.machine, varies)
	out = append(out, differences(before.cell.Versions, n.cell.Versions)...)
	if a, b := before.controlMachine(), n.controlMachine(); a != nil && b != nil {
		for _, text := range machineChanges(*a, *b, varies) {
			out = append(out, "control: "+text)
		}
	}
	return out
}

// controlMachine returns the machine of the control if it is another one; nil if not.
func (n night) controlMachine() *explore.Machine {
	if n.cell.Control == nil || n.cell.Control.Machine == n.machine.Name {
		return nil
	}
	i := slices.IndexFunc(n.others, func(m explore.Machine) bool { return m.Name == n.cell.Control.Machine })
	if i < 0 {
		return nil
	}
	return &n.others[i]
}

func machineChanges(before, now explore.Machine, varies bool) []string {
	out := []string{}
	if !varies && before.ID != "" && now.ID != "" && before.ID != now.ID {
		out = append(out, "another machine of that name")
	}
	return append(out, differences(before.Facts, now.Facts)...)
}

// differences returns the values that both have and that differ, by key.
func differences(before, now map[string]string) []string {
	var keys []string
	for k := range before {
		if v, ok := now[k]; ok && v != before[k] {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for i, k := range keys {
		keys[i] = fmt.Sprintf("%s: %s -> %s", strings.ReplaceAll(k, "_", " "), before[k], now[k])
	}
	return keys
}
