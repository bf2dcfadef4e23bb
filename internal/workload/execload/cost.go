package execload

import (
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// cost states that the duration of a command that runs once is unknown.
func cost(_ workload.Params, l record.LoadPoint, _ record.Machine) forecast.Cost {
	if l.Kind != record.Once {
		return forecast.Cost{}
	}
	return forecast.Cost{Open: "the commands"}
}
