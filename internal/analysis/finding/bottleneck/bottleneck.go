package bottleneck

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// Bottleneck is the resource that limits the throughput of a benchmark.
type Bottleneck struct {
	// cpu, disk, wal, locks, standby, client, network, pool, thread, waits, nothing or unknown
	What string `json:"what"`
	// the evidence, with its figures; if unknown, why none can be named; if nothing, the use of each resource
	Reasons []string `json:"reasons"`
	// what takes the time besides that: the dominant statement, tables read by sequential scans, transactions of others
	// that stay open
	Details   []string         `json:"details,omitempty"`
	Statement *Statement       `json:"statement,omitempty"` // nil unless one takes half of a transaction's time
	Database  *record.Database `json:"database,omitempty"`  // nil unless something stands out in it
	N         int              `json:"n"`                   // runs
	Evidence  Evidence         `json:"evidence"`
}

// The bottlenecks.
const (
	CPU     = "cpu"
	Disk    = "disk"
	WAL     = "wal"
	Locks   = "locks"
	Standby = "standby" // its confirmation of each commit
	Client  = "client"
	Network = "network"
	Nothing = "nothing" // every resource is known, and none is saturated
	Unknown = "unknown"
)

// Evidence holds the figures behind a bottleneck: means over runs. A nil pointer is unknown.
type Evidence struct {
	CPU       *float64 `json:"cpu_pct"`       // use of the server's CPUs
	Generator *float64 `json:"generator_pct"` // use of the generator's CPUs
	// server and generator share their CPUs: CPU is the use by both
	Together bool `json:"together"`
	// programs of this host that the server is connected to: its CPU use includes theirs
	Behind  string   `json:"behind,omitempty"`
	Machine *float64 `json:"machine_pct"` // use of all CPUs available to either, by any process
	// by the CPU quota of its control group: CPUs that were kept from running, on average
	Throttled float64 `json:"throttled,omitempty"`
	// share of the backends' time by class, 0 to 1; empty if no database was monitored
	Waits  map[string]float64 `json:"waits"`
	Open   bool               `json:"open"` // the load was an offered rate, and the server handled it
	Device string             `json:"device,omitempty"`
	Busy   *float64           `json:"device_busy_pct"` // time with I/O in flight
	// share of the highest throughput of workload disk on that device, 0 to 1
	Use   *float64 `json:"device_use"`
	UseOf string   `json:"device_use_of,omitempty"`
	// the disks that the data are on, if there are several, as below an array
	Members []Member `json:"members,omitempty"`

	networkEvidence

	Service *ServiceEvidence `json:"service,omitempty"` // of a service of the user's that was watched

	Others *OthersEvidence `json:"others,omitempty"` // absent in sessions that do not tell

	watched  bool   // the activity of its backends is known
	serves   bool   // clients send requests to a server
	fullLoad bool   // the workload is disk itself
	held     string // to what its throttling holds the disk; "" if none was found
	netHeld  string // the same of the network
}

// The thresholds of the rules for bottlenecks (docs/derivations.md#bottlenecks, docs/database.md).
const (
	fullCPUs   = 90. // % of CPUs: the scheduler cannot hand out the rest
	halfOfTime = .5  // of the backends' time, with or without the time they wait for clients
	FullDisk   = .8  // of the device's measured throughput
	fullQuota  = .05 // CPUs that the quota kept from running: less is a burst now and then
)

// working returns the share of the backends' time in which they did not wait for the client.
func (e Evidence) working() float64 { return 1 - e.Waits[record.WaitClient] }

// of returns the share of some classes in that time.
func (e Evidence) of(classes ...string) float64 {
	if e.working() <= 0 {
		return 0
	}
	sum := 0.0
	for _, c := range classes {
		sum += e.Waits[c]
	}
	return sum / e.working()
}

// DeviceFull reports whether the disk runs close to its measured throughput.
func (e Evidence) DeviceFull() bool { return e.Use != nil && *e.Use >= FullDisk }

func (e Evidence) serverFull() bool { return e.CPU != nil && *e.CPU >= fullCPUs || e.quotaFull() }

// quotaFull reports whether the control group had no CPU time left, however few of the CPUs that is.
func (e Evidence) quotaFull() bool { return e.Throttled >= fullQuota }

// full states the use of the CPUs, which serverFull reports.
func (e Evidence) full() string {
	if e.quotaFull() {
		return fmt.Sprintf("the CPU quota of its control group was used up: it kept %s CPUs from running on average",
			figure.Exact(figure.RoundTo(e.Throttled, 2)))
	}
	return "the " + e.whoseCPUs() + " are " + Pct(*e.CPU/100) + " in use"
}

func (e Evidence) generatorFull() bool {
	return e.Generator != nil && *e.Generator >= fullCPUs && !e.Together
}

// crowded reports whether other programs took CPUs that server and generator lacked.
func (e Evidence) crowded() bool {
	return e.Machine != nil && e.CPU != nil && *e.Machine >= fullCPUs && !e.serverFull() && !e.generatorFull()
}

// rule is a condition on the evidence under which a resource is the bottleneck, and its wording.
type rule struct {
	resource string
	holds    func(Evidence) bool
	says     func(Evidence) string
}

// waitRules returns the rules for monitored databases. A backend that is runnable but gets no CPU still counts in its
// last wait class, mostly the client's, so saturated CPUs take precedence.
func waitRules() []rule {
	return []rule{
		{CPU, Evidence.serverFull, Evidence.full},
		{Network, Evidence.networkFull, Evidence.network},
		{Client, func(e Evidence) bool { return !e.serverFull() && !e.networkFull() && e.idle() }, Evidence.client},
		{Locks, func(e Evidence) bool { return e.of(record.WaitLock, record.WaitLWLock) >= halfOfTime && !e.idle() },
			Evidence.locks},
		{Disk, func(e Evidence) bool {
			return !e.idle() && (e.of(record.WaitIO) >= halfOfTime || e.of(record.WaitIO, record.WaitWAL) >= halfOfTime &&
				e.DeviceFull())
		}, Evidence.disk},
		{WAL, func(e Evidence) bool { return !e.idle() && !e.DeviceFull() && e.of(record.WaitWAL) >= halfOfTime },
			Evidence.wal},
		{Standby, func(e Evidence) bool { return !e.idle() && e.of(record.WaitStandby) >= halfOfTime }, Evidence.standby},
	}
}

// idle reports whether the server mostly waits for its clients, in which case its other waits limit nothing.
func (e Evidence) idle() bool { return e.Waits[record.WaitClient] >= halfOfTime }

func (e Evidence) whoseCPUs() string {
	switch {
	case e.Together && e.Behind != "":
		return "CPUs, which server, " + e.Behind + " and generator share,"
	case e.Together:
		return "CPUs, which server and generator share,"
	case !e.watched && !e.serves:
		return "work's CPUs"
	}
	return "server's CPUs"
}

func (e Evidence) client() string {
	text := fmt.Sprintf("backends wait for their clients %s of the time", Pct(e.Waits[record.WaitClient]))
	switch {
	case e.crowded() || e.CPU == nil && !e.Open && !e.generatorFull():
		return text
	case e.generatorFull():
		return text + ", and the generator's CPUs are " + Pct(*e.Generator/100) +
			" in use: this machine cannot generate more load"
	case e.Open:
		return text + ": the offered rate is handled, and no more was offered"
	}
	return text + ", and no CPU is full: clients are too few, think, or are far away"
}

func (e Evidence) locks() string {
	return fmt.Sprintf("outside client waits, backends wait %s of the time for locks on rows, transactions and tables "+
		"and %s for lightweight locks",
		Pct(e.of(record.WaitLock)), Pct(e.of(record.WaitLWLock)))
}

func (e Evidence) disk() string {
	return fmt.Sprintf("outside client waits, backends wait %s of the time for data files and %s for the log%s",
		Pct(e.of(record.WaitIO)), Pct(e.of(record.WaitWAL)), e.device())
}

func (e Evidence) wal() string {
	return fmt.Sprintf("outside client waits, backends wait %s of the time for log writes and flushes%s",
		Pct(e.of(record.WaitWAL)), e.device())
}

func (e Evidence) standby() string {
	return fmt.Sprintf("outside client waits, backends wait %s of the time for the synchronous standby to confirm a "+
		"commit, and %s for the server's own log",
		Pct(e.of(record.WaitStandby)), Pct(e.of(record.WaitWAL)))
}

// device returns the known use of the device, as the end of a sentence.
func (e Evidence) device() string {
	switch {
	case e.Use != nil:
		return fmt.Sprintf("; %s is at %s of the %s measured on it", e.Device, Pct(*e.Use), e.UseOf)
	case e.Busy != nil:
		return fmt.Sprintf("; %s is in use %s of the time, and its capacity was not measured", e.Device, Pct(*e.Busy/100))
	}
	return ""
}

// Pct returns a fraction as a whole percentage.
func Pct(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }

// matching returns the rules that match the evidence, and their reasons.
func (e Evidence) matching(rules []rule) (held []rule, reasons []string) {
	for _, r := range rules {
		if r.holds(e) {
			held = append(held, r)
			reasons = append(reasons, r.says(e))
		}
	}
	return held, reasons
}

// judge applies the rules to one set of figures.
func (e Evidence) judge() (resource string, reasons []string) {
	if !e.watched {
		return e.judgeUsed()
	}
	held, reasons := e.matching(waitRules())
	switch {
	case len(held) == 1 && held[0].resource == CPU && e.generatorFull():
		return Unknown,
			append(reasons, "the generator's CPUs are "+Pct(*e.Generator/100)+" in use too: which is the limit is unknown")
	case e.crowded() && (len(held) == 0 || held[0].resource == Client):
		return Unknown, append(reasons, e.others())
	case len(held) == 1 && held[0].resource == Client && e.CPU == nil && !e.Open && !e.generatorFull():
		return Unknown, append(reasons, "the server's CPU use is unknown, and a backend that waits for a CPU may appear to "+
			"wait for its client")
	case len(held) == 1 && e.crowded():
		return held[0].resource, append(reasons, e.others())
	case len(held) == 1:
		return held[0].resource, reasons
	case len(held) > 1:
		return Unknown, append(reasons, "this points to "+strings.Join(bottleneckNames(held), " and to "))
	}
	return Unknown, []string{e.nothing()}
}

// others states that all CPUs were saturated, though not by server and generator.
func (e Evidence) others() string {
	text := fmt.Sprintf("all CPUs are %s in use, but the %s only %s", Pct(*e.Machine/100), e.whoseCPUs(), Pct(*e.CPU/100))
	if e.Others == nil || e.Others.text() == "" {
		return text + ": other programs take the rest"
	}
	return text + "; other programs take the rest: " + e.Others.text()
}

func bottleneckNames(rules []rule) []string {
	var out []string
	for _, r := range rules {
		out = append(out, r.resource)
	}
	return out
}

// nothing states why no rule matches.
func (e Evidence) nothing() string {
	cpu := "the server's CPU use is unknown"
	if e.CPU != nil {
		cpu = fmt.Sprintf("the %s are %s in use", e.whoseCPUs(), Pct(*e.CPU/100))
	}
	return fmt.Sprintf("%s, and nothing else has half of the backends' time: %s", cpu, e.shares())
}

// shares lists the classes of the backends' time, largest first.
func (e Evidence) shares() string {
	classes := slices.Clone(record.WaitClasses())
	slices.SortStableFunc(classes, func(a, b string) int {
		switch x, y := e.Waits[a], e.Waits[b]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	var out []string
	for _, c := range classes {
		if e.Waits[c] >= .005 {
			out = append(out, c+" "+Pct(e.Waits[c]))
		}
	}
	return strings.Join(out, ", ")
}

// bottleneckOf judges a cell's trials, each by itself and all together.
func bottleneckOf(trials []record.Trial, disks map[DeviceKey]DiskMost, networks map[DeviceKey]networkMost,
	typeOf func(machine string) catalog.Type, held string) *Bottleneck {
	all, found := make([]Evidence, 0, len(trials)), make([]string, 0, len(trials))
	for _, t := range trials {
		e := EvidenceOf(t, disks)
		e.networkOf(t, typeOf, networks)
		if trialset.WorkloadOf(t) == networkWorkload {
			e.netHeld = held
		} else {
			e.held = held
		}
		resource, _ := e.judge()
		all, found = append(all, e), append(found, resource)
	}
	mean := meanEvidence(all)
	if mean.Device != "" {
		mean.Members = membersOf(trials)
	}
	out := &Bottleneck{N: len(trials), Evidence: mean, Statement: statementOf(trials), Database: databaseOf(trials)}
	out.Details = detailsOf(out.Statement, out.Database)
	if text := membersText(out.Evidence.Members); text != "" {
		out.Details = append(out.Details, text)
	}
	out.What, out.Reasons = mean.judge()
	if out.What != Unknown && slices.ContainsFunc(found,
		func(w string) bool { return w != out.What && w != Unknown && w != Nothing }) {
		out.What = Unknown
		slices.Sort(found)
		out.Reasons = append(out.Reasons, "runs have different bottlenecks: "+strings.Join(slices.Compact(found), ", "))
	}
	return out
}
