package workload

import "plimsoll/internal/record"

// ParamConnections is the parameter, of workloads whose lanes drive many connections each, that sets the size
// of an open loop's connection pool.
const ParamConnections = "connections"

// Clients returns the number of connections of a load: in a closed loop each is a client, an open loop has
// open of them.
func Clients(l record.LoadPoint, open int) int {
	if l.Kind == record.Closed {
		return max(int(l.Level), 1)
	}
	return open
}
