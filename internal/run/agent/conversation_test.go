package agent

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/record"
)

// answering returns a command that prints these lines instead of an agent's.
func answering(t *testing.T, words string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "words")
	if err := os.WriteFile(path, []byte(words), 0o600); err != nil {
		t.Fatal(err)
	}
	return "cat " + path + ";:"
}

const hello = `{"kind":"hello","protocol":8,"version":"test"}` + "\n"

func TestAnswersThatAreNone(t *testing.T) {
	for name, c := range map[string]struct{ words, want string }{
		"nothing":           {"", "it exited before it was done"},
		"another program's": {"Welcome to example\n" + hello, `not an agent: it printed "Welcome to example"`},
		"an older version": {`{"kind":"hello","protocol":0,"version":"0.1"}` + "\n",
			"plimsoll 0.1 there uses protocol 0, this one uses 8\nhint: install the same version there, or --deploy this one"},
		"no hello":            {`{"kind":"done"}` + "\n", "not an agent"},
		"other JSON":          {`{"a":1}` + "\n", "not an agent"},
		"one line, very long": {strings.Repeat("x", maxLine+1), "exceeds 8 MiB"},
		"silence":             {"", "no output for 100ms"},
	} {
		t.Run(name, func(t *testing.T) {
			client := Client{On: answering(t, c.words), Grace: 100 * time.Millisecond}
			if name == "silence" {
				client = Client{On: "exec sleep 1000;:", Silence: 100 * time.Millisecond, Grace: 100 * time.Millisecond}
			}
			_, err := client.Describe(t.Context())
			var gone Unreachable
			if !errors.As(err, &gone) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want an unreachable agent with %q", err, c.want)
			}
			if n := strings.Count(err.Error(), "\nhint:"); n != 1 {
				t.Errorf("%d hints in %q", n, err)
			}
		})
	}
}

func TestAnswersThatBreakOff(t *testing.T) {
	for name, c := range map[string]struct{ words, want string }{
		"after hello":    {"", "the agent died: it exited before it was done"},
		"in mid-line":    {`{"kind":"tri`, `not an agent: it printed "{\"kind\":\"tri"`},
		"foreign":        {"Segmentation fault\n", `not an agent: it printed "Segmentation fault"`},
		"empty fault":    {`{"kind":"fault"}` + "\n", "not an agent"},
		"very long":      {strings.Repeat("x", maxLine+1), "exceeds 8 MiB"},
		"of the wrong":   {`{"kind":"trial","trial":[]}` + "\n", "not an agent"},
		"without a kind": {`{"trial":{}}` + "\n", "not an agent"},
	} {
		t.Run(name, func(t *testing.T) {
			client := Client{On: answering(t, hello+c.words), Grace: 100 * time.Millisecond}
			_, err := client.Describe(t.Context())
			var lost Lost
			if !errors.As(err, &lost) || !strings.Contains(lost.Reason, c.want) {
				t.Errorf("%v, want a lost agent with %q", err, c.want)
			}
		})
	}
}

// TestOwnStandstillIsNoSilence: a client that was suspended for longer than the limit of silence, here in its handler,
// then reads the messages that arrived meanwhile.
func TestOwnStandstillIsNoSilence(t *testing.T) {
	const told = 12
	order := record.Order{Slot: record.Slot{Plan: "p"}}
	s := conversation{client: Client{Silence: 50 * time.Millisecond}, hello: true, lines: make(chan []byte, told+1),
		answer: answer{req: Request{Do: DoTrial, Order: &order}}}
	for range told {
		order.Sides = append(order.Sides, record.Side{Cell: len(order.Sides)})
		trial, err := json.Marshal(Message{Kind: kindTrial, Trial: new(Blank(order, len(order.Sides)-1, record.Machine{}))})
		if err != nil {
			t.Fatal(err)
		}
		s.lines <- trial
	}
	s.lines <- []byte(`{"kind":"done"}`)
	heard := 0
	err := s.listen(t.Context(), func(Message) error {
		heard++
		time.Sleep(60 * time.Millisecond)
		return nil
	})
	if err != nil || heard != told {
		t.Errorf("%v after %d of %d messages", err, heard, told)
	}
}

func TestLastWordsAreTold(t *testing.T) {
	_, err := Client{On: "echo connection lost >&2; exit 255;"}.Describe(t.Context())
	if err == nil || !strings.Contains(err.Error(), "exit status 255: connection lost") {
		t.Errorf("%v", err)
	}
}

func TestAgentThatCannotBeStarted(t *testing.T) {
	_, err := Client{Self: filepath.Join(t.TempDir(), "none")}.Describe(t.Context())
	var gone Unreachable
	if !errors.As(err, &gone) || !strings.HasPrefix(err.Error(), "starting an agent on this host: ") ||
		!errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// An agent rejects unknown requests with a reason.
func TestRequestsThatAreNone(t *testing.T) {
	for name, c := range map[string]struct{ words, want string }{
		"none":             {"", "reading the request: EOF\nhint: plimsoll run starts the agent"},
		"not JSON":         {"GET / HTTP/1.1\n", "reading the request: invalid character"},
		"cut off":          {`{"protocol":1`, "reading the request: EOF"},
		"another protocol": {`{"protocol":9,"do":"machine"}` + "\n", "the client uses protocol 9, this agent uses 8\nhint:"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := testAgent().Serve(strings.NewReader(c.words), &out); err != nil {
				t.Fatal(err)
			}
			if f := lastFault(t, &out); !strings.Contains(f.Message, c.want) || f.Usage {
				t.Errorf("%+v, want a fault with %q", f, c.want)
			}
		})
	}
	b := newBench(t)
	for name, req := range map[string]Request{"of another kind": {Do: "dance"},
		"without an order": {Do: DoTrial, Machine: &b.machine}} {
		_, err := b.do(req)
		var fault *Fault
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), "is unknown to this agent, or has no order") {
			t.Errorf("%s: %v, want a fault", name, err)
		}
	}
}

// lastFault returns the fault that must end an agent's output.
func lastFault(t *testing.T, out *bytes.Buffer) Fault {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var m Message
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &m); err != nil || m.Kind != kindFault || m.Fault == nil {
		t.Fatalf("%q, %v: want a fault", lines, err)
	}
	return *m.Fault
}

// shut is the standard output of an agent whose client is gone.
type shut struct{}

func (shut) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestAgentWithoutAClient(t *testing.T) {
	if err := testAgent().Serve(strings.NewReader(""), shut{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("%v, want the write's error", err)
	}
}

func FuzzReadRequest(f *testing.F) {
	f.Add([]byte(`{"protocol":8,"do":"trial","order":{"id":"a","sides":[{"cell":0}]},"machine":{}}` + "\n"))
	f.Add([]byte(`{"protocol":8,"do":"machine"}` + "\n"))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		req, err := readRequest(bufio.NewReader(bytes.NewReader(in)))
		if err == nil && req.Protocol != Protocol {
			t.Errorf("%q gives a request of protocol %d", in, req.Protocol)
		}
		if err == nil && !bytes.Contains(in, []byte("\n")) {
			t.Errorf("%q is taken for a whole line", in)
		}
	})
}

// FuzzHear: for any output and request, a client ends with a message or a reportable error, and handles nothing before
// hello, of a kind other than its message's, or of a trial that was not ordered.
func FuzzHear(f *testing.F) {
	order := record.Order{ID: "o", Slot: record.Slot{Plan: "p"}, Sides: []record.Side{{Cell: 1, Workload: "w"}}}
	trial, err := json.Marshal(Message{Kind: kindTrial, Trial: new(Blank(order, 0, record.Machine{Name: "m"}))})
	if err != nil {
		f.Fatal(err)
	}
	series := `{"kind":"series","series":{"trial":"` + order.SlotOf(0).ID() + `","name":"ops","enc":"dvz"}}` + "\n"
	for asked, said := range map[byte]string{
		0: hello + `{"kind":"machine","machine":{"name":"m","cpu":{"allowed":[0,-1]}}}` + "\n" + `{"kind":"done"}`,
		1: hello + `{"kind":"beat","phase":"preparing","used_s":-1}` + "\n" +
			`{"kind":"fault","fault":{"message":"no","usage":true}}`,
		2: hello + series + string(trial) + "\n" + `{"kind":"done"}`,
		3: hello + `{"kind":"ready"}` + "\n" + `{"kind":"begun"}` + "\n" + `{"kind":"ended"}` + "\n" + string(trial) + "\n" +
			`{"kind":"done"}`,
		4: hello + `{"kind":"serving","address":"a"}` + "\n" + `{"kind":"ended"}` + "\n" +
			`{"kind":"trial","trial":{"cell":-1}}`,
	} {
		f.Add(asked, []byte(said))
	}
	f.Add(byte(0), []byte(hello+`{"kind":"fault"}`))
	f.Add(byte(5), []byte(hello+`{"kind":"device","device":{"id":"a","bytes":-1}}`))
	f.Add(byte(0), []byte(`{"kind":"hello","protocol":8}`))
	f.Fuzz(func(t *testing.T, asked byte, said []byte) {
		requests := []Request{{Do: DoMachine}, {Do: DoPreflight}, {Do: DoTrial, Order: &order},
			{Do: DoTrial, Order: &order, Servers: []Serving{{Address: "there"}}}, {Do: DoServe, Order: &order}, {Do: DoDevice}}
		req := requests[int(asked)%len(requests)]
		trials := 0
		err := Replay(req, said, func(m Message) error {
			switch {
			case m.Kind == kindMachine && (m.Machine == nil || len(m.Machine.CPU.Allowed) == 0),
				m.Kind == kindDevice && (m.Device == nil || m.Device.Bytes < 0),
				m.Kind == kindSeries && m.Series.Trial != order.SlotOf(0).ID(),
				m.Kind == kindEvent && (m.Event.Trial != order.SlotOf(0).ID() || m.Event.OfHost != (record.OfHost{})),
				m.Kind == kindTrial && (m.Trial.ID != order.SlotOf(0).ID() || m.Trial.Keys == nil || m.Trial.Cell != 1),
				m.Kind != kindTrial && m.Trial != nil,
				!bytes.Contains(said, []byte("hello")):
				t.Errorf("%q: %+v is handled", said, m)
			}
			if m.Kind == kindTrial {
				trials++
			}
			return nil
		})
		var fault *Fault
		if err != nil && err.Error() == "" && !errors.As(err, &fault) {
			t.Errorf("%q: an error without words", said)
		}
		if trials > 1 {
			t.Errorf("%q: %d trials of one", said, trials)
		}
	})
}
