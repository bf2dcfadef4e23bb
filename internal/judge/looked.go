package judge

// looked is what the looks of a session have seen of a comparison: all of its metrics rest
// on the pairs of the look that ended it, and on no later ones.
type looked struct {
	session bool          // the pairs are those of one session with looks
	pairs   map[slot]bool // looked at; nil: all
	next    int           // pairs at the next look; 0: there is none, or it is decided
}

// lookedAt walks the pairs of a cell through the looks of their session, by the metric that decides. The
// pairs of several sessions together had no looks in common, and are all taken.
func (j judgement) lookedAt(m matched, decider string) looked {
	if registeredFor(sample{a: m.a, b: m.b}, j.plans).sequential == 0 {
		return looked{}
	}
	s := newSample(m.a, m.b, decider)
	reg := registeredFor(s, j.plans)
	if !s.paired || reg.sequential != 1 || reg.boundary.Looks == nil {
		return looked{}
	}
	seen := reg.rule().Decide(s.differences(decider))
	l := looked{session: true, pairs: map[slot]bool{}, next: seen.Next}
	for _, t := range s.a[:seen.N] {
		l.pairs[slotOf(t)] = true
	}
	return l
}

// none says that there was no look yet.
func (l looked) none() bool { return l.session && len(l.pairs) == 0 }

// of are the pairs of a sample that were looked at; all of them before the first look.
func (l looked) of(s sample) sample {
	if !l.session || l.none() || !s.paired {
		return s
	}
	out := s
	out.a, out.b = nil, nil
	for i, t := range s.a {
		if l.pairs[slotOf(t)] {
			out.a, out.b = append(out.a, t), append(out.b, s.b[i])
		}
	}
	return out
}

// sampleOf is the sample of a metric that a comparison rests on.
func (j judgement) sampleOf(m matched, metric string, l looked) sample {
	return l.of(newSample(m.a, m.b, metric))
}

// doubtLooks flags what is not decided yet, and pairs that no common looks ended.
func (c *Comparison) doubtLooks(l looked, reg registered) {
	switch {
	case !c.Primary:
	case c.Paired && reg.sequential > 1:
		c.flag("looks-of-several-sessions", reg.sequential)
	case l.none():
		c.flag("no-look-yet", l.next)
	case c.Verdict == Undecided && l.next > 0:
		c.flag("not-decided-yet", l.next)
	}
}
