package headroom

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// KindOverview is the kind of tables of machines by workloads.
const KindOverview finding.Kind[Overview] = "overview"

// Overview is several machines in several workloads, the best machine first: the one whose fleets for the demands cost
// least or, without a demand, the one that is better in most of what was compared.
type Overview struct {
	Baseline string            `json:"baseline"`
	Machines []OverviewMachine `json:"machines"`
}

// OverviewMachine is one machine in all workloads.
type OverviewMachine struct {
	Machine  string          `json:"machine"`
	PerMonth *float64        `json:"usd_per_month"` // of one machine; nil if no price is known
	Better   int             `json:"better"`        // benchmarks in which it is better than the baseline
	Worse    int             `json:"worse"`
	Cells    []OverviewCell  `json:"cells"`
	Fleets   []OverviewFleet `json:"fleets"` // for the demands that were stated

	gain float64         // geometric mean of its ratios to the baseline, over 1 where it is better
	has  map[string]bool // keys of Cells
}

// OverviewCell is the figure of a machine in one setting of a workload: its throughput, its limit, or what else
// decides.
type OverviewCell struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Wording  finding.Wording   `json:"-"`
	Load     string            `json:"load"`
	Metric   string            `json:"metric"`
	Unit     string            `json:"unit"`
	Value    *float64          `json:"value"`
	Ratio    *float64          `json:"ratio"` // to the baseline; nil of the baseline itself
	Verdict  trialset.Verdict  `json:"verdict,omitempty"`
	Better   *bool             `json:"better"` // nil unless it is DIFFERENT
}

// OverviewFleet is the fleet of a machine for a demand.
type OverviewFleet struct {
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Wording  finding.Wording   `json:"-"`
	Demand   float64           `json:"demand"`
	Unit     string            `json:"unit"`
	Machines *int              `json:"machines"` // nil if there is none
	PerMonth *float64          `json:"usd_per_month"`
}

// overview returns the table of machines that were compared in several workloads.
func overview(s *finding.Sides) []finding.Finding {
	if s.By != record.KeyMachine || len(s.Pairs) == 0 {
		return nil
	}
	out := &Overview{Baseline: s.Pairs[0].A}
	base := OverviewMachine{Machine: out.Baseline, PerMonth: monthOf(s.Pairs[0].BasisA), gain: 1,
		Fleets: []OverviewFleet{}}
	workloads := map[string]bool{}
	for _, p := range s.Pairs {
		m := OverviewMachine{Machine: p.B, PerMonth: monthOf(p.BasisB), gain: 1, Fleets: []OverviewFleet{},
			Cells: []OverviewCell{}}
		logs, n := 0.0, 0
		for _, c := range judged(p) {
			workloads[c.Workload] = true
			base.add(c, c.A, nil)
			m.add(c, c.B, &c)
			if c.Ratio > 0 {
				gain := math.Log(c.Ratio)
				if c.Direction == record.Lower {
					gain = -gain
				}
				logs, n = logs+gain, n+1
			}
		}
		if n > 0 {
			m.gain = math.Exp(logs / float64(n))
		}
		out.Machines = append(out.Machines, m)
	}
	if len(workloads) < 2 {
		return nil
	}
	out.Machines = append([]OverviewMachine{base}, out.Machines...)
	for i := range out.Machines {
		out.Machines[i].fleets(s.Cells)
	}
	slices.SortStableFunc(out.Machines, func(a, b OverviewMachine) int {
		return cmp.Or(cmp.Compare(a.cost(), b.cost()), cmp.Compare(b.Better-b.Worse, a.Better-a.Worse),
			cmp.Compare(b.gain, a.gain))
	})
	return KindOverview.New(out)
}

// judged returns the comparison that decides each cell of two machines, as they are.
func judged(p finding.Pair) []finding.Comparison {
	seen := map[string]bool{}
	return list.Filter(p.Verdicts, func(c finding.Comparison) bool {
		key := cellKey(c.Workload, c.Params, c.Load)
		if c.Per != finding.PerMachine || c.Verdict == "" && !c.ByEstimate() || seen[key] {
			return false
		}
		seen[key] = true
		return true
	})
}

func cellKey(workload string, params map[string]string, load string) string {
	return workload + "\x00" + trialset.ParamsText(params) + "\x00" + load
}

// add adds a machine's figure of a comparison, with how it compares unless it is the baseline.
func (m *OverviewMachine) add(c finding.Comparison, value float64, by *finding.Comparison) {
	key := cellKey(c.Workload, c.Params, c.Load)
	if m.has[key] {
		return
	}
	if m.has == nil {
		m.has = map[string]bool{}
	}
	m.has[key] = true
	cell := OverviewCell{Workload: c.Workload, Params: c.Params, Wording: c.Wording, Load: c.Load, Metric: c.Metric,
		Unit: c.Unit}
	if figure.IsFinite(value) {
		cell.Value = &value
	}
	if by != nil {
		cell.Verdict = by.Verdict
		if figure.IsFinite(by.Ratio) && by.Ratio > 0 {
			cell.Ratio = &by.Ratio
		}
		if by.Verdict == trialset.Different {
			better := by.Better == "b"
			cell.Better = &better
			if better {
				m.Better++
			} else {
				m.Worse++
			}
		}
	}
	m.Cells = append(m.Cells, cell)
}

// fleets adds the machine's fleets for the demands.
func (m *OverviewMachine) fleets(cells []finding.Cell) {
	for _, of := range byWorkload(recommendedIn(cells)) {
		chief := chiefOf(of)
		for _, c := range chief.Choices {
			if c.Machine == m.Machine {
				m.Fleets = append(m.Fleets, OverviewFleet{Workload: chief.Workload, Params: chief.Params,
					Wording: chief.Wording, Demand: chief.Demand, Unit: chief.Unit, Machines: c.Need.Machines,
					PerMonth: c.Need.PerMonth})
			}
		}
	}
}

// recommendedIn returns the recommendations of cells, each once.
func recommendedIn(cells []finding.Cell) []Recommendation {
	var out []Recommendation
	seen := map[*Recommendation]bool{}
	for _, c := range cells {
		for _, f := range c.Found {
			if r, ok := f.Body.(*Recommendation); ok && !seen[r] {
				seen[r] = true
				out = append(out, *r)
			}
		}
	}
	return out
}

// cost returns what the machine's fleets cost together; more than any if one is not known, and 0 without demands.
func (m OverviewMachine) cost() float64 {
	sum := 0.0
	for _, f := range m.Fleets {
		if f.PerMonth == nil {
			return math.Inf(1)
		}
		sum += *f.PerMonth
	}
	return sum
}

// monthOf returns the monthly price of a machine; nil if none is known.
func monthOf(b *finding.Basis) *float64 {
	if b == nil || !b.Priced() {
		return nil
	}
	return new(b.PricePerHour * HoursPerMonth)
}

// mostSettings is how many rows of settings a table has.
const mostSettings = 20

// answerOverview returns the table as a part below an answer.
func answerOverview(c finding.Compared) finding.Answer {
	o := KindOverview.Of(c)
	if o == nil {
		return finding.Answer{}
	}
	return finding.Answer{Below: []block.Section{o.section()}}
}

// section returns a row for each setting and a column for each machine, the best first.
func (o Overview) section() block.Section {
	t := block.Table{Keys: 1, Columns: []block.Column{{Name: "setting"}, {Name: "metric"}}}
	for _, m := range o.Machines {
		t.Columns = append(t.Columns, block.Column{Name: m.Machine, Right: true})
	}
	t.Columns = append(t.Columns, block.Column{Name: "unit"})
	settings := o.settings()
	splits := map[string]finding.Split{} // by workload
	for _, c := range settings[:min(len(settings), mostSettings)] {
		split, has := splits[c.Workload]
		if !has {
			of := list.Filter(settings, func(s OverviewCell) bool { return s.Workload == c.Workload })
			split = finding.SplitOf(list.Map(of, func(s OverviewCell) map[string]string { return s.Wording.Of(s.Params) }))
			splits[c.Workload] = split
		}
		t.Rows = append(t.Rows, o.row(c, split))
	}
	t.Rows = append(t.Rows, o.money()...)
	order := ""
	switch first := o.Machines[0]; {
	case len(first.Fleets) > 0 && !math.IsInf(first.cost(), 1):
		order = "the cheapest fleets first; "
	case first.Better > 0 || slices.ContainsFunc(o.Machines, func(m OverviewMachine) bool { return m.Worse > 0 }):
		order = "the best first; "
	}
	out := block.Section{Title: "Machines by workload", Level: block.PartLevel, Fixed: order + "against " + o.Baseline,
		Blocks: []block.Block{t}}
	if more := len(settings) - mostSettings; more > 0 {
		out.Blocks = append(out.Blocks, block.Sentence{Tone: block.Dim, Text: figure.Count(more, "more setting") + " below"})
	}
	return out
}

// settings returns the cells of any machine, each setting once.
func (o Overview) settings() []OverviewCell {
	var out []OverviewCell
	seen := map[string]bool{}
	for _, m := range o.Machines {
		for _, c := range m.Cells {
			if key := c.setting(); !seen[key] {
				seen[key] = true
				out = append(out, c)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b OverviewCell) int { return cmp.Compare(a.Workload, b.Workload) })
	return out
}

// setting identifies the cell's setting.
func (c OverviewCell) setting() string { return cellKey(c.Workload, c.Params, c.Load) }

func (o Overview) row(c OverviewCell, split finding.Split) []block.Cell {
	key := c.setting()
	var places []int // by machine; -1: none
	var values []float64
	for _, m := range o.Machines {
		at := slices.IndexFunc(m.Cells, func(o OverviewCell) bool { return o.setting() == key })
		if places = append(places, at); at >= 0 && m.Cells[at].Value != nil {
			values = append(values, *m.Cells[at].Value)
		}
	}
	u := figure.ScaleFor(figure.UnitOf(c.Workload, c.Unit), values...)
	row := []block.Cell{{Text: figure.Joined(c.Workload, split.Behind(c.Wording.Of(c.Params), c.Load))},
		{Text: c.Metric, Tone: block.Dim}}
	for i, m := range o.Machines {
		at := places[i]
		if at < 0 || m.Cells[at].Value == nil {
			row = append(row, block.Cell{Text: figure.NoNumber, Tone: block.Dim})
			continue
		}
		row = append(row, m.Cells[at].shown(u))
	}
	return append(row, block.Cell{Text: u.Unit, Tone: block.Dim})
}

// shown returns a figure with its verdict.
func (c OverviewCell) shown(u figure.Scale) block.Cell {
	text, tone := u.Number(*c.Value, figure.FineDigits), block.Plain
	switch {
	case c.Better != nil && *c.Better:
		text, tone = "better "+text, block.Good
	case c.Better != nil:
		text, tone = "worse "+text, block.Bad
	case c.Verdict == trialset.Equivalent:
		text = "same " + text
	case c.Verdict != "":
		text = "undecided " + text
	}
	return block.Cell{Text: text, Tone: tone}
}

// money returns the rows of what the machines and their fleets cost; none if no price is known.
func (o Overview) money() [][]block.Cell {
	row := func(name string, of func(OverviewMachine) *float64, text func(OverviewMachine, float64) string) []block.Cell {
		if !slices.ContainsFunc(o.Machines, func(m OverviewMachine) bool { return of(m) != nil }) {
			return nil
		}
		out := []block.Cell{{Text: name}, {}}
		for _, m := range o.Machines {
			cell := block.Cell{Text: figure.NoNumber, Tone: block.Dim}
			if v := of(m); v != nil {
				cell = block.Cell{Text: text(m, *v)}
			}
			out = append(out, cell)
		}
		return append(out, block.Cell{Text: "$/month", Tone: block.Dim})
	}
	dollars := func(v float64) string { return figure.Dollars(v)[1:] }
	var out [][]block.Cell
	if one := row("one machine", func(m OverviewMachine) *float64 { return m.PerMonth },
		func(_ OverviewMachine, v float64) string { return dollars(v) }); one != nil {
		out = append(out, one)
	}
	for _, f := range o.Machines[0].Fleets {
		of := func(m OverviewMachine) *OverviewFleet {
			at := slices.IndexFunc(m.Fleets, func(g OverviewFleet) bool { return g.Workload == f.Workload })
			if at < 0 {
				return nil
			}
			return &m.Fleets[at]
		}
		name := fmt.Sprintf("%s of %s", figure.ScaleFor(figure.UnitOf(f.Workload, f.Unit), f.Demand).
			Text(f.Demand, figure.Digits), f.Workload)
		fleet := row(name, func(m OverviewMachine) *float64 {
			if g := of(m); g != nil {
				return g.PerMonth
			}
			return nil
		}, func(m OverviewMachine, v float64) string { return fmt.Sprintf("%d: %s", *of(m).Machines, dollars(v)) })
		if fleet != nil {
			out = append(out, fleet)
		}
	}
	return out
}
