package compile

import (
	"plimsoll/internal/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// CPU seconds of the reference machine, and bytes, for one copy of OpenSSL 3.0.
const (
	opensslConfigure = 7
	opensslBuild     = 230
	opensslBytes     = 120e6 // tree and objects
)

// cost returns the time of all copies' builds. Nothing is known of a user's own tree.
func cost(p workload.Params, l record.LoadPoint, _ record.Machine) forecast.Cost {
	n := int64(l.Level)
	if p.Text(paramSource) != sourceOpenSSL || p.Text(paramCommand) != "" {
		return forecast.Cost{Open: "the builds of " + p.Text(paramSource)}
	}
	work := forecast.Work{CPU: float64(n) * (opensslConfigure + opensslBuild), Threads: int(n), Copy: n * opensslBytes / 2}
	return forecast.Cost{Disk: n * opensslBytes, Steps: []forecast.Step{{Name: forecast.Build, Work: work}}}
}
