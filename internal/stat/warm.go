package stat

const (
	warmRise = 0.01
	warmP    = 0.05
)

// WarmFrom finds where a run that begins cold became as fast as it gets, given as its throughput in even windows. It begins as
// SteadyFrom; and since a slow rise is no change of the mean, the start moves on, by a twentieth of the run each time, as long as what is kept
// rises by more than 1 % with P below 0.05: the harm of a warm server that is called warm half a second late is less than that of a cold one called
// warm. It is false below 30 windows.
func WarmFrom(x []float64) (SteadyState, bool) {
	s, ok := SteadyFrom(x)
	if !ok {
		return s, false
	}
	on := max(len(x)/20, 1)
	for s.Holds() {
		d, known := DriftOf(x[s.Start:])
		if !known || d.Change <= warmRise || d.P >= warmP {
			break
		}
		s.Start = min(s.Start+on, len(x))
		s.Kept = 1 - float64(s.Start)/float64(len(x))
	}
	return s, true
}
