package workload

import "plimsoll/internal/record"

// ParamConnections is the parameter, of workloads whose lanes drive many connections each, that says how many an open load has.
const ParamConnections = "connections"

// Clients is how many connections make a load: in a closed one each is a client, an open one has as many as open says.
func Clients(l record.LoadPoint, open int) int {
	if l.Kind == record.Closed {
		return max(int(l.Level), 1)
	}
	return open
}
