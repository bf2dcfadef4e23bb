package stat

// LinearExpectation is the rate at which a machine would be fully used, had it gone on
// as it did at rate and that much CPU, in percent (0 to 100, not 0): rate·100/cpu. The
// amendments to METHOD take it from the measured point nearest 50 %.
func LinearExpectation(rate, cpu float64) float64 { return rate * 100 / cpu }
