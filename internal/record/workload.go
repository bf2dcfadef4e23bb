package record

import (
	"cmp"
	"strings"
)

// Workload is the declaration of a workload: all that planning, listing, completing, documenting and checking need to
// know, without anything that can run it. Package workload adds the code that runs.
type Workload struct {
	Name    string     `json:"name"`
	Doc     string     `json:"doc"`
	Params  []Param    `json:"params"`
	Metrics []Metric   `json:"metrics"` // [0] is the primary one
	Loads   []LoadKind `json:"loads"`   // those that its parameters can specify
	Slices  bool       `json:"slices"`  // two sides may alternate inside one child process
	Serves  bool       `json:"serves"`  // other hosts can generate its load
	// Short runs of kind Once can follow each other inside one child process.
	Repeats bool `json:"repeats,omitempty"`
	// Several hosts can be one target, with a server on each.
	Clusters bool `json:"clusters,omitempty"`
	// Also accepts text parameters of the user's own, referred to as {NAME} in another parameter.
	Free    bool     `json:"free"`
	Needs   []string `json:"needs"` // engines
	Presets []Preset `json:"presets,omitempty"`

	Timeline bool `json:"timeline,omitempty"` // its trials show how the disk or network under them is throttled

	Small *Small `json:"small,omitempty"` // where another metric is the primary one; nil: nowhere
}

// Small states that a metric is the primary one where a parameter is below a number: of small blocks users count the
// operations, of large ones the bytes.
type Small struct {
	Param  string  `json:"param"`
	Below  float64 `json:"below"`
	Metric string  `json:"metric"`
}

// PrimaryAt returns the primary metric of a closed loop with these values of parameters; "" if there is none.
func (w Workload) PrimaryAt(params Params) string {
	if w.Small != nil {
		p, _ := w.Param(w.Small.Param)
		if p.Number(params[p.Name]) < w.Small.Below {
			return w.Small.Metric
		}
	}
	if len(w.Metrics) == 0 {
		return ""
	}
	return w.Metrics[0].Name
}

// Preset is a named set of parameters: setting Of to it sets all of them that are not set otherwise.
type Preset struct {
	Of   string            `json:"of,omitempty"` // the parameter that chooses it; "": ParamPreset
	Name string            `json:"name"`
	Doc  string            `json:"doc"`
	Set  map[string]string `json:"set"`
}

// By returns the parameter that chooses the preset.
func (p Preset) By() string { return cmp.Or(p.Of, ParamPreset) }

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

// The kinds of parameter. Their text forms are those of ParseSize, ParseDuration, strconv.ParseInt, strconv.ParseFloat
// and "true" or "false".
const (
	Text     ParamKind = "text"
	Int      ParamKind = "int"
	Float    ParamKind = "float"
	Size     ParamKind = "size"     // bytes
	Duration ParamKind = "duration" // held in seconds
	CPUs     ParamKind = "cpus"     // a whole number, or "all" CPUs that the target may use
	Bool     ParamKind = "bool"
	Enum     ParamKind = "enum"
)

// Phase is the work that a change of a parameter's value requires.
type Phase string

// The phases, from the costliest to change to the cheapest.
const (
	Build  Phase = "build"  // rebuild data or programs
	Server Phase = "server" // restart the engine
	Load   Phase = "load"   // change the load only
)

// Param declares one parameter of a workload. On the command line and in a trial's keys its name is WORKLOAD.NAME.
type Param struct {
	Name    string    `json:"name"`
	Kind    ParamKind `json:"kind"`
	Default string    `json:"default"`           // in the kind's text form
	Min     float64   `json:"min,omitempty"`     // inclusive, in the kind's base unit; unbounded when Min == Max
	Max     float64   `json:"max,omitempty"`     // inclusive
	Choices []string  `json:"choices,omitempty"` // for Enum
	Phase   Phase     `json:"phase"`
	Minor   bool      `json:"minor,omitempty"` // omitted from tables unless set
	Shared  bool      `json:"-"`               // a count or size that several generators divide among themselves

	// Tunes is set for a setting of the machine, of every workload: see TunePrefix. It has no default, and a cell has it
	// only if some cell of its plan sets it.
	Tunes bool `json:"tunes,omitempty"`

	Secret SecretUse `json:"secret,omitempty"` // how its value may refer to secrets, so that no session stores them
	Lines  bool      `json:"-"`                // each line is a separate value, and each --set adds one

	// Idle reports, from all values, that the parameter has no effect: tables leave it out unless it was set; nil: never.
	Idle func(Params) bool `json:"-"`

	// Derive returns the default, in canonical form, from all other values; nil: Default.
	Derive func(Params) string `json:"-"`

	Only []Only `json:"-"` // all conditions under which the parameter has an effect; none: it always has

	Doc string `json:"doc"`
}

// SecretUse is how a secret reaches a parameter whose value refers to it by ${NAME}, or by @FILE as a whole.
type SecretUse string

// The uses: put into the value, encoded for its language, or, for ${NAME} only, passed to the started process in its
// environment.
const (
	SecretText    SecretUse = "text"
	SecretURL     SecretUse = "url"
	SecretDSN     SecretUse = "dsn"
	SecretBody    SecretUse = "body"
	SecretEnviron SecretUse = "environment"
)

// Put reports whether secrets are put into the value.
func (u SecretUse) Put() bool { return u != "" && u != SecretEnviron }

// SecretOf returns the use of secrets in the named parameter. The user's own parameters are substituted into another
// one's value, which is a command.
func (w Workload) SecretOf(name string) SecretUse {
	if p, ok := w.Param(name); ok {
		return p.Secret
	}
	if w.Free {
		return SecretEnviron
	}
	return ""
}

// AllCPUs is the value of a CPUs parameter that means every CPU that the target may use.
const AllCPUs = "all"

// ParamPreset selects a Preset, if a workload has any.
const ParamPreset = "preset"

// ParamNodes is the number of servers of a cluster, of workloads that start one. Int.
const ParamNodes = "nodes"

// ParamFaultDown is how long a server that is killed in the window stays down, of workloads that kill one and start it
// again. Duration.
const ParamFaultDown = "fault_down"

// The parameters that define a load, if a workload declares them.
const (
	ParamCPUs    = "cpus"    // CPUs: closed loop, one lane a CPU
	ParamClients = "clients" // Int: closed loop if above 0
	// Int: closed loop with so many operations in flight for each of ParamJobs, if neither clients nor rate is set
	ParamDepth       = "depth"
	ParamSide        = "side"        // a name that tells two sides of one command apart; of workloads that are Free
	ParamJobs        = "jobs"        // Int
	ParamConnections = "connections" // Int: of an open loop, whose lanes drive many connections each
	ParamRate        = "rate"        // Float: open loop in operations per second if above 0
	ParamArrivals    = "arrivals"    // Enum: poisson, uniform
	// Text; time under load of a fresh server before the warm-up, so that hot code is compiled
	ParamHeat    = "heat"
	ParamPacing  = "pacing"      // Enum: sleep, spin; how lanes of an open loop wait
	ParamCPUSets = "cpu_sets"    // Enum: shared, split; whether started processes and lanes have separate CPUs
	ParamSockets = "sockets"     // Enum: all, one; sockets whose CPUs the work may use
	ParamMachine = "answered_by" // Text: name of the machine that does the work, if nothing of ours runs on it
)

// The values of ParamArrivals.
const (
	Poisson = "poisson" // exponential intervals
	Uniform = "uniform" // equal intervals
)

// The values of ParamHeat besides a duration.
const (
	HeatAuto  = "auto"  // the engine's own
	HeatShort = "short" // the engine's own, but at most a few seconds
)

// The values of ParamPacing.
const (
	PacingSleep = "sleep" // until shortly before the time, then spin
	PacingSpin  = "spin"  // throughout: takes one CPU a lane
)

// The values of ParamCPUSets.
const (
	CPUsShared = "shared"
	CPUsSplit  = "split"
)

// The values of ParamSockets.
const (
	SocketsAll = "all" // lanes are spread over all sockets
	SocketsOne = "one" // lanes keep to the socket that has most of the usable CPUs
)

// TunePrefix begins the names of parameters that are settings of the machine: a run changes them only with --tune, and
// puts them back.
const TunePrefix = "tune."

// The parameters of that prefix that are no settings themselves.
const (
	ParamTunePreset = TunePrefix + "preset" // Enum: several settings by one name
	ParamTuneDisks  = TunePrefix + "disks"  // Text: the disks whose settings are meant
	ParamTuneGroup  = TunePrefix + "group"  // Text: the control group whose settings are meant
)

// AsFound is the value of a setting of the machine that is left as it is.
const AsFound = "as-found"

// Tunes reports whether a parameter of that name is a setting of the machine, for any workload.
func Tunes(name string) bool { return strings.HasPrefix(name, TunePrefix) }

// IsSetting reports whether a parameter of that name is a setting of the machine itself, and no choice of several or of
// where.
func IsSetting(name string) bool {
	return Tunes(name) && name != ParamTunePreset && name != ParamTuneDisks && name != ParamTuneGroup
}

// TuneAt returns the setting of the machine that a key names, with or without its workload; "" if it names none.
func TuneAt(key string) string {
	if Tunes(key) {
		return key
	}
	if _, name, _ := strings.Cut(key, "."); Tunes(name) {
		return name
	}
	return ""
}

// Tuned reports whether the values change a setting of the machine.
func (p Params) Tuned() bool {
	for name, value := range p {
		if IsSetting(name) && value != AsFound {
			return true
		}
	}
	return false
}

// LoadParams returns the parameters that a load's text form includes.
func LoadParams() []string { return []string{ParamCPUs, ParamClients, ParamRate, ParamArrivals} }

// Params holds a workload's parameters by name without the workload's prefix, each in its canonical text form (see
// Param.Canonical).
type Params map[string]string

// LoadKind is a way of loading a machine.
type LoadKind string

// The kinds of load: Closed is n clients or CPUs, each as fast as it can; Open is a rate that does not wait for
// answers; Once is a single run of something that loads the machine by itself, or one run on each of n CPUs.
const (
	Closed LoadKind = "closed"
	Open   LoadKind = "open"
	Once   LoadKind = "once"
)

// LoadPoint is the load of one trial.
type LoadPoint struct {
	Kind  LoadKind `json:"kind"`
	Level float64  `json:"level"` // clients, CPUs, or operations per second; 1 for Once without a unit
	Unit  string   `json:"unit"`  // ParamClients, ParamCPUs or ParamRate; "" for a single run
	// Level is all CPUs of the target, so that "all" matches between machines; for an unset rate: a sweep
	All      bool   `json:"all,omitempty"`
	Arrivals string `json:"arrivals,omitempty"` // Open only: Poisson or Uniform
}

// Derive sets the parameters that are derived from others and not set by the user.
func (w Workload) Derive(vals Params, set map[string]string) {
	for _, p := range w.Params {
		if _, given := set[p.Name]; !given && p.Derive != nil {
			vals[p.Name] = p.Derive(vals)
		}
	}
}

// Defaults returns every declared parameter at its default; the machine's settings have none.
func (w Workload) Defaults() Params {
	out := Params{}
	for _, p := range w.Params {
		if !p.Tunes {
			out[p.Name] = p.Default
		}
	}
	return out
}
