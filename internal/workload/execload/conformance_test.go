package execload_test

import (
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/execload"
	"plimsoll/internal/workload/workloadtest"
)

func TestConformance(t *testing.T) {
	workloadtest.Run(t, execload.Spec(),
		workloadtest.Case{Name: "once", Params: record.Params{"command": "true"}},
		workloadtest.Case{Name: "endless", Params: record.Params{"command": "sleep 77.41"}, Endless: true},
		workloadtest.Case{Name: "closed", Params: record.Params{"command": "true", "clients": "2"},
			Load: record.LoadPoint{Kind: record.Closed, Level: 2, Unit: "clients"}, Lanes: 2},
		workloadtest.Case{Name: "open", Params: record.Params{"command": "true", "rate": "100"},
			Load: record.LoadPoint{Kind: record.Open, Level: 100, Unit: "rate", Arrivals: "uniform"}, Lanes: 2},
		workloadtest.Case{Name: "parsed", Params: record.Params{"command": "echo 7", "parse": "regexp", "pattern": `(\d+)`,
			"better": "higher"}},
	)
}
