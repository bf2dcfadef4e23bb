package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/engine"
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent/joint"
	"plimsoll/internal/workload"
)

// Protocol is the version of the protocol between client and agent.
const Protocol = 8

// MarkVar is the environment variable that marks every process of a trial.
const MarkVar = workload.MarkVar

// Liveness: an agent sends a message every beat; one that is silent for longer than silence counts as hung.
const (
	beat    = time.Second
	silence = 20 * time.Second
	// deafness is how long an agent on another host works without hearing its client's beats.
	deafness = 30 * time.Second
)

// A stopped agent exits within grace, plus at most 4 s for killing what it started; the client's patience is longer
// than both together.
const (
	grace    = 5 * time.Second
	patience = 10 * time.Second

	strangerGrace = time.Second // for a process that never identified itself as an agent
)

// overrun is how long lanes may continue after the measured window.
const overrun = 30 * time.Second

// Request is a client's request to an agent.
type Request struct {
	Protocol int             `json:"protocol"`
	Do       string          `json:"do"` // one of Do*
	Order    *record.Order   `json:"order,omitempty"`
	Side     *record.Side    `json:"side,omitempty"`    // for "look"
	Hosts    int             `json:"hosts,omitempty"`   // for "look": of the target, if it is a cluster of several
	Profile  bool            `json:"profile,omitempty"` // for "look": check whether it can be profiled
	Energy   string          `json:"energy,omitempty"`  // for "look": check this command, and no side
	Machine  *record.Machine `json:"machine,omitempty"` // the agent's host, as returned by "machine"
	Servers  []Serving       `json:"servers,omitempty"` // to load; none: the trial starts its own
	Key      string          `json:"key,omitempty"`     // by which a trial's hosts prove their addresses to each other
	Device   string          `json:"device,omitempty"`  // for "device": its path; Side names the workload
	Paths    []string        `json:"paths,omitempty"`   // for "speed": of data
	Plan     string          `json:"plan,omitempty"`    // for "tidy": hash of the finished run's plan
	Sides    []record.Side   `json:"sides,omitempty"`   // for "tidy": all that ran on the host
	// through a command: the client beats, and what is finished is kept
	Carried bool `json:"carried,omitempty"`

	// the user permits that settings of the machine are changed
	Tune bool     `json:"tune,omitempty"`
	Owed []string `json:"owed,omitempty"` // for "guard": the files of what is owed

	Secrets secret.Values `json:"secrets,omitempty"` // requests are never written to disk

	// Commands are sent to the agent while it works, each one of Word*; nil: none.
	Commands <-chan string `json:"-"`
}

// The commands to an agent at work.
const (
	WordJoin  = "join"  // to one of a cluster's servers: the places of all as JSON after it
	WordStart = "start" // to one that loads a target: the others are ready too
	WordBegin = "begin" // to one that serves: the measured window begins
	WordEnd   = "end"   // the measured window ends
	// To one that loads a target: whatever happened to its servers in the window is over.
	WordSettled = "settled"
	// The load is gone: requests in flight at the end of the window have been answered or abandoned. The target's has a
	// Loaded as JSON after it, unless the load failed.
	WordLeave = "leave"
	WordClock = "clock" // answered with KindClock at once; never sent in a window

	wordBeat = "beat" // the client is there
	wordBye  = "bye"  // it has all that it wants: leave; the answer is the same word
)

// The kinds of request.
const (
	DoMachine   = "machine"
	DoDevice    = "device" // describe a device that the user gives up
	DoSpeed     = "speed"  // measure the host's speed, for a forecast
	DoPreflight = "look"   // preflight: can a side be measured here
	DoTrial     = "trial"
	DoResend    = "resend" // send a trial once more if it was finished, else nothing
	DoServe     = "serve"  // the target's half of a trial that other hosts load
	DoTidy      = "tidy"   // remove the directory shared by a plan's trials
	DoTune      = "tune"   // can a side have the settings of the machine that it names
	DoGuard     = "guard"  // put back what an agent owes to its machine, once that is gone
)

// Message is one line of an agent's answer; exactly one field besides Kind is set, except as noted.
type Message struct {
	Kind     string          `json:"kind"`
	Protocol int             `json:"protocol,omitempty"` // with "hello"
	Version  string          `json:"version,omitempty"`  // with "hello"
	Machine  *record.Machine `json:"machine,omitempty"`
	Device   *record.Device  `json:"device,omitempty"`
	Speed    *forecast.Speed `json:"speed,omitempty"`
	Series   *record.Series  `json:"series,omitempty"`
	Event    *record.Event   `json:"event,omitempty"`
	Trial    *record.Trial   `json:"trial,omitempty"`
	Part     *joint.Part     `json:"part,omitempty"` // with "trial" of one that loads a target
	Fault    *Fault          `json:"fault,omitempty"`
	Address  string          `json:"address,omitempty"` // with "serving"
	Place    string          `json:"place,omitempty"`   // with "placed"
	Door     uint16          `json:"door,omitempty"`    // with both: where the address is proven; 0: it is the user's
	MonoNs   int64           `json:"mono_ns,omitempty"` // with "clock": CLOCK_MONOTONIC
	Phase    string          `json:"phase,omitempty"`   // with "beat": the phase of the trial
	Remark   string          `json:"remark,omitempty"`  // a sentence for the user
	// with "beat": CPU seconds of the trial, outside its measured window
	UsedS int64 `json:"used_s,omitempty"`
}

// The kinds of message.
const (
	kindHello   = "hello"
	kindBeat    = "beat"
	kindMachine = "machine"
	kindDevice  = "device"
	kindSpeed   = "speed"
	kindSeries  = "series"
	kindEvent   = "event"
	kindTrial   = "trial"
	kindFault   = "fault"
	kindDone    = "done"
	kindRemark  = "remark"
	kindBye     = "bye" // the last word to a client that said it

	KindPlaced  = "placed"  // a cluster's server will be at Place
	KindServing = "serving" // the server is reachable at Address
	KindReady   = "ready"   // all lanes wait for WordStart
	KindBegun   = "begun"   // the measured window has begun
	KindEnded   = "ended"   // the measured window has ended
	KindSettled = "settled" // whatever happened to the server in the window is over
	KindClock   = "clock"   // a reading of the clock
)

// Fault is an error that the agent itself reports: it cannot do what the request says.
type Fault struct {
	Message string `json:"message"`
	Usage   bool   `json:"usage"`              // the request is invalid; the user must change it
	Missing string `json:"missing,omitempty"`  // engine that the host lacks
	NoSpace bool   `json:"no_space,omitempty"` // the data do not fit on the host's disk
}

func (f *Fault) Error() string { return f.Message }

// Unwrap makes the fault of an invalid request wrong usage here too.
func (f *Fault) Unwrap() error {
	if !f.Usage {
		return nil
	}
	return usage.Errorf("%s", f.Message)
}

// sender writes messages, one line each. It is safe for concurrent use.
type sender struct {
	mu    sync.Mutex
	enc   *json.Encoder
	phase atomic.Value // of the trial: a string
}

// enter sets the phase that beats report.
func (s *sender) enter(phase string) { s.phase.Store(phase) }

func newSender(w io.Writer) *sender { return &sender{enc: json.NewEncoder(w)} }

func (s *sender) send(m Message) error { return s.encode(m) }

func (s *sender) encode(m any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.enc.Encode(m); err != nil {
		return fmt.Errorf("answering the client: %w", err)
	}
	return nil
}

func (s *sender) sendAll(all []Message) error {
	for _, m := range all {
		if err := s.send(m); err != nil {
			return err
		}
	}
	return nil
}

// write sends a message that was encoded before.
func (s *sender) write(line []byte) error { return s.encode(json.RawMessage(line)) }

func (s *sender) fault(err error) error {
	f := &Fault{Message: err.Error(), Usage: usage.Is(err), NoSpace: errors.Is(err, workload.ErrNoSpace)}
	if missing := (*engine.Missing)(nil); errors.As(err, &missing) {
		f.Missing = missing.Engine
	}
	return s.send(Message{Kind: kindFault, Fault: f})
}
