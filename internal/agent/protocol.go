// Package agent runs one trial in a child process, on this host or behind any
// command that carries standard input and output.
//
// The client starts the agent and writes one Request; the agent answers with
// Messages, one JSON object a line, the last of them "done". The request's
// stream then stays open: its end tells the agent to stop what it started and
// leave, so that a parent that dies, or a connection that breaks, leaves
// nothing behind.
package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/secret"
)

// Protocol is the version of the conversation between client and agent.
const Protocol = 2

// MarkVar is the environment variable by which everything that a trial started
// is found again; its value is the order's ID.
const MarkVar = "PLIMSOLL_TRIAL"

// The liveness rule: an agent says something every beat, and one that is
// silent for longer than silence is taken for hung.
const (
	beat    = time.Second
	silence = 20 * time.Second
)

// An agent told to stop leaves within grace, and then has 4 s at most to kill
// what it started; its client's patience is longer than both.
const (
	grace    = 5 * time.Second
	patience = 10 * time.Second

	strangerGrace = time.Second // of what never said that it is an agent
)

// overrun is how long lanes may go on after the measured window.
const overrun = 30 * time.Second

// Request is what a client asks of an agent.
type Request struct {
	Protocol int             `json:"protocol"`
	Do       string          `json:"do"` // one of Do*
	Order    *record.Order   `json:"order,omitempty"`
	Side     *record.Side    `json:"side,omitempty"`    // for "look"
	Profile  bool            `json:"profile,omitempty"` // for "look": whether it could be profiled
	Machine  *record.Machine `json:"machine,omitempty"` // of the host that is asked, as "machine" gave it
	Target   string          `json:"target,omitempty"`  // address of the server that a trial is to load; "": the trial starts its own
	Device   string          `json:"device,omitempty"`  // for "device": its path; Side names the workload
	Plan     string          `json:"plan,omitempty"`    // for "tidy": hash of the plan whose run is over

	Secrets secret.Values `json:"secrets,omitempty"` // what the sides' parameters refer to: nobody writes a request anywhere

	// Told are words for the agent while it works, one of Word*; nil: none.
	Told <-chan string `json:"-"`
}

// The words that an agent can be told while it works.
const (
	WordStart = "start" // to one that loads a target: the others are ready too
	WordBegin = "begin" // to one that serves: the measured window begins
	WordEnd   = "end"   // and ends
	WordLeave = "leave" // nobody loads it any more: what was in flight at the window's end has been answered, or given up
)

// The things an agent can do.
const (
	DoMachine = "machine"
	DoDevice  = "device" // what a device is that the user gives up
	DoLook    = "look"   // whether a side could be measured here
	DoTrial   = "trial"
	DoServe   = "serve" // the target's half of a trial that other hosts load
	DoTidy    = "tidy"  // remove what the trials of a plan have kept for each other
)

// Message is one line of an agent's answer; one field beside Kind is set.
type Message struct {
	Kind     string          `json:"kind"`
	Protocol int             `json:"protocol,omitempty"` // with "hello"
	Version  string          `json:"version,omitempty"`  // with "hello"
	Machine  *record.Machine `json:"machine,omitempty"`
	Device   *record.Device  `json:"device,omitempty"`
	Series   *record.Series  `json:"series,omitempty"`
	Event    *record.Event   `json:"event,omitempty"`
	Trial    *record.Trial   `json:"trial,omitempty"`
	Fault    *Fault          `json:"fault,omitempty"`
	Address  string          `json:"address,omitempty"` // with "serving"
	Phase    string          `json:"phase,omitempty"`   // with "beat": where a trial is
	UsedS    int64           `json:"used_s,omitempty"`  // with "beat": seconds of CPU time that the trial has used, but in its measured window
}

// The kinds of message.
const (
	kindHello   = "hello"
	kindBeat    = "beat"
	kindMachine = "machine"
	kindDevice  = "device"
	kindSeries  = "series"
	kindEvent   = "event"
	kindTrial   = "trial"
	kindFault   = "fault"
	kindDone    = "done"

	KindServing = "serving" // the server can be reached at Address
	KindReady   = "ready"   // all lanes wait for WordStart
	KindBegun   = "begun"   // the measured window has begun
	KindEnded   = "ended"   // and ended
)

// Fault is an error that the agent itself reports: what was asked cannot be
// done there.
type Fault struct {
	Message string `json:"message"`
	Usage   bool   `json:"usage"` // the request cannot be meant; the user must change it
}

func (f *Fault) Error() string { return f.Message }

// UsageError is an error of the kind that a Fault passes on as a user's mistake.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }
func (e UsageError) Unwrap() error { return e.Err }

// speaker writes messages, one line each, from any goroutine.
type speaker struct {
	mu    sync.Mutex
	enc   *json.Encoder
	phase atomic.Value // of the trial: a string
}

// enter says from now on that the trial is in this phase.
func (s *speaker) enter(phase string) { s.phase.Store(phase) }

func newSpeaker(w io.Writer) *speaker { return &speaker{enc: json.NewEncoder(w)} }

func (s *speaker) say(m Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.enc.Encode(m); err != nil {
		return fmt.Errorf("answering the client: %w", err)
	}
	return nil
}

func (s *speaker) fault(err error) error {
	var usage UsageError
	return s.say(Message{Kind: kindFault, Fault: &Fault{Message: err.Error(), Usage: errors.As(err, &usage)}})
}
