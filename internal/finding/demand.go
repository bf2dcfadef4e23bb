package finding

import (
	"fmt"
	"math"
)

// Demand is the load on a fleet, with its reserves.
type Demand struct {
	Rate     float64 // in the unit of the load, such as operations per second
	Headroom float64 // maximum load of each machine, as a fraction of its load line
	Failures int     // machines that may fail while the others handle the rate
}

// Check returns an error for an impossible demand.
func (d Demand) Check() error {
	switch {
	case !(d.Rate > 0) || math.IsInf(d.Rate, 0):
		return fmt.Errorf("a demand of %g: it must be over 0", d.Rate)
	case !(d.Headroom > 0 && d.Headroom <= 1):
		return fmt.Errorf("a headroom of %g: it is the fraction of its load line up to which a machine may be loaded, over 0 and at most 1", d.Headroom)
	case d.Failures < 0 || d.Failures > math.MaxInt32:
		return fmt.Errorf("%d failures: there can be none, or more", d.Failures)
	}
	return nil
}
