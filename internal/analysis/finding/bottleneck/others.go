package bottleneck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// OthersEvidence is what other programs than the work and its generator had of the CPUs that a run could use, as
// shares of all of them, 0 to 1.
type OthersEvidence struct {
	Programs []Other `json:"programs"` // at most five, the largest first
	Rest     float64 `json:"rest"`     // of the other processes that were seen
	Unseen   float64 `json:"unseen"`   // of no process that was seen: interrupts, or programs that are hidden
}

// Other is the processes of one name in one place.
type Other struct {
	Name     string  `json:"name"`               // of the command
	Unit     string  `json:"unit,omitempty"`     // service of systemd, "container ID" or "the kernel"
	Children bool    `json:"children,omitempty"` // most was used by programs that it ran and that have ended
	Share    float64 `json:"share"`
}

// leastOther is the least share of the CPUs that is named.
const leastOther = .01

// mostOthers is how many programs are named.
const mostOthers = 5

func othersOf(t record.Trial) *OthersEvidence {
	o := t.Others
	if o == nil || t.CPU == nil || o.WindowS <= 0 || trialset.Usable(*t.CPU) <= 0 {
		return nil
	}
	whole := o.WindowS * float64(trialset.Usable(*t.CPU))
	out := &OthersEvidence{Programs: []Other{}, Rest: o.RestS / whole, Unseen: o.UnseenS / whole}
	for _, p := range o.Programs {
		out.Programs = append(out.Programs, Other{p.Name, p.Unit, p.Children, p.CPUS / whole})
	}
	return out
}

// meanOthers returns the means over trials; nil if one of them does not know.
func meanOthers(all []Evidence) *OthersEvidence {
	out, n := &OthersEvidence{Programs: []Other{}}, float64(len(all))
	for _, e := range all {
		if e.Others == nil {
			return nil
		}
		out.Rest += e.Others.Rest / n
		out.Unseen += e.Others.Unseen / n
		for _, p := range e.Others.Programs {
			at := slices.IndexFunc(out.Programs, func(o Other) bool { return o.Name == p.Name && o.Unit == p.Unit })
			if at < 0 {
				at, out.Programs = len(out.Programs), append(out.Programs, Other{Name: p.Name, Unit: p.Unit, Children: true})
			}
			out.Programs[at].Share += p.Share / n
			out.Programs[at].Children = out.Programs[at].Children && p.Children
		}
	}
	slices.SortStableFunc(out.Programs, func(a, b Other) int { return cmp.Compare(b.Share, a.Share) })
	for _, p := range out.Programs[min(len(out.Programs), mostOthers):] {
		out.Rest += p.Share
	}
	out.Programs = out.Programs[:min(len(out.Programs), mostOthers)]
	return out
}

// total returns the share of all of them.
func (o OthersEvidence) total() float64 {
	sum := o.Rest + o.Unseen
	for _, p := range o.Programs {
		sum += p.Share
	}
	return sum
}

// text lists the programs with their shares; "" if none has enough to be named.
func (o OthersEvidence) text() string {
	var out []string
	rest := o.Rest
	for _, p := range o.Programs {
		if p.Share < leastOther {
			rest += p.Share
			continue
		}
		out = append(out, fmt.Sprintf("%s %s", p.text(), Pct(p.Share)))
	}
	if rest >= leastOther {
		out = append(out, "smaller ones "+Pct(rest))
	}
	if o.Unseen >= leastOther {
		out = append(out, Pct(o.Unseen)+" is of no process that can be seen here")
	}
	return strings.Join(out, ", ")
}

func (p Other) text() string {
	out := p.Name
	if p.Children {
		out += " and what it ran"
	}
	if p.Unit != "" {
		out += " (" + p.Unit + ")"
	}
	return out
}
