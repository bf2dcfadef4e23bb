package factorial

import (
	"errors"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// MachineByFactor is the part of each factor in the gap between two machines that both ran the same factorial: the
// interaction of machine and factor. Ratios are of machine b over machine a. It is not the factor's effect: if
// something slows both machines down alike, it is in no gap.
type MachineByFactor struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"` // of the first combination
	Wording  finding.Wording   `json:"-"`
	Load     string            `json:"load"`
	Metric   string            `json:"metric"`
	Better   record.Better     `json:"-"`
	Design   string            `json:"design"`
	Relation string            `json:"relation,omitempty"`
	Factors  []TwoLevels       `json:"factors"`
	Paired   bool              `json:"paired"`   // the blocks of both machines are the same replicates of one session
	BlocksA  int               `json:"blocks_a"` // that the figures rest on
	BlocksB  int               `json:"blocks_b"`
	// with all factors at their first level; nil if nothing can be said, as Doubts state
	First  *Gap    `json:"gap_first"`
	Last   *Gap    `json:"gap_last"` // with all at their second
	Change *Share  `json:"change"`   // Last over First
	Shares []Share `json:"shares"`   // of the change, Shapley's: one a factor, machine x factor; they multiply to Change

	Interactions []Share     `json:"interactions"` // of the machine with two factors or more together
	Alpha        float64     `json:"alpha"`
	Doubts       []note.Note `json:"-"`

	plan  string // of machine a's trials
	group int    // likewise
}

// Caveats returns the notes of the finding.
func (m MachineByFactor) Caveats() []note.Note { return m.Doubts }

// machinesByFactor compares the factorials that both machines of a pair ran, by their primary metric and by CPU time
// per operation. One factor is a factorial too.
func machinesByFactor(p *finding.Pairing) []finding.Finding {
	if p.Pair.By != record.KeyMachine {
		return nil
	}
	var out []MachineByFactor
	seen := map[string]bool{}
	for _, metric := range []string{"", AttributedCPU} {
		ls := layouts(trialset.Counting(p.Scope), p.Plans, metric)
		of := map[string]*layout{}
		for _, l := range ls {
			of[l.key()] = l
		}
		for _, a := range ls {
			question := a.question()
			b := of[keyOf(p.Pair.B, question)]
			if a.machine != p.Pair.A || b == nil || seen[question] {
				continue
			}
			seen[question] = true
			out = append(out, machineByFactor(a, b, p.Wordings.Of(a.first)))
		}
	}
	return KindByFactor.Each(out)
}

func machineByFactor(a, b *layout, wording finding.Wording) MachineByFactor {
	blank := a.blank()
	m := MachineByFactor{Workload: a.place.Workload, Params: trialset.ParamsOf(a.first, nil), Wording: wording,
		Load:   a.place.Load,
		Metric: a.metric.Name, Better: a.metric.Better, Design: blank.Design, Relation: blank.Relation,
		Factors: blank.Factors,
		Shares:  []Share{}, Interactions: []Share{}, Alpha: min(a.alpha, b.alpha), Doubts: []note.Note{}, plan: a.first.Plan,
		group: a.first.Group}
	if cells := gapsByBlock(a, b); len(cells) > 0 && len(cells[0]) >= minBlocks {
		m.together(a.design, cells)
	} else {
		m.apart(a, b)
	}
	return m
}

// Holds reports whether a trial belongs to the factorial, as one of machine a.
func (m MachineByFactor) Holds(t record.Trial) bool { return t.Plan == m.plan && t.Group == m.group }

// gapsByBlock returns the log ratios of b to a of every combination in the blocks that both have whole.
func gapsByBlock(a, b *layout) [][]float64 {
	out := make([][]float64, len(a.design.cells))
	ofB := map[trialset.Slot]bool{}
	for _, s := range b.complete() {
		ofB[s] = true
	}
	for _, s := range a.complete() {
		// One host on both sides is one plan run on two machines, at two times.
		if !ofB[s] || a.first.Cell == b.first.Cell {
			continue
		}
		for at := range out {
			out[at] = append(out[at], b.values[s][at]-a.values[s][at])
		}
	}
	return out
}

// together attributes the gaps of blocks that ran on both machines side by side.
func (m *MachineByFactor) together(d design, cells [][]float64) {
	m.Paired, m.BlocksA, m.BlocksB = true, len(cells[0]), len(cells[0])
	got, err := (stat.Factorial{Cells: cells, Half: d.half, Blocked: true, SDFloor: stat.SDFloor, Alpha: m.Alpha}).
		Attribute()
	if err != nil {
		m.Doubts = append(m.Doubts, note.New("not-attributable", usage.FirstLine(err)))
		return
	}
	m.set(d, got.Total, got.Shares, got.Interactions)
	// The disturbance that a block shares is in the gap itself, and not in its change.
	m.First, m.Last = d.gap(0, logMean(cells[0], m.Alpha)), d.gap(len(cells)-1, logMean(cells[len(cells)-1], m.Alpha))
}

func logMean(logs []float64, alpha float64) stat.Contrast {
	return stat.Contrast{Mean: stat.Mean(logs), Interval: stat.TInterval(logs, alpha, stat.SDFloor)}
}

// apart attributes the gap between two sessions.
func (m *MachineByFactor) apart(a, b *layout) {
	left, right := a.blank(), b.blank()
	fa, okA := a.factorial(&left)
	fb, okB := b.factorial(&right)
	m.BlocksA, m.BlocksB = left.Blocks, right.Blocks
	m.doubt(a.machine, left.Doubts)
	m.doubt(b.machine, right.Doubts)
	if !okA || !okB {
		return
	}
	fa.Alpha, fb.Alpha = m.Alpha, m.Alpha
	ga, errA := fa.Attribute()
	gb, errB := fb.Attribute()
	if err := errors.Join(errA, errB); err != nil {
		m.Doubts = append(m.Doubts, note.New("not-attributable", usage.FirstLine(err)))
		return
	}
	less := func(b, a stat.Contrast) stat.Contrast { return b.Less(a, gb.DF, ga.DF, m.Alpha) }
	each := func(b, a []stat.Contrast) []stat.Contrast {
		var out []stat.Contrast
		for i := range b {
			out = append(out, less(b[i], a[i]))
		}
		return out
	}
	m.set(a.design, less(gb.Total, ga.Total), each(gb.Shares, ga.Shares), each(gb.Interactions, ga.Interactions))
	o := stat.Opts{Boundary: stat.Fixed(m.Alpha), SDFloor: stat.SDFloor}
	corner := func(at int) stat.Contrast {
		r := stat.WelchRatio(fa.Cells[at], fb.Cells[at], o)
		return stat.Contrast{Mean: r.Mean, Interval: r.Hull}
	}
	m.First, m.Last = a.design.gap(0, corner(0)), a.design.gap(len(fa.Cells)-1, corner(len(fa.Cells)-1))
	m.Doubts = append(m.Doubts, note.New("different-times"))
}

func (m *MachineByFactor) doubt(machine string, all []note.Note) {
	for _, d := range all {
		m.Doubts = append(m.Doubts, note.New("of-machine", machine, d))
	}
}

func (m *MachineByFactor) set(d design, change stat.Contrast, shares, interactions []stat.Contrast) {
	c := d.share(change)
	c.Alias = nil
	m.Change, m.Shares, m.Interactions = &c, d.shares(shares), d.shares(interactions)
	partsOf(c, m.Shares)
}
