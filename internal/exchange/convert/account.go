package convert

import (
	"cmp"
	"fmt"
	"math"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// randomSigmas is how many standard deviations random arrivals may be below their mean.
const randomSigmas = 3

// accountOf returns what a run states of itself. An error names two of its figures that contradict each other.
func accountOf(run reader.Run) (reader.Account, error) {
	of, ok := run.(reader.Accountable)
	if !ok {
		return reader.Account{}, nil
	}
	a := of.Account()
	for _, r := range a.Rates {
		if err := r.Contradiction(); err != nil {
			return a, err
		}
	}
	for _, m := range a.Means {
		if err := m.Contradiction(); err != nil {
			return a, err
		}
	}
	return a, nil
}

// fails reports whether a run is no valid one whatever its other figures are: in a failed run they are in no estimate,
// so that a contradiction between them loses nothing more.
func fails(a reader.Account, n record.LoadUse) bool {
	return a.Broken != "" || trialset.TooManyFailed(n.Done, n.Errors)
}

// failure returns why a run is no valid one: it is not whole, or handled less than it was offered. "" if it is valid.
func failure(a reader.Account, t record.Trial) string {
	if a.Broken != "" {
		return a.Broken
	}
	if a.Offered > 0 {
		if trialset.FellBehind(a.Handled, a.Offered, trialset.UnderWay) {
			return note.New("offered-not-done", int64(math.Round(a.Handled)), int64(math.Round(a.Offered))).Text()
		}
		if a.Asked == 0 {
			return ""
		}
	}
	asked, reached := a.Asked, a.Reached
	if a.Unit != "" {
		// A rate of the user's counts operations.
	} else if t.Load.Kind == record.Open {
		asked = t.Load.Level
	} else if rate, err := reader.Number(paramsOf(t)[record.ParamRate]); err == nil {
		asked = rate
	}
	if reached == 0 {
		reached = trialset.CarriedBy(t)
	}
	by, known := scatter(a, t)
	if !known || !(asked > 0) || !(reached > 0) || reached >= (trialset.MinDone-by)*asked {
		return ""
	}
	return fmt.Sprintf("%.4g of %.4g offered %s were done, under 99%%", reached, asked, cmp.Or(a.Unit, "operations/s"))
}

// scatter returns the share by which the number of random arrivals may lie below its mean. Without their number it is
// not known, and a rate tells nothing.
func scatter(a reader.Account, t record.Trial) (share float64, known bool) {
	if !a.Random && t.Load.Arrivals != record.Poisson {
		return 0, true
	}
	if n := t.Generator; n != nil && n.Done > 0 {
		return randomSigmas / math.Sqrt(float64(n.Done)), true
	}
	return 0, false
}

// doubts returns what a run says against itself.
func doubts(a reader.Account, load record.LoadPoint) []string {
	out := a.Doubts
	if a.InFlight > 0 && load.Kind == record.Closed && load.Unit == record.ParamClients &&
		trialset.CompareInFlight(a.InFlight, load.Level) != 0 {
		out = append(out, fmt.Sprintf("operations a second times their mean latency makes %.3g in flight, and the load is %g",
			a.InFlight, load.Level))
	}
	return out
}
