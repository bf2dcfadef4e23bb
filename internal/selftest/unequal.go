package selftest

// unequalMachines returns gates for comparisons of machines with different throughput.
func (t tests) unequalMachines() ([]Gate, error) {
	var out []Gate
	bad, sessions := 0, 0
	for _, c := range []struct {
		setting
		found, pairs float64
	}{
		{faster("+5 %, sd 2 %", .05, normal(.02)), .99, 6},
		{faster("+5 %, sd 4 %", .05, normal(.04)), .99, 12},
		{faster("+2 %, sd 2 %", .02, normal(.02)), .95, 30},
	} {
		got, err := t.sequential(c.setting)
		if err != nil {
			return nil, err
		}
		pairs := make([]int, len(got))
		for i, o := range got {
			pairs[i] = o.pairs
		}
		out = append(out,
			shareGate(c.name+": found", claims(got), len(got), AtLeast, c.found),
			medianGate(c.name+": pairs, median", pairs, c.pairs),
			shareGate(c.name+": interval holds the truth", covered(got), len(got), AtLeast, coverGate))
		bad, sessions = bad+wrong(got), sessions+len(got)
	}
	return append(out, shareGate("effects of 2 % and more: wrong sign", bad, sessions, AtMost, .002)), nil
}
