package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/finding/capacity"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/finding/integrity"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// relate looks up the bases of the machines of a pair, if machines are compared.
func (x comparer) relate(p *finding.Pair, trials []record.Trial) {
	if !trialset.AcrossMachines(x.axis.By) {
		return
	}
	left, right := x.machineFor(p.A, trials), x.machineFor(p.B, trials)
	if id := x.in.Fleet[left].ID; id != "" && id == x.in.Fleet[right].ID {
		p.Warnings = append(p.Warnings, note.New("one-machine-two-names", left, right))
	}
	if x.in.Read.Basis == nil {
		return
	}
	a, b := x.in.BasisOf(left), x.in.BasisOf(right)
	p.BasisA, p.BasisB = &a, &b
	for _, side := range []struct {
		name string
		finding.Basis
	}{{p.A, a}, {p.B, b}} {
		for _, doubt := range side.Doubts {
			p.Warnings = append(p.Warnings, note.New("of-machine", side.name, doubt))
		}
	}
}

// warnUnlikeVCPUs warns of any comparison by CPUs if a CPU is a core on one side and a thread on the other.
func (x comparer) warnUnlikeVCPUs(p *finding.Pair, trials []record.Trial) {
	if !trialset.AcrossMachines(x.axis.By) {
		return
	}
	left, right := x.machineFor(p.A, trials), x.machineFor(p.B, trials)
	a, b := x.threadsPerCore(left, p.BasisA), x.threadsPerCore(right, p.BasisB)
	if a == 0 || b == 0 {
		return
	}
	text := catalog.UnlikeVCPUs(p.A, a, p.B, b)
	if text == "" {
		return
	}
	perCore := func(c finding.Comparison) bool { return c.Per == "core" && !c.Refused }
	code := note.Code("unlike-vcpus-of-types")
	if p.BasisA != nil && p.BasisA.Cores != p.BasisB.Cores && slices.ContainsFunc(p.Verdicts, perCore) {
		code = "unlike-vcpus-of-types-per-core"
	}
	p.Warnings = append(p.Warnings, note.New(code, text))
}

// warnNoValue warns of missing figures per dollar, for want of a price or of a rate.
func warnNoValue(p *finding.Pair) {
	if p.BasisA == nil {
		return
	}
	rates := false
	var units []string
	for _, c := range p.Verdicts {
		switch m := (record.Metric{Unit: c.Unit, Better: c.Direction}); {
		case c.Per != finding.PerMachine || !c.Primary:
		case trialset.IsRate(m):
			rates = true
		case m.Better == record.Higher && !loadline.IsLine(c.Metric):
			units = trialset.AppendNew(units, fmt.Sprintf("%s in %s", c.Metric, integrity.UnitText(m)))
		}
	}
	if len(units) > 0 {
		p.Warnings = append(p.Warnings, note.New("no-rate-no-share", trialset.FirstFew(units)))
	}
	var unpriced, free []string
	for _, side := range []struct {
		name string
		b    *finding.Basis
	}{{p.A, p.BasisA}, {p.B, p.BasisB}} {
		switch {
		case side.b.Free:
			free = append(free, side.name)
		case !side.b.Priced():
			unpriced = append(unpriced, side.name)
		}
	}
	if rates && len(unpriced) > 0 {
		p.Warnings = append(p.Warnings, note.New("no-price", strings.Join(unpriced, " and "), unpriced[0]))
	}
	if rates && len(free) > 0 {
		p.Warnings = append(p.Warnings, note.New("costs-nothing", strings.Join(free, " and ")))
	}
}

// threadsPerCore returns 0 if unknown.
func (x comparer) threadsPerCore(machine string, b *finding.Basis) int {
	if b != nil && b.Cores > 0 {
		return int(math.Round(b.VCPUs / b.Cores))
	}
	return x.in.Fleet[machine].CPU.ThreadsPerCore
}

// withShares adds figures per vCPU, core, dollar and watt to the primary comparison of a cell.
func (x comparer) withShares(p finding.Pair, m trialset.Matched, cs []finding.Comparison) []finding.Comparison {
	if p.BasisA == nil {
		return cs
	}
	var out []finding.Comparison
	for _, c := range cs {
		out = append(out, c)
		if !cost.HasWorth(c.Metric, c.Primary) {
			continue
		}
		reg := trialset.PreregisteredFor(trialset.NewSample(m.A, m.B, c.Metric), x.in.Plans)
		for _, s := range cost.PerBasis(c, *p.BasisA, *p.BasisB, reg.Margin, reg.Quick) {
			if !c.Primary && s.Per != "dollar" || s.Per == cost.PerWatt && measuredJoules(cs) {
				continue
			}
			flagIdle(&s, m, *p.BasisA, *p.BasisB, x)
			costEach(&s, m, *p.BasisA, *p.BasisB)
			out = append(out, s)
		}
	}
	return out
}

// measuredJoules reports whether both sides have measured work per joule, which takes the place of the catalogue's
// estimate.
func measuredJoules(cs []finding.Comparison) bool {
	return slices.ContainsFunc(cs, func(c finding.Comparison) bool {
		return record.IsWorkPerJoule(c.Metric)
	})
}

// flagIdle removes the verdict from a share of whole machines that the load is known not to have saturated: idle
// capacity does not make a machine worse.
func flagIdle(c *finding.Comparison, m trialset.Matched, a, b finding.Basis, x comparer) {
	load, most := m.A[0].Load, max(a.VCPUs, b.VCPUs)
	cpuA, cpuB, known := m.CPUUse()
	switch {
	case integrity.Unseen(m.A) || integrity.Unseen(m.B):
		c.Flag("answering-machine-unknown")
	case loadline.IsLine(c.Metric):
		return // a capacity within a latency bound: the idle rest is the price of that bound
	case strings.HasPrefix(c.Load, "all ") || load.Unit == "cpus" && load.Level >= most:
		return
	case load.Kind == record.Open:
		c.Flag("rate-was-given")
	case load.Unit == "cpus":
		c.Flag("cpus-partly-loaded", load.Level, most)
	case known && min(cpuA, cpuB) >= capacity.FullCPU, c.Per == "dollar" && diskBound(m.A, x.disks) &&
		diskBound(m.B, x.disks):
		return
	case load.Unit == record.ParamClients && !known && c.Per == "dollar":
		c.Flag("price-of-carrying", x.clientsText(m))
		if load.Level >= most {
			return
		}
	case load.Unit == record.ParamClients && !known && load.Level < most:
		c.Flag("few-clients", clients(load.Level), most)
	case known:
		c.Flag("cpus-not-full", cpuA, cpuB)
	default:
		c.Flag("may-not-fill")
		return
	}
	c.Verdict, c.Better, c.Alpha, c.Refused = "", "", 0, true
}

// clientsText returns the number of clients of a cell's load; one text covers all of a sweep.
func (x comparer) clientsText(m trialset.Matched) string {
	if x.loads.Swept(m.A) {
		return "so many clients"
	}
	return clients(m.A[0].Load.Level)
}

func clients(n float64) string {
	if n == 1 {
		return "1 client"
	}
	return fmt.Sprintf("%g clients", n)
}

// diskBound reports whether the disk was saturated, which counts like saturated CPUs: by the throughput of workload
// disk in the same session.
func diskBound(trials []record.Trial, disks map[bottleneck.DeviceKey]bottleneck.DiskMost) bool {
	all := trialset.Measuring(trials)
	return len(all) > 0 && !slices.ContainsFunc(all, func(t record.Trial) bool {
		return !bottleneck.EvidenceOf(t, disks).DeviceFull()
	})
}

// costEach gives the cost per operation of either side the interval of that side's trials.
func costEach(c *finding.Comparison, m trialset.Matched, a, b finding.Basis) {
	if c.PerOp == nil {
		return
	}
	cost := func(trials []record.Trial, price float64) estimate.Estimate {
		const seconds = 3600
		each := estimate.Of(trialset.ValuesOf(trialset.Measuring(trials), c.Metric)).Inverse(1)
		out := each.Scale(price / seconds)
		out.Value = each.Value * price / seconds // matches the figure per session to the last digit
		return out
	}
	c.PerOp = &finding.PerOp{A: cost(m.A, a.PricePerHour), B: cost(m.B, b.PricePerHour)}
}

// breakEvenNotes states the price at which both sides have equal throughput per dollar.
func breakEvenNotes(c finding.Comparison, a, b string) []block.Sentence {
	e := c.BreakEven
	if e == nil {
		return nil
	}
	one := figure.Scale{Factor: 1}
	s := e.Around(e.Ratio)
	text := fmt.Sprintf("price-performance is equal if %s costs %s times %s", b, s.Estimate(one), a)
	if s.Bounded() {
		text = fmt.Sprintf("price-performance is equal if %s costs %s times %s, by estimate %s", b, s.Interval(one), a,
			s.Estimate(one))
	}
	notes := []block.Sentence{
		{Lead: "break-even", Tone: block.Dim, Text: text +
			fmt.Sprintf(", or %s $/h", one.Number(e.PricePerHour, figure.FineDigits))}}
	if c.PerTB != nil {
		notes = append(notes, block.Sentence{Lead: "cost per TB", Tone: block.Dim,
			Text: fmt.Sprintf("10^12 bytes cost %s $ on %s and %s $ on %s", one.Number(c.PerTB.A, figure.FineDigits), a,
				one.Number(c.PerTB.B, figure.FineDigits), b)})
	}
	return append(notes, perOpNotes(c, a, b, "")...)
}

// perOpNotes states the cost per operation; where names the cell if nothing before it does.
func perOpNotes(c finding.Comparison, a, b, where string) []block.Sentence {
	if c.PerOp == nil {
		return nil
	}
	return []block.Sentence{
		{Lead: "unit cost", Tone: block.Dim, Text: where +
			finding.CostOf(c.Workload, finding.Priced{On: a, Each: c.PerOp.A}, finding.Priced{On: b, Each: c.PerOp.B})}}
}

// basisNotes states the sizes, prices and powers behind figures per vCPU, core, dollar and watt.
func basisNotes(p finding.Pair) []block.Sentence {
	var out []block.Sentence
	for _, side := range []struct {
		name  string
		basis *finding.Basis
	}{{p.A, p.BasisA}, {p.B, p.BasisB}} {
		if side.basis == nil {
			continue
		}
		if text := basisText(*side.basis); text != "" {
			out = append(out, block.Sentence{Lead: "machine", Tone: block.Dim, Text: side.name + ": " + text})
		}
	}
	if text := pricesText(p); text != "" {
		out = append(out, block.Sentence{Lead: "price", Tone: block.Dim, Text: text})
	}
	return out
}

// pricesText states the price difference, which is another percentage from either side.
func pricesText(p finding.Pair) string {
	a, b := p.BasisA, p.BasisB
	if a == nil || b == nil || a.PricePerHour <= 0 || b.PricePerHour <= 0 || a.PricePerHour == b.PricePerHour {
		return ""
	}
	ratio := b.PricePerHour / a.PricePerHour
	return fmt.Sprintf("%s costs %s than %s, which costs %s", p.B, figure.Percents(ratio, ratio, "more", "less"), p.A,
		figure.Percents(1/ratio, 1/ratio, "more", "less"))
}

func basisText(b finding.Basis) string {
	var parts []string
	if b.Hosts > 1 {
		parts = append(parts, figure.Count(b.Hosts, "host"))
	}
	if b.VCPUs > 0 {
		parts = append(parts, fmt.Sprintf("%g vCPUs", b.VCPUs))
	}
	if b.Cores > 0 {
		parts = append(parts, fmt.Sprintf("%g cores", b.Cores))
	}
	if b.Priced() {
		parts = append(parts, fmt.Sprintf("%s $/h (%s)", figure.Exact(b.PricePerHour), b.PriceSource))
	}
	if b.Watts != nil {
		parts = append(parts, fmt.Sprintf("%.4g W, %s (%s)", b.Watts.Value, b.Watts.Kind,
			strings.Join(figure.NonEmpty(b.Watts.Of, b.Watts.Source), "; ")))
	}
	return strings.Join(parts, ", ")
}
