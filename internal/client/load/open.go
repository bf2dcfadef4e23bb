package load

// counts are an open-loop lane's counts of arrivals.
type counts struct {
	taken     int64 // handed out
	takenWarm int64 // intended in the warm-up
	doneWarm  int64 // finished by the end of the warm-up
	doneEnd   int64 // finished by the end of the trial
}

// claim ensures that an arrival is pending.
func (l *Lane) claim() {
	if l.pending == 0 {
		l.pending = l.gen.zero.Load() + l.gen.arrivals.claim()
	}
}

func (l *Lane) takeOpen() (intended int64, ok bool) {
	l.claim()
	if l.pending >= l.end {
		return 0, false
	}
	l.able = l.last // the end of its last operation
	now, spun, ok := l.gen.wait(l.pending)
	if l.pending >= l.from {
		l.spun += spun
	}
	l.last = now
	if !ok || now >= l.end {
		return 0, false
	}
	return l.takePending(now), true
}

// Full is for event loops: nothing more can begin before the target has answered something. What becomes due until the
// next call of Due waits for the target, and not for the lane.
func (l *Lane) Full() { l.full = true }

func (l *Lane) dueOpen(now int64) (intended int64, ok bool) {
	if l.full {
		l.full, l.able = false, now
	}
	if now >= l.end || l.gen.stopped() {
		return 0, false
	}
	l.claim()
	if l.pending > now {
		return 0, false
	}
	return l.takePending(now), true
}

// takePending hands out the pending arrival at now.
func (l *Lane) takePending(now int64) int64 {
	intended := l.pending
	if intended >= l.from {
		put(l.rec.late, now-max(intended, l.able), 1)
	}
	l.pending = 0
	l.flight.add(intended)
	l.flying++
	l.taken++
	l.counts.taken++
	if intended < l.warm {
		l.counts.takenWarm++
	}
	return intended
}

// land removes an arrival from flight. One that was not in flight is a workload's bug and counts as an error, so
// that the trial shows it.
func (l *Lane) land(intended, end int64) bool {
	if !l.flight.remove(intended) {
		l.rec.failure(end, Other)
		return false
	}
	if end <= l.warm {
		l.counts.doneWarm++
	}
	if end <= l.end && !l.gen.stopped() {
		l.counts.doneEnd++
	}
	return true
}
