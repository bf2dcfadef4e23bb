package reader

import "plimsoll/internal/record"

// Summarized is a run that states how far the values lie apart of which one of its own is the mean.
type Summarized interface {
	Moments() map[string]record.Moments // by metric
}
