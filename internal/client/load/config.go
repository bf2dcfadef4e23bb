package load

import (
	"fmt"
	"math"
	"time"

	"plimsoll/internal/record"
)

// Config describes one load.
type Config struct {
	Load     record.LoadPoint // "" as Arrivals is Poisson
	Lanes    int              // threads that make the load; for Once one per run
	Seed     uint64           // of the schedule
	Warmup   time.Duration    // not measured; ignored for Once
	Duration time.Duration    // measured; ignored for Once
	Step     time.Duration    // window of the series; 1 s if 0
	Pacing   Pacing           // how lanes of an open loop wait
	Shared   bool             // the target may run on the lanes' CPUs
}

// Pacing is how a lane waits for an intended time.
type Pacing uint8

// Sleep sleeps until shortly before the time and spins for the rest; Spin spins throughout, and takes a whole CPU
// for each lane.
const (
	Sleep Pacing = iota
	Spin
)

const (
	maxLanes   = 1 << 16
	maxWindows = 1 << 22
	maxTrial   = 7 * 24 * time.Hour
)

// normal returns the configuration with its defaults filled in, or an error if it is invalid.
func (c Config) normal() (Config, error) {
	if c.Step == 0 {
		c.Step = time.Second
	}
	if c.Load.Kind == record.Open && c.Load.Arrivals == "" {
		c.Load.Arrivals = Poisson
	}
	if err := checkLoad(c.Load, c.Lanes); err != nil {
		return c, err
	}
	return c, c.checkTimes()
}

func checkLoad(p record.LoadPoint, lanes int) error {
	if lanes < 1 || lanes > maxLanes {
		return fmt.Errorf("load: %d lanes\nhint: give 1 to %d", lanes, maxLanes)
	}
	switch p.Kind {
	case record.Open:
		return checkOpen(p)
	case record.Closed:
		if !(p.Level > 0) || math.IsInf(p.Level, 0) {
			return fmt.Errorf("load: a closed loop of %g %s\nhint: give 1 or more", p.Level, p.Unit)
		}
	case record.Once:
		if runs := max(int(p.Level), 1); lanes != runs {
			return fmt.Errorf("load: %d lanes for a load of kind %q and %d runs\nhint: give one lane per run",
				lanes, p.Kind, runs)
		}
	default:
		return fmt.Errorf("load: unknown kind %q\nhint: give %q, %q or %q",
			p.Kind, record.Closed, record.Open, record.Once)
	}
	return nil
}

func checkOpen(p record.LoadPoint) error {
	if !(p.Level >= minRate && p.Level <= maxRate) {
		return fmt.Errorf("load: a rate of %g/s\nhint: give %g to %g operations per second", p.Level, minRate, maxRate)
	}
	if p.Arrivals != Poisson && p.Arrivals != Uniform {
		return fmt.Errorf("load: unknown arrivals %q\nhint: give %q or %q", p.Arrivals, Poisson, Uniform)
	}
	return nil
}

func (c Config) checkTimes() error {
	if c.Pacing > Spin {
		return fmt.Errorf("load: unknown pacing %d", c.Pacing)
	}
	if c.Step < 0 {
		return fmt.Errorf("load: windows of %v\nhint: give a positive step", c.Step)
	}
	if c.Load.Kind == record.Once {
		return nil
	}
	if c.Warmup < 0 || c.Warmup > maxTrial || c.Duration <= 0 || c.Duration > maxTrial {
		return fmt.Errorf("load: a warm-up of %v and a run of %v\nhint: give a run of more than 0, and at most "+
			"%v for each", c.Warmup, c.Duration, maxTrial)
	}
	if c.Duration/c.Step >= maxWindows {
		return fmt.Errorf("load: a run of %v in windows of %v\nhint: give a longer step: %d windows at most",
			c.Duration, c.Step, maxWindows)
	}
	return nil
}

// windows returns the number of whole windows of the measured time.
func (c Config) windows() int {
	if c.Load.Kind == record.Once {
		return 0
	}
	return int(c.Duration / c.Step)
}
