package invocation

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// TestConnectionsOfAClosedLoop: what other tools call connections are the clients here.
func TestConnectionsOfAClosedLoop(t *testing.T) {
	p := record.Plan{Cells: []record.Cell{{Workload: "web", Load: record.LoadPoint{Kind: record.Closed}}}}
	decls := []record.Workload{{Name: "web", Params: []record.Param{{Name: record.ParamConnections, Kind: record.Int},
		{Name: record.ParamPacing, Kind: record.Text}}}}
	none := func(string) bool { return false }
	for key, want := range map[string]string{
		"web.connections": "hint: --clients N has N connections, or --set web.rate=…",
		"web.pacing":      "hint: leave it out, or --set web.rate=…",
	} {
		if err := Idle(p, none, "", []string{key}, decls); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", key, err)
		}
	}
}
