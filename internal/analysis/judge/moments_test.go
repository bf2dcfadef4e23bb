package judge

import (
	"math"
	"testing"

	"plimsoll/internal/record"
)

// stated returns a trial whose throughput is the mean of n runs.
func stated(machine string, mean, sd float64, n int, within bool) record.Trial {
	return record.Trial{
		ID: machine, Slot: record.Slot{Plan: "p" + machine}, Load: record.LoadPoint{Kind: record.Closed, Level: 8,
			Unit: "clients"},
		Keys: map[string]string{record.KeyMachine: machine, record.KeyWorkload: "w", record.KeyLoad: "8 clients",
			record.KeyImported: "csv"},
		Values: []record.Value{
			{Metric: record.Metric{Name: record.Throughput, Unit: "op/s", Better: record.Higher}, Value: mean}},
		Moments: map[string]record.Moments{record.Throughput: {N: n, SD: sd, Within: within}},
	}
}

// TestMomentsGiveStudentsInterval: 100 ± 2 of 5 has t(0.975; 4) = 2.776445 times 2/sqrt(5) around it.
func TestMomentsGiveStudentsInterval(t *testing.T) {
	shown := Show([]record.Trial{stated("a", 100, 2, 5, false)}, nil, nil)
	c := shown.Workloads[0]
	half := 2.776445 * 2 / math.Sqrt(5)
	if c.N != 5 || c.Lo == nil || math.Abs(*c.Lo-(100-half)) > 1e-4 || math.Abs(*c.Hi-(100+half)) > 1e-4 ||
		len(c.Trials) != 1 {
		t.Errorf("%+v", c)
	}
	if c := Show([]record.Trial{stated("a", 100, 2, 2, false)}, nil, nil).Workloads[0]; c.Lo != nil {
		t.Errorf("an interval of two: %+v", c)
	}
}
