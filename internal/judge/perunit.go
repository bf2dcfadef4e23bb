package judge

import (
	"fmt"
	"math"
	"strings"

	"plimsoll/internal/catalog"
	"plimsoll/internal/record"
)

// relate finds what the machines of a pair have, where machines are compared
// and the asker knows.
func (j judgement) relate(p *Pair) {
	if j.axis.by != record.KeyMachine {
		return
	}
	defer j.warnUnlikeVCPUs(p)
	if j.Basis == nil {
		return
	}
	a, b := j.basisOf(p.A), j.basisOf(p.B)
	p.BasisA, p.BasisB = &a, &b
	for _, side := range []struct {
		name string
		Basis
	}{{p.A, a}, {p.B, b}} {
		for _, doubt := range side.Doubts {
			p.Warnings = append(p.Warnings, side.name+": "+doubt)
		}
	}
}

// warnUnlikeVCPUs warns of any comparison by CPUs where a CPU is a whole core on
// one side and a thread on the other.
func (j judgement) warnUnlikeVCPUs(p *Pair) {
	a, b := j.threadsPerCore(p.A, p.BasisA), j.threadsPerCore(p.B, p.BasisB)
	if a == 0 || b == 0 {
		return
	}
	text := catalog.UnlikeVCPUs(p.A, a, p.B, b)
	if text == "" {
		return
	}
	if p.BasisA != nil && p.BasisA.Cores > 0 && p.BasisB.Cores > 0 {
		text += "\nhint: read the figures per core"
	}
	p.Warnings = append(p.Warnings, text)
}

// threadsPerCore is 0 where it is not known.
func (j judgement) threadsPerCore(machine string, b *Basis) int {
	if b != nil && b.Cores > 0 {
		return int(math.Round(b.VCPUs / b.Cores))
	}
	return j.fleet[machine].CPU.ThreadsPerCore
}

// basisOf asks with the machine's name alone where its fingerprint is not in the session.
func (j judgement) basisOf(machine string) Basis {
	m := j.fleet[machine]
	m.Name = machine
	return j.Basis(m)
}

// withShares adds to the primary comparison of a cell what it is per vCPU, core,
// dollar and watt.
func (j judgement) withShares(p Pair, m matched, cs []Comparison) []Comparison {
	if p.BasisA == nil {
		return cs
	}
	var out []Comparison
	for _, c := range cs {
		out = append(out, c)
		if !c.Primary {
			continue
		}
		reg := registeredFor(newSample(m.a, m.b, c.Metric), j.plans)
		for _, s := range PerBasis(c, *p.BasisA, *p.BasisB, reg.margin, reg.quick) {
			s.doubtIdle(m.a[0].Load, *p.BasisA, *p.BasisB)
			out = append(out, s)
		}
	}
	return out
}

// doubtIdle takes the verdict from a share of whole machines that the load is
// known not to have filled: a machine is not worse for what it was not asked.
func (c *Comparison) doubtIdle(load record.LoadPoint, a, b Basis) {
	most := max(a.VCPUs, b.VCPUs)
	switch {
	case strings.HasPrefix(c.Load, "all ") || load.Unit == "cpus" && load.Level >= most:
		return
	case load.Kind == record.Open:
		c.flag("no verdict: the rate was given, the share counts all of the machine")
	case load.Unit == "cpus":
		c.flag(fmt.Sprintf("no verdict: the load used %g of up to %g vCPUs, the share counts all", load.Level, most))
	default:
		c.flag("holds if the load fills both machines: it may not have")
		return
	}
	c.Verdict, c.Better = "", ""
}
