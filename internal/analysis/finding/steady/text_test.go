package steady

import (
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/figure"
	"testing"
)

func TestWarmUpInWords(t *testing.T) {
	lo, hi := -.003, .012
	for want, w := range map[string]trialset.WarmUp{
		"a fresh server was steady after 2.0 to 4.1 s at full load (n=3 of 3, heat 10.0 s), at 2.00 times the throughput " +
			"of its first second; over the measured window throughput changed by -0.3% to +1.2% (n=3)": {
			N: 3, HeatS: 10, Settled: 3, From: 2, To: 4.1, Gain: 2, Rise: new(figure.Between(lo, hi).Around(0)), RiseTrials: 3},
		"a fresh server was steady at once (n=2 of 2, heat 10.0 s); 1 heat scattered too " +
			"much to tell": {N: 3, HeatS: 10, Settled: 2, Noisy: 1, Gain: 1},
		"no fresh server was steady within a heat of 3.0 s (n=2)": {N: 2, HeatS: 3},
		"throughput scattered too much in the heats of 3.0 s to tell when a fresh server was " +
			"steady (n=2)": {N: 2, HeatS: 3, Noisy: 2},
	} {
		if got := warmUpText(w); got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
}
