package httpload

// sampleBytes is the part of the first failed answer's body that is kept.
const sampleBytes = 200

// sample is the beginning of the body of a lane's first failed answer. Nothing knows beforehand which answer that is:
// it holds the body of one that may become it, which is the next one's if it does not.
type sample struct {
	good  *[statuses]bool
	any   bool    // an answer of a good status may fail, too
	owner *answer // whose body it is; nil: nobody's
	done  bool    // it is a failed one's
	n     int
	text  [sampleBytes]byte
}

// take keeps a part of a body.
func (s *sample) take(a *answer, b []byte) {
	if s.done || s.owner != a && (s.owner != nil || s.good[a.status] && !s.any) {
		return
	}
	s.owner = a
	s.n += copy(s.text[s.n:], b)
}

// leave gives up the body of an answer.
func (s *sample) leave(a *answer) {
	if s.owner == a && !s.done {
		s.owner, s.n = nil, 0
	}
}

// of returns the kept beginning of a failed answer's body; nil if it is another's.
func (s *sample) of(a *answer) []byte {
	if s.owner != a {
		return nil
	}
	s.done = true
	return s.text[:s.n]
}
