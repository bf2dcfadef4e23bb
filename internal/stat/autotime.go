package stat

// AutocorrelationTime returns the number of dependent values in x that carry as much information about the mean as one
// independent value: 1 or more, so that n/AutocorrelationTime is their effective number. It is 1 if all values are
// equal.
//
// It is −1 + 2·ΣG(m), with G(m) = r(2m) + r(2m+1) of the autocorrelations r, up to the first G that is not positive:
// the initial positive sequence (Geyer, Statistical Science 7, 1992).
func AutocorrelationTime(x []float64) float64 {
	m := Mean(x)
	centered := make([]float64, len(x))
	for i, v := range x {
		centered[i] = v - m
	}
	all := lagged(centered, 0)
	if !(all > 0) {
		return 1
	}
	tau := -1.0
	for lag := 0; lag+1 < len(x); lag += 2 {
		g := (lagged(centered, lag) + lagged(centered, lag+1)) / all
		if g <= 0 {
			break
		}
		tau += 2 * g
	}
	return max(tau, 1)
}

// lagged returns the sum of the products of values that are lag apart.
func lagged(x []float64, lag int) float64 {
	sum := 0.0
	for i, v := range x[lag:] {
		sum += x[i] * v
	}
	return sum
}
