package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/agent/joint"
)

// Limits on an answer: far above anything an honest agent sends, yet small enough for a client to hold. Each line is
// also limited to maxLine.
const (
	maxAnswer  = 32 << 20 // bytes, all lines together
	maxObjects = 1 << 16  // of a line
	maxSeries  = 4096
	maxName    = 256      // bytes
	maxDetail  = 16 << 10 // bytes
	maxMachine = 1 << 20  // bytes of a fingerprint's line
	maxClocks  = 64
	maxEvents  = 1 << 16
	maxRemarks = 256
	maxCPUs    = 1 << 16
)

// answer validates an agent's messages one by one. An agent may be faulty or hostile, so each message is checked
// against the request before anything else sees it: accepted messages are bounded, belong to the ordered trials and
// cannot crash the client.
type answer struct {
	req     Request
	bytes   int
	trials  int
	series  int
	events  int
	machine bool
	device  bool
	clocks  int
	speed   bool
	remarks int
	cues    []string // Kind* of messages that only a trial over several hosts has, in the order received
}

// take validates a message and returns it reduced to the fields of its kind. size is the length of its line in bytes.
func (a *answer) take(m Message, size int) (Message, error) {
	if a.bytes += size; a.bytes > maxAnswer {
		return m, fmt.Errorf("the answer exceeds %d MiB", maxAnswer>>20)
	}
	switch m.Kind {
	case kindMachine:
		return Message{Kind: m.Kind, Machine: m.Machine}, a.describes(m.Machine, size)
	case kindDevice:
		return Message{Kind: m.Kind, Device: m.Device}, a.deviceOf(m.Device)
	case kindSpeed:
		return Message{Kind: m.Kind, Speed: m.Speed}, a.speedOf(m.Speed)
	case kindRemark:
		return Message{Kind: m.Kind, Remark: m.Remark}, a.remark(m.Remark)
	case kindSeries:
		return Message{Kind: m.Kind, Series: m.Series}, a.seriesOf(m.Series)
	case kindEvent:
		return Message{Kind: m.Kind, Event: m.Event}, a.eventOf(m.Event)
	case kindTrial:
		return Message{Kind: m.Kind, Trial: m.Trial, Part: m.Part}, errors.Join(a.trialOf(m.Trial), a.partOf(m.Part))
	case KindClock:
		return Message{Kind: m.Kind, MonoNs: m.MonoNs}, a.clock()
	case KindPlaced:
		if len(m.Place) > maxDetail {
			return m, fmt.Errorf("the place exceeds %d KiB", maxDetail>>10)
		}
		return Message{Kind: m.Kind, Place: m.Place, Door: m.Door}, a.cue(m.Kind)
	case KindServing:
		return Message{Kind: m.Kind, Address: m.Address, Door: m.Door},
			errors.Join(a.cue(m.Kind), named("address", m.Address))
	case KindReady, KindBegun, KindEnded, KindSettled:
		return Message{Kind: m.Kind}, a.cue(m.Kind)
	}
	return m, fmt.Errorf("unknown message kind %.40q", m.Kind)
}

// unasked returns the error for a message that does not answer the request.
func (a *answer) unasked(kind string) error {
	return fmt.Errorf("message %q does not answer request %q", kind, a.req.Do)
}

// judgesUsage reports whether the request holds what the user wants, a side or an order. Of anything else a host cannot
// say that the user is wrong, which would be exit code 2.
func (a *answer) judgesUsage() bool { return a.req.Side != nil || a.req.Order != nil }

// measures reports whether the request orders trials.
func (a *answer) measures() bool {
	return a.req.Order != nil && (a.req.Do == DoTrial || a.req.Do == DoServe || a.req.Do == DoResend)
}

// whole reports whether all runs that were ordered are here.
func (a *answer) whole() bool { return a.measures() && a.trials == a.req.Order.Trials() }

// done returns an error if the answer is incomplete, although its agent considers it finished.
func (a *answer) done() error {
	switch {
	case a.req.Do == DoMachine && !a.machine:
		return errors.New("no machine description received")
	case a.req.Do == DoDevice && !a.device:
		return errors.New("no device description received")
	case a.req.Do == DoSpeed && !a.speed:
		return errors.New("no speed received")
	case a.req.Do == DoResend && a.trials == 0:
		return nil
	case a.measures() && a.trials > 0 && len(a.req.Order.Turns) > 0:
		return nil // the rest of a batch is ordered again
	case a.measures() && a.trials != a.req.Order.Trials():
		return fmt.Errorf("the agent returned %d runs instead of %d", a.trials, a.req.Order.Trials())
	}
	return nil
}

func (a *answer) describes(m *record.Machine, size int) error {
	switch {
	case a.req.Do != DoMachine || a.machine || m == nil:
		return a.unasked(kindMachine)
	case size > maxMachine:
		return fmt.Errorf("the machine description exceeds %d MiB", maxMachine>>20)
	case len(m.CPU.Allowed) == 0 || len(m.CPU.Allowed) > maxCPUs || slices.Min(m.CPU.Allowed) < 0 ||
		slices.Max(m.CPU.Allowed) >= maxCPUs:
		return fmt.Errorf("the machine description lists %d usable CPUs, or invalid ones", len(m.CPU.Allowed))
	}
	a.machine = true
	return named("machine", m.Name)
}

// speedOf accepts a speed with a file system for each path. Faulty numbers make a faulty forecast and nothing else.
func (a *answer) speedOf(s *forecast.Speed) error {
	if a.req.Do != DoSpeed || a.speed || s == nil {
		return a.unasked(kindSpeed)
	}
	if len(s.Disks) != len(a.req.Paths) {
		return fmt.Errorf("the agent measured %d file systems instead of %d", len(s.Disks), len(a.req.Paths))
	}
	a.speed = true
	return nil
}

func (a *answer) deviceOf(d *record.Device) error {
	if a.req.Do != DoDevice || a.device || d == nil {
		return a.unasked(kindDevice)
	}
	a.device = true
	if d.Bytes < 0 || len(d.Holds) > maxName ||
		slices.ContainsFunc(d.Holds, func(s string) bool { return len(s) > maxName }) || len(d.Model) > maxName ||
		len(d.By) > maxName {
		return errors.New("invalid device description")
	}
	return named("device", d.ID)
}

func (a *answer) seriesOf(s *record.Series) error {
	if a.series++; !a.measures() || s == nil || a.series > maxSeries {
		return a.unasked(kindSeries)
	}
	if !slices.Contains([]string{record.EncWindows, record.EncHistogram, record.EncSpread, record.EncProfile}, s.Enc) ||
		s.StepNs < 0 || len(s.Unit) > maxName {
		return fmt.Errorf("invalid series %.40q: encoding %.40q, steps of %d ns", s.Name, s.Enc, s.StepNs)
	}
	return errors.Join(named("series", s.Name), a.owns("series", s.Name, s.Trial))
}

func (a *answer) eventOf(e *record.Event) error {
	if a.events++; !a.measures() || e == nil || a.events > maxEvents || len(e.Detail) > maxDetail ||
		e.OfHost != (record.OfHost{}) || e.Name == record.HostLost {
		return a.unasked(kindEvent)
	}
	return errors.Join(named("event", e.Name), a.owns("event", e.Name, e.Trial))
}

// owns returns an error if trial is not one of those ordered.
func (a *answer) owns(what, name, trial string) error {
	for i := range a.req.Order.Trials() {
		if trial == a.req.Order.SlotOf(i).ID() {
			return nil
		}
	}
	return fmt.Errorf("the %s %.40q belongs to run %.80q, which was not ordered", what, name, trial)
}

// trialOf rejects a trial that is not the next one ordered; accepting it would repeat the order for ever.
func (a *answer) trialOf(t *record.Trial) error {
	if !a.measures() || t == nil {
		return a.unasked(kindTrial)
	}
	i := a.trials
	if a.trials++; i >= a.req.Order.Trials() {
		return fmt.Errorf("the agent returned more than %d runs", a.req.Order.Trials())
	}
	var machine record.Machine
	if a.req.Machine != nil {
		machine = *a.req.Machine
	}
	want := Blank(*a.req.Order, i, machine)
	if t.ID != want.ID || t.Slot != want.Slot || t.Load != want.Load || t.Over {
		return fmt.Errorf("the agent returned run %.80q (cell %d, replicate %d) instead of %s", t.ID, t.Cell, t.Replicate,
			want.ID)
	}
	for key, value := range want.Keys {
		if identifies(key) && t.Keys[key] != value {
			return fmt.Errorf("the run's %s is %.80q, not %s", key, t.Keys[key], value)
		}
	}
	if t.DurationS < 0 || t.WarmupS < 0 || t.Batch != nil && (t.Batch.Runs < 1 || t.Batch.WindowS < 0) ||
		t.Generator != nil && !sound(*t.Generator) {
		return errors.New("the run has negative times or counts")
	}
	return session.CheckTrial(*t)
}

// identifies reports whether a key identifies the trial, so that only the order may set it.
func identifies(key string) bool {
	return key == record.KeyMachine || key == record.KeyMachineID || key == record.KeyWorkload || key == record.KeyLoad ||
		strings.HasPrefix(key, record.FactorPrefix)
}

func sound(u record.LoadUse) bool {
	for _, n := range u.ErrorsBy {
		if n < 0 {
			return false
		}
	}
	return u.Done >= 0 && u.Errors >= 0 && u.Offered >= 0
}

// named rejects a name that is empty, too long, or could control a terminal.
func named(what, name string) error {
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("%.80q is not a valid %s name", name, what)
	}
	return nil
}

// inConcert reports whether other hosts take part in the trial.
func (a *answer) inConcert() bool {
	return a.req.Do == DoServe || a.req.Do == DoTrial && len(a.req.Servers) > 0
}

// partOf rejects a part of a load that was not to be shared, or that could not be merged.
func (a *answer) partOf(p *joint.Part) error {
	if p == nil {
		return nil
	}
	if len(a.req.Servers) == 0 || a.req.Do != DoTrial {
		return a.unasked("part")
	}
	for name, w := range p.Weights {
		if err := named("value", name); err != nil || w < 0 {
			return fmt.Errorf("the part's value %.80q has a weight of %v", name, w)
		}
	}
	return nil
}

// remark accepts a sentence of a host about its settings.
func (a *answer) remark(text string) error {
	if a.remarks++; a.req.Do != DoTune && a.req.Do != DoMachine || a.remarks > maxRemarks {
		return a.unasked(kindRemark)
	}
	if len(text) > maxDetail {
		return fmt.Errorf("a remark exceeds %d KiB", maxDetail>>10)
	}
	return nil
}

// clock accepts a reading of the clock of a host that takes part in a concert.
func (a *answer) clock() error {
	if a.clocks++; !a.inConcert() || a.clocks > maxClocks {
		return a.unasked(KindClock)
	}
	return nil
}

// cue accepts the synchronisation messages of a trial over several hosts: each once, in order.
func (a *answer) cue(kind string) error {
	var course []string
	switch {
	case a.req.Do == DoServe && a.req.Order.Member > 0:
		course = []string{KindPlaced, KindServing, KindSettled}
	case a.req.Do == DoServe:
		course = []string{KindServing, KindSettled}
	case a.req.Do == DoTrial && len(a.req.Servers) > 0:
		course = []string{KindReady, KindBegun, KindEnded}
	}
	if n := len(a.cues); n >= len(course) || course[n] != kind {
		return a.unasked(kind)
	}
	a.cues = append(a.cues, kind)
	return nil
}
