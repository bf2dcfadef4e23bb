package axis

import (
	"plimsoll/internal/figure"
	"plimsoll/internal/trialset"
)

// Names returns the sides as texts name them: machines and files as they are, a factor's levels in short.
func Names(by, a, b string) (nameA, nameB string) {
	if by == "" || trialset.AcrossMachines(by) || by == ByFile {
		return a, b
	}
	return figure.Short(a, b), figure.Short(b, a)
}

// Labels is Names with the factor before its levels, for sentences.
func Labels(by, a, b string) (labelA, labelB string) {
	a, b = Names(by, a, b)
	return Label(by, a), Label(by, b)
}
