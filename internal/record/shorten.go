package record

import "strings"

// Shortened is the profile with no more than depth functions, the innermost, of each stack that was found no more than rare times; stacks that become alike are one.
func (p Profile) Shortened(rare int64, depth int) Profile {
	out := Profile{Clock: p.Clock, PeriodNs: p.PeriodNs}
	at := map[string]int{}
	for _, s := range p.Stacks {
		if s.N <= rare && len(s.Frames) > depth {
			s.Frames = s.Frames[:depth:depth]
		}
		var key strings.Builder
		key.WriteString(s.Thread)
		for _, f := range s.Frames {
			key.WriteString("\n" + f.Function + "\t" + f.Module)
		}
		if i, ok := at[key.String()]; ok {
			out.Stacks[i].N += s.N
			continue
		}
		at[key.String()] = len(out.Stacks)
		out.Stacks = append(out.Stacks, s)
	}
	return out
}
