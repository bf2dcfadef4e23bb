package httpload

import (
	"fmt"

	"plimsoll/internal/client/load"
)

// stream is a request that a connection has in flight, or has room for: the only one of HTTP/1.1, one of several of
// HTTP/2.
type stream struct {
	conn          *conn
	queued        bool // in the lane's queue of free ones
	before, after *stream

	busy     bool  // a request is in flight, or waits for its connection
	again    bool  // and is being resent
	client   int64 // of the load, on this host: who it is
	request  *request
	text     []byte // of a request with values: HTTP/1.1, or its block of header fields
	body     []byte
	rest     []byte // of a script's request: the body, unless it is short and in the text
	slot     int    // of the lane's streams
	value    []byte // of one of its fields
	answered int64  // when the last answer came
	intended int64
	sent     int64 // first sending of the request
	deadline int64

	flow // of HTTP/2
}

// answer is an answer so far, or a whole one.
type answer struct {
	status int
	body   int64 // bytes
	find   finder
	sample *sample // of its lane; nil: none is kept
	script Script  // of its lane, for HTTP/1.1; nil: the answer is judged by its status and text
	slot   int
}

func (a *answer) reset() {
	a.status, a.body = 0, 0
	a.find.reset()
	if a.sample != nil {
		a.sample.leave(a)
	}
}

func (a *answer) take(b []byte) {
	a.body += int64(len(b))
	if a.script != nil {
		a.script.Body(a.slot, b)
		return
	}
	a.find.feed(b)
	if a.sample != nil {
		a.sample.take(a, b)
	}
}

// queue holds the free streams. The longest idle one is next, so that all connections are used, and with them all
// threads of a server that assigns connections to threads.
type queue struct {
	first, last *stream
	n           int
}

func (q *queue) push(s *stream) {
	s.before, s.after, s.queued = q.last, nil, true
	if q.last != nil {
		q.last.after = s
	} else {
		q.first = s
	}
	q.last = s
	q.n++
}

func (q *queue) pop() *stream {
	s := q.first
	q.remove(s)
	return s
}

// remove removes a stream from the queue, if it is in it.
func (q *queue) remove(s *stream) {
	if !s.queued {
		return
	}
	if s.before != nil {
		s.before.after = s.after
	} else {
		q.first = s.after
	}
	if s.after != nil {
		s.after.before = s.before
	} else {
		q.last = s.before
	}
	s.before, s.after, s.queued = nil, nil, false
	q.n--
}

// count records an answer: a good one is an operation.
func (l *Lane) count(clock *load.Lane, s *stream, a *answer) {
	measured := false
	switch {
	case !l.target.good[a.status]:
		if measured = clock.Fail(s.intended, load.Status); measured {
			l.failed(s.request, a.status, load.Status)
		}
		if l.Stats.First == nil {
			l.Stats.First, l.Stats.FirstStatus = fmt.Errorf("%w%s", errStatus(a.status), s.request.to()), a.status
			l.Stats.FirstBody = l.sample.of(a)
		}
	case !a.find.found:
		if measured = clock.Fail(s.intended, load.Protocol); measured {
			l.failed(s.request, 0, load.Protocol)
		}
		if l.Stats.First == nil {
			l.Stats.First, l.Stats.FirstBody = fmt.Errorf("%w%s", errBody, s.request.to()), l.sample.of(a)
		}
	default:
		l.Stats.Answers++
		l.Stats.Bytes += a.body
		if measured = clock.Done(s.intended, s.sent, 1, a.body); measured {
			l.answered(s.request, clock.Last()-s.intended)
		}
	}
	s.answered = clock.Last()
	if measured {
		l.Stats.Statuses[a.status]++
	}
}
