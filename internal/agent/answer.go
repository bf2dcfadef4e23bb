package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"plimsoll/internal/record"
	"plimsoll/internal/session"
)

// The bounds of an answer: far more than any honest one has, and what a client can hold. A line of it is at most maxLine.
const (
	maxAnswer  = 32 << 20 // bytes of all its lines together
	maxSeries  = 4096
	maxEvents  = 1 << 16
	maxName    = 256      // bytes of the name of a thing
	maxDetail  = 16 << 10 // bytes of what is said beside a name
	maxMachine = 1 << 20  // bytes of a fingerprint's line
	maxCPUs    = 1 << 16
)

// answer is what an agent has said to a request, message by message. Whatever it says may be false or foreign, so that each message is held
// to what was asked before anybody sees it: what has passed can crash nobody, has an end, and is of the trial that it says.
type answer struct {
	req     Request
	bytes   int
	trials  int
	series  int
	events  int
	machine bool
	device  bool
	cues    []string // Kind* that only one of several hosts says, in their order
}

// take returns the message with nothing in it but what its kind has.
func (a *answer) take(m Message, size int) (Message, error) {
	if a.bytes += size; a.bytes > maxAnswer {
		return m, fmt.Errorf("it said more than %d MiB, which is no answer to one request", maxAnswer>>20)
	}
	switch m.Kind {
	case kindMachine:
		return Message{Kind: m.Kind, Machine: m.Machine}, a.describes(m.Machine, size)
	case kindDevice:
		return Message{Kind: m.Kind, Device: m.Device}, a.deviceOf(m.Device)
	case kindSeries:
		return Message{Kind: m.Kind, Series: m.Series}, a.seriesOf(m.Series)
	case kindEvent:
		return Message{Kind: m.Kind, Event: m.Event}, a.eventOf(m.Event)
	case kindTrial:
		return Message{Kind: m.Kind, Trial: m.Trial}, a.trialOf(m.Trial)
	case KindServing:
		return Message{Kind: m.Kind, Address: m.Address}, errors.Join(a.cue(m.Kind), named("address", m.Address))
	case KindReady, KindBegun, KindEnded:
		return Message{Kind: m.Kind}, a.cue(m.Kind)
	}
	return m, fmt.Errorf("it said a message of the kind %.40q, which there is not", m.Kind)
}

// unasked is the error for a message that does not answer the request.
func (a *answer) unasked(kind string) error {
	return fmt.Errorf("it said %q, which does not answer %q", kind, a.req.Do)
}

// measures says whether trials are asked for.
func (a *answer) measures() bool {
	return a.req.Order != nil && (a.req.Do == DoTrial || a.req.Do == DoServe)
}

// done says what is missing of an answer that its agent takes for complete.
func (a *answer) done() error {
	switch {
	case a.req.Do == DoMachine && !a.machine:
		return errors.New("it left without saying what machine it is on")
	case a.req.Do == DoDevice && !a.device:
		return errors.New("it left without saying what device it is")
	case a.measures() && a.trials != len(a.req.Order.Sides):
		return fmt.Errorf("the agent gave %d trials, not %d", a.trials, len(a.req.Order.Sides))
	}
	return nil
}

func (a *answer) describes(m *record.Machine, size int) error {
	switch {
	case a.req.Do != DoMachine || a.machine || m == nil:
		return a.unasked(kindMachine)
	case size > maxMachine:
		return fmt.Errorf("it describes its machine in more than %d MiB", maxMachine>>20)
	case len(m.CPU.Allowed) == 0 || len(m.CPU.Allowed) > maxCPUs || slices.Min(m.CPU.Allowed) < 0 || slices.Max(m.CPU.Allowed) >= maxCPUs:
		return fmt.Errorf("it says that it may use %d CPUs, or such as there are not", len(m.CPU.Allowed))
	}
	a.machine = true
	return named("machine", m.Name)
}

func (a *answer) deviceOf(d *record.Device) error {
	if a.req.Do != DoDevice || a.device || d == nil {
		return a.unasked(kindDevice)
	}
	a.device = true
	if d.Bytes < 0 || len(d.Holds) > maxName || slices.ContainsFunc(d.Holds, func(s string) bool { return len(s) > maxName }) || len(d.Model) > maxName || len(d.By) > maxName {
		return errors.New("it describes a device such as there is not")
	}
	return named("device", d.ID)
}

func (a *answer) seriesOf(s *record.Series) error {
	if a.series++; !a.measures() || s == nil || a.series > maxSeries {
		return a.unasked(kindSeries)
	}
	if !slices.Contains([]string{record.EncWindows, record.EncHistogram, record.EncSpread, record.EncProfile}, s.Enc) || s.StepNs < 0 || len(s.Unit) > maxName {
		return fmt.Errorf("the series %.40q is encoded as %.40q in steps of %d ns, which cannot be", s.Name, s.Enc, s.StepNs)
	}
	return errors.Join(named("series", s.Name), a.owns("series", s.Name, s.Trial))
}

func (a *answer) eventOf(e *record.Event) error {
	if a.events++; !a.measures() || e == nil || a.events > maxEvents || len(e.Detail) > maxDetail {
		return a.unasked(kindEvent)
	}
	return errors.Join(named("event", e.Name), a.owns("event", e.Name, e.Trial))
}

// owns refuses what is said of a trial that was not asked for.
func (a *answer) owns(what, name, trial string) error {
	for i := range a.req.Order.Sides {
		if trial == a.req.Order.TrialID(i) {
			return nil
		}
	}
	return fmt.Errorf("the %s %.40q is of trial %.80q, which was not asked for", what, name, trial)
}

// trialOf refuses a trial that is not the next one that was asked for. Were it taken as it is, the order would be given for ever.
func (a *answer) trialOf(t *record.Trial) error {
	if !a.measures() || t == nil {
		return a.unasked(kindTrial)
	}
	i := a.trials
	if a.trials++; i >= len(a.req.Order.Sides) {
		return fmt.Errorf("the agent gave more than %d trials", len(a.req.Order.Sides))
	}
	var machine record.Machine
	if a.req.Machine != nil {
		machine = *a.req.Machine
	}
	want := Blank(*a.req.Order, i, machine)
	if !asOrdered(*t, want) {
		return fmt.Errorf("the agent gave trial %.80q (cell %d, replicate %d), not %s", t.ID, t.Cell, t.Replicate, want.ID)
	}
	for key, value := range want.Keys {
		if identifies(key) && t.Keys[key] != value {
			return fmt.Errorf("the trial's %s is %.80q, not %s", key, t.Keys[key], value)
		}
	}
	if t.DurationS < 0 || t.WarmupS < 0 || t.Generator != nil && !sound(*t.Generator) {
		return errors.New("the trial has negative times or counts")
	}
	return session.CheckTrial(*t)
}

// asOrdered says whether a trial stands in its plan where it should.
func asOrdered(t, want record.Trial) bool {
	return t.ID == want.ID && t.Plan == want.Plan && t.Cell == want.Cell && t.Group == want.Group && t.Replicate == want.Replicate &&
		t.Position == want.Position && t.Attempt == want.Attempt && t.Probe == want.Probe && t.Load == want.Load &&
		t.Pilot == want.Pilot && t.Extra == want.Extra && t.Profiled == want.Profiled && t.Capped == want.Capped && !t.Over
}

// identifies says whether a key tells whose trial it is, which only the order says.
func identifies(key string) bool {
	return key == record.KeyMachine || key == record.KeyMachineID || key == record.KeyWorkload || key == record.KeyLoad || strings.HasPrefix(key, record.FactorPrefix)
}

func sound(u record.LoadUse) bool {
	for _, n := range u.ErrorsBy {
		if n < 0 {
			return false
		}
	}
	return u.Done >= 0 && u.Errors >= 0 && u.Offered >= 0
}

// named refuses a name that is none: empty, endless, or one that would control a terminal.
func named(what, name string) error {
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("%.80q is no name of a %s", name, what)
	}
	return nil
}

// cue takes note of what only an agent says that takes part in a trial of several hosts: each once, in its order.
func (a *answer) cue(kind string) error {
	var course []string
	switch {
	case a.req.Do == DoServe:
		course = []string{KindServing}
	case a.req.Do == DoTrial && a.req.Target != "":
		course = []string{KindReady, KindBegun, KindEnded}
	}
	if n := len(a.cues); n >= len(course) || course[n] != kind {
		return a.unasked(kind)
	}
	a.cues = append(a.cues, kind)
	return nil
}
