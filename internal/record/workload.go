package record

// Workload is the declaration of a workload: all that planning, listing,
// completing, documenting and checking need to know, without anything that can
// run it. Package workload adds what runs.
type Workload struct {
	Name    string     `json:"name"`
	Doc     string     `json:"doc"`
	Params  []Param    `json:"params"`
	Metrics []Metric   `json:"metrics"` // [0] is the primary one
	Loads   []LoadKind `json:"loads"`   // those that its parameters can ask for
	Slices  bool       `json:"slices"`  // two sides may alternate inside one child process
	Serves  bool       `json:"serves"`  // other hosts can make its load
	Free    bool       `json:"free"`    // also takes text parameters of the user's own, named {NAME} in another parameter
	Needs   []string   `json:"needs"`   // engines
	Presets []Preset   `json:"presets,omitempty"`

	Timeline bool `json:"timeline,omitempty"` // its trials tell how the disk under them is held back
}

// Preset is parameters under one name: setting ParamPreset to it sets all of them that are not set otherwise.
type Preset struct {
	Name string            `json:"name"`
	Doc  string            `json:"doc"`
	Set  map[string]string `json:"set"`
}

// Param returns the parameter of that name.
func (w Workload) Param(name string) (Param, bool) {
	for _, p := range w.Params {
		if p.Name == name {
			return p, true
		}
	}
	return Param{}, false
}

// ParamKind is the type of a parameter's value.
type ParamKind string

// The kinds of parameter. Their text forms are those of ParseSize,
// ParseDuration, strconv.ParseInt, strconv.ParseFloat and "true" or "false".
const (
	Text     ParamKind = "text"
	Int      ParamKind = "int"
	Float    ParamKind = "float"
	Size     ParamKind = "size"     // bytes
	Duration ParamKind = "duration" // held in seconds
	CPUs     ParamKind = "cpus"     // a whole number, or "all" that the target may use
	Bool     ParamKind = "bool"
	Enum     ParamKind = "enum"
)

// Phase says what a change of a parameter's value obliges one to do again.
type Phase string

// The phases, from the costliest to change to the cheapest.
const (
	Build  Phase = "build"  // data or programs are made again
	Server Phase = "server" // the engine is started again
	Load   Phase = "load"   // nothing but the load changes
)

// Param declares one parameter of a workload. On the command line and in a
// trial's keys its name is WORKLOAD.NAME.
type Param struct {
	Name    string    `json:"name"`
	Kind    ParamKind `json:"kind"`
	Default string    `json:"default"`           // in the kind's text form
	Min     float64   `json:"min,omitempty"`     // inclusive, in the kind's base unit; unbounded when Min == Max
	Max     float64   `json:"max,omitempty"`     // inclusive
	Choices []string  `json:"choices,omitempty"` // for Enum
	Phase   Phase     `json:"phase"`
	Minor   bool      `json:"minor,omitempty"` // left out of tables where nobody set it
	Shared  bool      `json:"-"`               // a count or a size: of several generators each takes its part

	Secret SecretUse `json:"secret,omitempty"` // what its value may refer to, so that no session keeps it
	Lines  bool      `json:"-"`                // each line is a value of its own, and each --set adds one

	// Derive is the value, in its canonical form, where nobody sets one, by all the others; nil: Default.
	Derive func(Params) string `json:"-"`

	Doc string `json:"doc"`
}

// SecretUse is how a secret comes to where a parameter's value refers to it by ${NAME}, or by @FILE as a whole.
type SecretUse string

// The uses: put into the value, or, of ${NAME} alone, given to the process that is started, as its environment.
const (
	SecretText    SecretUse = "text"
	SecretEnviron SecretUse = "environment"
)

// SecretOf is the use of a parameter by name. One of the user's own goes into another one's value, which is a command.
func (w Workload) SecretOf(name string) SecretUse {
	if p, ok := w.Param(name); ok {
		return p.Secret
	}
	if w.Free {
		return SecretEnviron
	}
	return ""
}

// AllCPUs is the value of a CPUs parameter that means every CPU the target may use.
const AllCPUs = "all"

// ParamPreset names a Preset, where a workload has some.
const ParamPreset = "preset"

// The parameters that make a load, where a workload declares them.
const (
	ParamCPUs     = "cpus"        // CPUs: closed load, one lane a CPU
	ParamClients  = "clients"     // Int: closed load when over 0
	ParamDepth    = "depth"       // Int: closed load of so many operations in flight for each of ParamJobs, where neither of clients and rate is set
	ParamJobs     = "jobs"        // Int
	ParamRate     = "rate"        // Float: open load in operations per second when over 0
	ParamArrivals = "arrivals"    // Enum: poisson, uniform
	ParamPacing   = "pacing"      // Enum: sleep, spin; how lanes of an open load wait
	ParamCPUSets  = "cpu_sets"    // Enum: shared, split; of workloads that start processes, whether these and the lanes have CPUs of their own
	ParamSockets  = "sockets"     // Enum: all, one; whose CPUs the work may use
	ParamMachine  = "answered_by" // Text: name of the machine that does the work, where nothing of ours runs on it
)

// The values of ParamArrivals.
const (
	Poisson = "poisson" // intervals are exponential
	Uniform = "uniform" // intervals are all alike
)

// The values of ParamPacing.
const (
	PacingSleep = "sleep" // until shortly before the time, then spin
	PacingSpin  = "spin"  // throughout: takes a CPU for each lane
)

// The values of ParamCPUSets.
const (
	CPUsShared = "shared"
	CPUsSplit  = "split"
)

// The values of ParamSockets.
const (
	SocketsAll = "all" // lanes are spread over all sockets
	SocketsOne = "one" // lanes keep to the socket that has most of the CPUs that may be used
)

// LoadParams are the parameters that make a load and that a load's text says.
func LoadParams() []string { return []string{ParamCPUs, ParamClients, ParamRate, ParamArrivals} }

// Params holds a workload's parameters by name without the workload's prefix,
// each in its canonical text form (see Param.Canonical).
type Params map[string]string

// LoadKind is a way of loading a machine.
type LoadKind string

// The kinds of load: Closed is n clients or CPUs, each as fast as it can; Open is a rate
// that does not wait for answers; Once is a single run of something that loads
// the machine by itself, or one run on each of n CPUs.
const (
	Closed LoadKind = "closed"
	Open   LoadKind = "open"
	Once   LoadKind = "once"
)

// LoadPoint is the load of one trial.
type LoadPoint struct {
	Kind     LoadKind `json:"kind"`
	Level    float64  `json:"level"`              // clients, CPUs, or operations per second; 1 for Once without a unit
	Unit     string   `json:"unit"`               // ParamClients, ParamCPUs or ParamRate; "" for a single run
	All      bool     `json:"all,omitempty"`      // Level is all CPUs of the target, so that "all" matches between machines; of a rate that is not set, it goes through all there are
	Arrivals string   `json:"arrivals,omitempty"` // Open only: Poisson or Uniform
}

// Derive puts in the values of parameters that follow from the others where nobody set them.
func (w Workload) Derive(vals Params, set map[string]string) {
	for _, p := range w.Params {
		if _, given := set[p.Name]; !given && p.Derive != nil {
			vals[p.Name] = p.Derive(vals)
		}
	}
}

// Defaults returns every declared parameter at its default.
func (w Workload) Defaults() Params {
	out := Params{}
	for _, p := range w.Params {
		out[p.Name] = p.Default
	}
	return out
}
