package record

import "testing"

func TestParsePercentile(t *testing.T) {
	for text, want := range map[string]string{
		"p50": "p50", "p90": "p90", "p95": "p95", "p99": "p99", "p99.9": "p999", "p999": "p999", "p99.99": "p9999",
		"p9999": "p9999",
		"p100":  "", "p0": "", "p9.5": "", "p-5": "", "p": "", "": "", "99": "", "p99.90": "", "p1e1": "", "latency": "",
		"p99ms": "", "pNaN": "", "p.99": "",
	} {
		if got, ok := ParsePercentile(text); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", text, got, ok, want)
		}
	}
	for statistic, want := range map[string]float64{"p50": 50, "p999": 99.9, "p9999": 99.99} {
		if got, ok := PercentileOf(statistic); got != want || !ok {
			t.Errorf("%s: %v, %v", statistic, got, ok)
		}
	}
}
