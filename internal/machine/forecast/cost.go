package forecast

// The steps that a forecast adds up.
const (
	Start    = "start"       // start and stop of servers and agents
	Fill     = "fill"        // data made once a session
	Copy     = "copy"        // data copied for each run
	Check    = "check"       // data checked after a run
	Heat     = "JIT warm-up" // load before the warm-up of a fresh server
	Preload  = "load before a checkpoint"
	Recovery = "recovery" // of what a fault has killed, as far as the window does not wait for it
	Build    = "build"    // commands and builds that are measured themselves, and their preparation
)

// Step is one kind of work beside warm-up and measurement.
type Step struct {
	Name string // Start, Fill, …
	Work Work
}

// Data is made before the first run that needs it, and kept until the session ends.
type Data struct {
	Key   string // data with equal keys are the same
	Steps []Step
	Bytes int64
}

// Cost is the time and space of a run besides its warm-up and measurement.
type Cost struct {
	Path   string // of the data; "" for the scratch
	Data   []Data // in the order in which they are made
	Steps  []Step // of each run
	Disk   int64  // bytes of the run's own files at their peak, besides Data
	Memory int64  // bytes that should stay resident
	Open   string // duration that nothing can forecast, such as a command's; "" if there is none
}

// Kept returns the bytes of the data that runs share.
func (c Cost) Kept() int64 {
	var sum int64
	for _, d := range c.Data {
		sum += d.Bytes
	}
	return sum
}
