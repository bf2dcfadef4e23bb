package httpload

import (
	"plimsoll/internal/base/list"
	"plimsoll/internal/client/load"
)

// Script makes the requests of one lane, each as it is sent, and judges their answers. It is for protocols over HTTP
// whose requests are signed or depend on earlier answers. An operation is one request, or several in a row on one
// connection. slot is one of the lane's requests in flight, from 0. All methods are called on the lane's thread.
type Script interface {
	// Begin begins an operation, of one of Config.Requests by its index. It appends its first request to b, with the
	// empty line that ends the head; the body is sent after it, and is not changed until the answer. An error ends the
	// lane.
	Begin(slot int, b []byte) (kind int, head, body []byte, err error)
	// Head takes the head of an answer, without the empty line, before its body.
	Head(slot, status int, head []byte)
	// Body takes a part of an answer's body.
	Body(slot int, b []byte)
	// End takes the end of an answer. If the operation has another request, more is true, and Next is called.
	End(slot int) (o Outcome, more bool)
	// Next appends the operation's next request, as Begin does.
	Next(slot int, b []byte) (head, body []byte)
	// Lost takes the end of an operation without an answer.
	Lost(slot int)
}

// Outcome is what an operation came to.
type Outcome struct {
	Bytes  int64      // of objects, either way
	Err    error      // nil: it is a good one
	Class  load.Class // of Err
	Status int        // the bad status; 0: Err has another cause
}

// gathered is the longest body that is sent in one piece with its head: a copy costs less than a system call.
const gathered = 16 << 10

// put makes a request of the script a stream's.
func (s *stream) put(head, body []byte) {
	if s.text, s.rest = head, body; len(body) <= gathered {
		s.text, s.rest = append(head, body...), nil
	}
}

// begin begins an operation of the script.
func (l *Lane) begin(s *stream) error {
	kind, head, body, err := l.script.Begin(s.slot, s.text[:0])
	if err != nil {
		l.flying--
		s.busy = false
		return err
	}
	s.request = &l.target.requests[kind]
	s.put(head, body)
	return nil
}

// another sends the next request of an operation, if it has one; else it records the operation.
func (l *Lane) another(clock *load.Lane, c *conn, ended bool) bool {
	s := &c.streams[0]
	o, more := l.script.End(s.slot)
	if !more {
		l.record(clock, s, o, c.parser.answer.status)
		return false
	}
	s.put(l.script.Next(s.slot, s.text[:0]))
	s.again, s.deadline = false, clock.Now()+l.target.timeout
	if c.parser.close || ended || c.unsent() {
		l.redial(clock, c)
		return true
	}
	l.post(clock, s)
	return true
}

// record records an operation of the script.
func (l *Lane) record(clock *load.Lane, s *stream, o Outcome, status int) {
	measured := false
	if o.Err != nil {
		if measured = clock.Fail(s.intended, o.Class); measured {
			l.failed(s.request, o.Status, o.Class)
		}
		if l.Stats.First == nil {
			l.Stats.First = o.Err
		}
	} else {
		l.Stats.Answers++
		l.Stats.Bytes += o.Bytes
		if measured = clock.Done(s.intended, s.sent, 1, o.Bytes); measured {
			l.answered(s.request, clock.Last()-s.intended)
			l.spots[s.request.line].bytes += o.Bytes
		}
	}
	if s.answered = clock.Last(); measured {
		l.Stats.Statuses[status]++
	}
}

// kinds makes each of the requests a kind of a script's operations, which is counted by its name.
func (t *Target) kinds(all []Request) {
	t.named = list.Map(all, func(r Request) string { return r.Name })
	for i := range t.requests {
		t.requests[i].line, t.requests[i].scripted = int32(i), true
	}
}
