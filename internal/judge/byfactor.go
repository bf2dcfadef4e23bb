package judge

import (
	"errors"

	"plimsoll/internal/finding"
	"plimsoll/internal/finding/factorial"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
	"plimsoll/internal/usage"
)

// MachineByFactor says how much of the gap between two machines is each factor's: the interaction of machine and factor, where both ran the same
// factorial. Ratios are of machine b over machine a. It is not the factor's effect: what slows both machines down alike is in no gap.
type MachineByFactor struct {
	Workload string                `json:"workload"`
	Params   map[string]string     `json:"params"` // of the first combination
	Minor    []string              `json:"-"`
	Load     string                `json:"load"`
	Metric   string                `json:"metric"`
	Better   record.Better         `json:"-"`
	Design   string                `json:"design"`
	Relation string                `json:"relation,omitempty"`
	Factors  []factorial.TwoLevels `json:"factors"`
	Paired   bool                  `json:"paired"`   // the blocks of both machines are the same replicates of one session
	BlocksA  int                   `json:"blocks_a"` // that the figures rest on
	BlocksB  int                   `json:"blocks_b"`
	First    *factorial.Gap        `json:"gap_first"` // with all factors at their first level; nil where nothing can be said, as Doubts say
	Last     *factorial.Gap        `json:"gap_last"`  // with all at their second
	Change   *factorial.Share      `json:"change"`    // Last over First
	Shares   []factorial.Share     `json:"shares"`    // of the change, Shapley's: one a factor, machine x factor; they multiply to Change

	Interactions []factorial.Share `json:"interactions"` // of the machine with two factors or more together
	Alpha        float64           `json:"alpha"`
	Doubts       []note.Note       `json:"-"`

	plan  string // of machine a's trials
	group int    // likewise
}

// Caveats returns the notes of the finding.
func (m MachineByFactor) Caveats() []note.Note { return m.Doubts }

// machinesByFactor compares the factorials that both machines of a pair ran, by their primary metric and by CPU time per operation. One factor
// is a factorial too.
func (j judgement) machinesByFactor(p finding.Pair, trials []record.Trial) []MachineByFactor {
	var out []MachineByFactor
	seen := map[string]bool{}
	for _, metric := range []string{"", factorial.AttributedCPU} {
		of := map[string]*factorial.Layout{}
		ls := factorial.Layouts(trialset.Counting(trials), j.plans, metric)
		for _, l := range ls {
			of[l.Machine+"\x00"+l.Question()] = l
		}
		for _, a := range ls {
			b := of[p.B+"\x00"+a.Question()]
			if a.Machine != p.A || b == nil || seen[a.Question()] {
				continue
			}
			seen[a.Question()] = true
			out = append(out, j.machineByFactor(a, b))
		}
	}
	return out
}

func (j judgement) machineByFactor(a, b *factorial.Layout) MachineByFactor {
	m := MachineByFactor{Workload: a.Place.Workload, Params: trialset.ParamsOf(a.First, nil), Minor: trialset.MinorOf(a.First, j.plans), Load: a.Place.Load,
		Metric: a.Metric.Name, Better: a.Metric.Better, Design: a.Design.Name(), Factors: a.Blank().Factors,
		Shares: []factorial.Share{}, Interactions: []factorial.Share{}, Alpha: min(a.Alpha, b.Alpha), Doubts: []note.Note{}, plan: a.First.Plan, group: a.First.Group}
	if a.Design.Half {
		m.Relation = factorial.HalfRelation
	}
	if cells := gapsByBlock(a, b); len(cells) > 0 && len(cells[0]) >= factorial.MinBlocks {
		m.together(a.Design, cells)
	} else {
		m.apart(a, b)
	}
	return m
}

// gapsByBlock are the log ratios of b to a of every combination in the blocks that both have whole.
func gapsByBlock(a, b *factorial.Layout) [][]float64 {
	out := make([][]float64, len(a.Design.Cells))
	ofB := map[trialset.Slot]bool{}
	for _, s := range b.Complete() {
		ofB[s] = true
	}
	for _, s := range a.Complete() {
		// One host on both sides is one plan run on two machines, at two times.
		if !ofB[s] || a.First.Cell == b.First.Cell {
			continue
		}
		for at := range out {
			out[at] = append(out[at], b.Values[s][at]-a.Values[s][at])
		}
	}
	return out
}

// together attributes the gaps of blocks that ran on both machines side by side.
func (m *MachineByFactor) together(d factorial.Design, cells [][]float64) {
	m.Paired, m.BlocksA, m.BlocksB = true, len(cells[0]), len(cells[0])
	got, err := (stat.Factorial{Cells: cells, Half: d.Half, Blocked: true, SDFloor: stat.SDFloor, Alpha: m.Alpha}).Attribute()
	if err != nil {
		m.Doubts = append(m.Doubts, note.New("not-attributable", usage.FirstLine(err)))
		return
	}
	m.set(d, got.Total, got.Shares, got.Interactions)
	// What a block shares is in the gap itself, and not in what changes it.
	m.First, m.Last = d.Gap(0, logMean(cells[0], m.Alpha)), d.Gap(len(cells)-1, logMean(cells[len(cells)-1], m.Alpha))
}

func logMean(logs []float64, alpha float64) stat.Contrast {
	return stat.Contrast{Mean: stat.Mean(logs), Interval: stat.TInterval(logs, alpha, stat.SDFloor)}
}

// apart attributes the gap between two sessions.
func (m *MachineByFactor) apart(a, b *factorial.Layout) {
	left, right := a.Blank(), b.Blank()
	fa, okA := a.Factorial(&left)
	fb, okB := b.Factorial(&right)
	m.BlocksA, m.BlocksB = left.Blocks, right.Blocks
	for _, side := range []factorial.Attribution{left, right} {
		for _, d := range side.Doubts {
			m.Doubts = append(m.Doubts, note.New("of-machine", side.Machine, d))
		}
	}
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
	m.set(a.Design, less(gb.Total, ga.Total), each(gb.Shares, ga.Shares), each(gb.Interactions, ga.Interactions))
	o := stat.Opts{Boundary: stat.Fixed(m.Alpha), SDFloor: stat.SDFloor}
	corner := func(at int) stat.Contrast {
		r := stat.WelchRatio(fa.Cells[at], fb.Cells[at], o)
		return stat.Contrast{Mean: r.Mean, Interval: r.Hull}
	}
	m.First, m.Last = a.Design.Gap(0, corner(0)), a.Design.Gap(len(fa.Cells)-1, corner(len(fa.Cells)-1))
	m.Doubts = append(m.Doubts, note.New("different-times"))
}

func (m *MachineByFactor) set(d factorial.Design, change stat.Contrast, shares, interactions []stat.Contrast) {
	c := d.Share(change)
	c.Alias = nil
	m.Change, m.Shares, m.Interactions = &c, d.Shares(shares), d.Shares(interactions)
	factorial.PartsOf(c, m.Shares)
}
