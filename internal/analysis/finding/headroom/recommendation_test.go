package headroom

import (
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// closedCell is the throughput of a machine at 16 clients, from lo to hi.
func closedCell(machine string, lo, hi float64) finding.Cell {
	c := finding.Cell{Machine: machine, Workload: "wrk", Params: map[string]string{"threads": "2"}, Load: "16 clients",
		Metric: record.Throughput, Primary: true, Unit: "op/s", Better: record.Higher, N: 3}
	c.Value, c.Lo, c.Hi = (lo+hi)/2, &lo, &hi
	return c
}

// lineCell is the end of a sweep with a load line by p99, from lo to hi.
func lineCell(machine string, lo, hi float64, d finding.Demand, price float64) finding.Cell {
	c := closedCell(machine, lo, hi)
	c.Load, c.Params = "9000/s", map[string]string{"threads": "2", "rate": "9000"}
	l := loadline.Line{Statistic: "p99", Unit: "op/s", Crossed: true, MaxSustained: c.Value,
		Bounds: figure.Between(lo, hi), Limit: .002}
	l.Fleet = needOf(l, d, finding.Basis{PricePerHour: price, PriceSource: "--price"})
	c.Found = KindLoadLine.New(&l, c.Key())
	return c
}

// recommendedFor returns the recommendation of cells of machines with these prices.
func recommendedFor(t *testing.T, d finding.Demand, prices map[string]float64, cells ...finding.Cell) Recommendation {
	t.Helper()
	in := &finding.Input{Cells: cells, Ask: finding.Ask{Demand: &d}, Fleet: trialset.Fleet{}}
	in.Read.Basis = func(m record.Machine) finding.Basis {
		return finding.Basis{PricePerHour: prices[m.Name], PriceSource: "--price"}
	}
	found := recommendations(in)
	if len(found) != 1 {
		t.Fatalf("%d recommendations", len(found))
	}
	return *found[0].Body.(*Recommendation)
}

func demanded() finding.Demand { return finding.Demand{Rate: 50000, Headroom: .85, Failures: 1} }

func TestRecommendation(t *testing.T) {
	d := demanded()
	line := func(name string, lo, hi, price float64) finding.Cell { return lineCell(name, lo, hi, d, price) }
	for _, c := range []struct {
		name, want string
		prices     map[string]float64
		cells      []finding.Cell
	}{
		{"two machines", "take b: 11 machines for $2,329/month, saves $401 (15%)", nil,
			[]finding.Cell{line("a", 6030, 6200, .34), line("b", 6380, 6690, .29)}},
		{"several", "take b: 11 machines for $2,329/month, saves $401 (15%) over a", nil,
			[]finding.Cell{line("a", 6030, 6200, .34), line("b", 6380, 6690, .29), line("c", 6030, 6200, .5)}},
		{"one machine", "a: 11 machines for $2,730/month", nil, []finding.Cell{line("a", 6030, 6200, .34)}},
		{"not told apart", "take b or a: their intervals do not tell them apart, $1,694 to $2,329/month and $2,234 to " +
			"$2,730/month", nil, []finding.Cell{line("a", 6030, 8200, .34), line("b", 6380, 8690, .29)}},
		{"no difference", "take a or b: they cost the same, $2,730/month", nil,
			[]finding.Cell{line("a", 6030, 6200, .34), line("b", 6030, 6200, .34)}},
		{"one price is missing", "take a: 11 machines for $2,730/month", nil,
			[]finding.Cell{line("a", 6030, 6200, .34), line("b", 6380, 6690, 0)}},
		{"no price", "the fewest machines: b: 6 machines; no price is known", nil,
			[]finding.Cell{line("a", 6030, 6200, 0), line("b", 12000, 12100, 0)}},
		{"cents", "take b: 11 machines for $8.03/month, saves $8.03 (50%)", nil,
			[]finding.Cell{line("a", 6030, 6200, .002), line("b", 6380, 6690, .001)}},
		{"no interval of a load line", "take b: 11 machines for $2,329/month", nil, []finding.Cell{func() finding.Cell {
			c := line("a", 6030, 6200, .34)
			l := *Chief(c)
			l.Lo, l.Hi = nil, nil
			l.Fleet = needOf(l, d, finding.Basis{PricePerHour: 1})
			c.Found = KindLoadLine.New(&l, c.Key())
			return c
		}(), line("b", 6380, 6690, .29)}},
		{"closed loops", "take b: 6 machines for $438/month (by peak throughput), saves $73 (14%)",
			map[string]float64{"a": .1, "b": .1}, []finding.Cell{closedCell("a", 9900, 10100), closedCell("b", 11900, 12100)}},
		{"the best of several loads", "a: 7 machines for $511/month (by peak throughput)", map[string]float64{"a": .1},
			[]finding.Cell{closedCell("a", 4900, 5100), closedCell("a", 9900, 10100), closedCell("a", 8900, 9100)}},
		{"a peak is not held against a load line", "take a: 11 machines for $2,730/month",
			map[string]float64{"a": .34, "b": .1}, []finding.Cell{line("a", 6030, 6200, .34), closedCell("b", 11900, 12100)}},
	} {
		r := recommendedFor(t, d, c.prices, c.cells...)
		if got := conclusionText(r); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for _, choice := range r.Choices {
			if n := choice.Need; n.Machines != nil && (n.PerMonth != nil && !(*n.PerMonth > 0) || *n.Share > d.Headroom) {
				t.Errorf("%s: %+v", c.name, n)
			}
		}
	}
}

// TestUnmet: a demand that no number of machines meets leaves no table, and says why.
func TestUnmet(t *testing.T) {
	d := demanded()
	d.Rate = 1e300
	r := recommendedFor(t, d, map[string]float64{"a": 1}, closedCell("a", 9900, 10100), lineCell("b", 6030, 6200, d, 1))
	s := fleetSection(r, r.Workload)
	text := ""
	for _, b := range s.Blocks {
		text += blockText(b) + "\n"
	}
	if !strings.Contains(text, "machines, more than anybody has") ||
		!strings.HasSuffix(text, "no fleet can be recommended: none of these machines is known to meet the demand\n") ||
		strings.Contains(text, "number") {
		t.Errorf("%s", text)
	}
	if len(r.Take) != 0 || r.Saves != nil || math.IsNaN(r.Demand) {
		t.Errorf("%+v", r)
	}
}

// TestPeakWithinTarget: a machine whose latency misses the target has a fleet only by a load that meets it.
func TestPeakWithinTarget(t *testing.T) {
	latency := func(machine, load string, v float64) finding.Cell {
		c := closedCell(machine, v, v)
		c.Load, c.Metric, c.Primary, c.Value, c.Unit = load, record.LatencyP99, false, v, "s"
		return c
	}
	at := func(machine, load string, v float64) finding.Cell {
		c := closedCell(machine, v, v)
		c.Load = load
		return c
	}
	for _, c := range []struct {
		name, want string
		cells      []finding.Cell
	}{
		{"slower within it", "a: 60 machines for $4,380/month (by peak throughput)", []finding.Cell{
			at("a", "8 clients", 2000), latency("a", "8 clients", .2), at("a", "4 clients", 1000), latency("a", "4 clients", .1),
		}},
		{"none within it", "", []finding.Cell{at("a", "8 clients", 2000), latency("a", "8 clients", .2)}},
		{"not known", "a: 31 machines for $2,263/month (by peak throughput)", []finding.Cell{at("a", "8 clients", 2000)}},
	} {
		d := demanded()
		in := &finding.Input{Ask: finding.Ask{Demand: &d, Objectives: map[string]float64{"p99": .1}}, Cells: c.cells}
		in.Read.Basis = func(record.Machine) finding.Basis {
			return finding.Basis{PricePerHour: .1, PriceSource: "--price"}
		}
		in.Fleet = trialset.Fleet{"a": record.Machine{Name: "a"}}
		r := recommendations(in)[0].Body.(*Recommendation)
		choice := r.Choices[0]
		if c.want == "" {
			if why := choice.Need.Why.Text(); choice.Need.Machines != nil ||
				why != "p99 is 200 ms at the lowest throughput measured, over the target of 100 ms" {
				t.Errorf("%s: %+v, %q", c.name, choice, why)
			}
			continue
		}
		if got := conclusionText(*r); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if known := len(c.cells) > 1; (choice.Statistic == "p99") != known || (choice.Limit != nil) != known {
			t.Errorf("%s: %+v", c.name, choice)
		}
	}
}

// TestDemandBelongsToAWorkload: one that names none is of the only workload that it can be of, and no fleet is that of
// another workload.
func TestDemandBelongsToAWorkload(t *testing.T) {
	cells := func(names ...string) []finding.Cell {
		var out []finding.Cell
		for i, name := range names {
			c := closedCell("a", 9900, 10100)
			name, setting, _ := strings.Cut(name, " ")
			c.Workload, c.Value = name, c.Value/float64(i+1)
			*c.Lo, *c.Hi = *c.Lo/float64(i+1), *c.Hi/float64(i+1)
			if param, value, ok := strings.Cut(setting, "="); ok {
				c.Params = map[string]string{param: value}
			}
			out = append(out, c)
		}
		return out
	}
	none := usage.Errorf("nothing tells\nhint: measure")
	for name, c := range map[string]struct {
		cells     []finding.Cell
		rate      float64
		of        map[string]float64
		err, cost string
	}{
		"one workload": {cells: cells("http"), rate: 5000, cost: "for 5.00k requests/s of http a: 2 machines"},
		"whose": {cells: cells("http", "jmh", "wrk"), rate: 20000,
			err: "--demand 20000 could be that of http, jmh or wrk\nhint: --demand http=20000 says whose"},
		"named": {cells: cells("http", "jmh", "wrk"), of: map[string]float64{"jmh": 5000},
			cost: "for 5.00k op/s of jmh a: 3 machines"},
		"two": {cells: cells("http", "jmh", "wrk"), of: map[string]float64{"jmh": 5000, "wrk": 100},
			cost: "for 5.00k op/s of jmh a: 3 machines for $2,190/month (by peak throughput); for 100 requests/s of wrk a: 2"},
		"the other": {cells: cells("http", "jmh"), rate: 5000, of: map[string]float64{"jmh": 5000},
			cost: "of jmh a: 3 machines for $2,190/month (by peak throughput); for 5.00k requests/s of http a: 2"},
		"unknown": {cells: cells("http", "jmh"), of: map[string]float64{"htp": 1},
			err: "unknown workload of a demand \"htp\"\nhint: did you mean http?"},
		"without": {cells: append(cells("http"), finding.Cell{Workload: "disk", Metric: "throughput", Unit: "B/s"}),
			of: map[string]float64{"disk": 1}, err: "--demand disk: nothing tells\nhint: measure"},
		"nothing": {rate: 1, err: "nothing tells"},
		"settings that tune": {cells: cells("http gc=a", "http gc=b"), rate: 8000,
			cost: "of http, gc=a a: 2 machines for $1,460/month (by peak throughput); 1 other setting below"},
		"kinds of work": {cells: cells("jmh benchmark=a", "jmh benchmark=b"), rate: 8000,
			cost: "of jmh, benchmark=b a: 3 machines"},
	} {
		d := finding.Demand{Rate: c.rate, Of: c.of, Headroom: .85, Failures: 1}
		if err := d.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		in := &finding.Input{Cells: c.cells, Ask: finding.Ask{Demand: &d}, Fleet: trialset.Fleet{}}
		in.Read.Basis = func(record.Machine) finding.Basis { return finding.Basis{PricePerHour: 1, PriceSource: "p"} }
		var all []Recommendation
		for _, f := range recommendations(in) {
			all = append(all, *f.Body.(*Recommendation))
			for i := range in.Cells {
				if slices.Contains(f.Cells, in.Cells[i].Key()) {
					in.Cells[i].Found = append(in.Cells[i].Found, f)
				}
			}
		}
		err := CheckDemand(in.Cells, d, "--demand", none)
		if c.err != "" {
			if err == nil || !usage.Is(err) || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text := strings.Join(list.Map(answerOf(all).Fleets, func(s block.Sentence) string { return s.Text }), "; ")
		if !strings.Contains(text, c.cost) {
			t.Errorf("%s: %s, want %q", name, text, c.cost)
		}
	}
}

// TestFleetTable: the columns of a table, and the marks of an estimate.
func TestFleetTable(t *testing.T) {
	d := demanded()
	s := fleetSection(recommendedFor(t, d, nil, lineCell("a", 6030, 6200, d, .34), lineCell("b", 6380, 6690, d, 0)), "w")
	text := ""
	for _, b := range s.Blocks {
		text += blockText(b) + "\n"
	}
	for _, want := range []string{
		"machine|number|$/month|limit|load each|one down|alert\n", "a|10 + 1 spare|2,730|6.03k|4.55k, 75%|83%|77%\n",
		"b|10 + 1 spare|unknown|6.38k|",
		"limit the lower end of the interval of the throughput at p99 ≤ 2.00 ms\n",
		"note b: no price is known\nhint --price b=USD-PER-HOUR states one\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
	d.Failures = 0
	alone := closedCell("a", 9900, 10100)
	alone.Lo, alone.Hi, alone.N = nil, nil, 1
	r := recommendedFor(t, d, map[string]float64{"a": .1}, alone)
	text = ""
	for _, b := range fleetSection(r, r.Workload).Blocks {
		text += blockText(b) + "\n"
	}
	for _, want := range []string{"machine|number|$/month|limit|load each\n", "a|6|438|10.0k|8.33k, 83%\n",
		latencyUnknown, "note no interval"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
}

// blockText writes a sentence, or a table with | between its columns.
func blockText(b block.Block) string {
	switch b := b.(type) {
	case block.Sentence:
		return strings.TrimSpace(b.Lead + " " + b.Text)
	case block.Table:
		lines := []string{strings.Join(list.Map(b.Columns, func(c block.Column) string { return c.Name }), "|")}
		for _, row := range b.Rows {
			lines = append(lines, strings.Join(list.Map(row, func(c block.Cell) string { return c.Text }), "|"))
		}
		return strings.Join(lines, "\n")
	}
	return ""
}
