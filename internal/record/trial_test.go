package record

import "testing"

func TestOperations(t *testing.T) {
	throughput := func(v float64, unit string) []Value {
		return []Value{{Metric: Metric{Name: Throughput, Unit: unit}, Value: v}}
	}
	for _, c := range []struct {
		name string
		t    Trial
		want float64
	}{
		{"a rate of operations", Trial{DurationS: 2, Values: throughput(50, "op/s"), Generator: &LoadUse{Done: 7}}, 100},
		{"a rate of bytes", Trial{DurationS: 2, Values: throughput(50, "B/s"), Generator: &LoadUse{Done: 7}}, 7},
		{"a load generator alone", Trial{DurationS: 2, Generator: &LoadUse{Done: 7}}, 7},
		{"nothing", Trial{DurationS: 2, Values: throughput(50, "B/s")}, 0},
	} {
		if got := c.t.Operations(); got != c.want {
			t.Errorf("%s: %v operations, want %v", c.name, got, c.want)
		}
	}
}
