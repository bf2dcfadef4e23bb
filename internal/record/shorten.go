package record

// Shortened is the profile with no more than depth functions, the innermost, of each stack that was found no more than rare times; stacks that become alike are one.
func (p Profile) Shortened(rare int64, depth int) Profile {
	var sum StackSum
	for _, s := range p.Stacks {
		if s.N <= rare && len(s.Frames) > depth {
			s.Frames = s.Frames[:depth:depth]
		}
		sum.Add(s, s.N)
	}
	return Profile{Clock: p.Clock, PeriodNs: p.PeriodNs, Stacks: sum.Stacks}
}
