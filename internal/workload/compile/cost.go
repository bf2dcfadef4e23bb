package compile

import (
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// CPU seconds of the reference machine, and bytes, for one copy of OpenSSL 3.0.
const (
	opensslConfigure = 7
	opensslBuild     = 230
	libsslBuild      = 18
	opensslBytes     = 120e6 // tree and objects
)

// cost returns the time of all copies' builds. Nothing is known of a user's own tree.
func cost(p workload.Params, l record.LoadPoint, _ record.Machine) forecast.Cost {
	n := int64(l.Level)
	build := map[string]float64{sourceOpenSSL: opensslBuild, sourceLibSSL: libsslBuild}[p.Text(paramSource)]
	if build == 0 || p.Text(paramCommand) != "" {
		return forecast.Cost{Open: "the builds of " + p.Text(paramSource)}
	}
	work := forecast.Work{CPU: float64(n) * (opensslConfigure + build), Threads: int(n), Copy: n * opensslBytes / 2}
	return forecast.Cost{Disk: n * opensslBytes, Steps: []forecast.Step{{Name: forecast.Build, Work: work}}}
}
