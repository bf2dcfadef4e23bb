package load

// within adds up what a closed loop's operations did within its window. An operation counts by the share of its time in
// the window: of one of 4 s with 1 s in it a quarter counts. In a steady state with rate r, operations of any length
// distribution then add up to r times the window on average (Campbell's theorem), wherever the window begins and ends,
// with one operation in flight or many. A rate by whole operations, counted at their beginnings or ends, is off by up
// to one operation for each client; one over the time between two ends depends on which clients answered at all.
type within struct {
	ops, bytes         int64   // of operations wholly in the window
	edgeOps, edgeBytes float64 // of those that cross an edge of it, by their shares
	busy               int64   // ns in the window during which operations were in flight, in all
	lost               int64   // of it, of operations that failed or had no answer
	crossing           int64   // ns that operations took which cross an edge, in and outside the window
	unansweredOps      int64   // operations in flight in the window that never ended
}

// add counts n operations that together took from start to end, 0 if nothing came of it. It reports whether they were
// in the window.
func (w *within) add(start, end, from, to, n, bytes int64) bool {
	lo, hi := max(start, from), min(end, to)
	inside := lo == start && hi == end
	if hi <= lo && !inside {
		return false
	}
	w.busy += hi - lo
	switch {
	case n == 0:
		w.lost += hi - lo
	case inside:
		w.ops += n
		w.bytes += bytes
	default:
		w.crossing += end - start
		share := float64(hi-lo) / float64(end-start)
		w.edgeOps += share * float64(n)
		w.edgeBytes += share * float64(bytes)
	}
	return true
}

// answered reports whether any operation ended that was in the window.
func (w *within) answered() bool { return w.ops > 0 || w.edgeOps > 0 }
