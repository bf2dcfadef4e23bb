package trialset

// Sum returns the sum of x.
func Sum(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum
}

// Part is a part of a whole, 0 of nothing.
func Part(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}
