package workload

// Command is the way to type a workload: plimsoll run NAME ARGUMENT… --PARAMETER VALUE.
type Command struct {
	Arguments string // their form, such as "URL…"; "": none
	// Take returns the settings that the arguments stand for. It is nil if there are none; its errors are the user's.
	Take  func(args []string) (Taken, error)
	Flags []Flag // further names of parameters; every parameter is a flag by its own name
	Peers []Peer // flags of other tools and of earlier versions, for hints
	// Means returns how likely an argument that nothing precedes belongs to this workload; nil: never.
	Means func(arg string) Likelihood
	// Greedy is set if every argument after the workload is its own, and all after "--" together are one.
	Greedy   bool
	Warmups  string // parameter that a --warmup without a unit sets; "": none
	Examples []Example
	Groups   []Group // of its parameters in help, in order; none: the common ones, then the others
}

// Likelihood is how surely the form of an argument belongs to one workload.
type Likelihood int

// The likelihoods: other workloads have arguments of this form, too; few have; none has.
const (
	Unlikely Likelihood = iota
	Possible
	Likely
	Certain
)

// Group is a title with the parameters below it.
type Group struct {
	Title  string
	Params []string
}

// Taken are the settings of a workload's arguments.
type Taken struct {
	Set map[string]string // by parameter
	// Vary is a parameter with several Values, the sides of a comparison; "": none.
	Vary   string
	Values []string

	Jobs               []Job   // several settings to measure, each alone; none: Set
	DurationS, WarmupS float64 // seconds, of Jobs; 0: not stated
	Chief              string  // a parameter that every job sets
	Aside              string  // what the user has to know beforehand; "": nothing
}

// Job is one of several named settings.
type Job struct {
	Name string
	Set  map[string]string // by parameter
}

// Flag is a further name of a parameter, as the tools of its field have it.
type Flag struct {
	Name  string
	Short string // one letter; "": none
	Param string
	Check func(value string) error // rejects a value that has another meaning in other tools; nil: none is rejected
}

// Peer is the counterpart of flags that other tools have, or earlier versions had.
type Peer struct {
	Flags []string // without hyphens; one letter is a short flag
	Use   string   // begins with a flag of plimsoll if there is one
	// As are the words for one that means the same, with {value} and {flag}, the name typed: "--for {value}". A bare "-"
	// leaves it out, and "- {value}" its value too. "" is one that only Use explains.
	As string
}

// Example is a command line and its purpose.
type Example struct {
	Command string // without "plimsoll"
	Doc     string
}
