package figure

import "time"

// Duration returns seconds as a duration, rounded as people read it.
func Duration(s float64) time.Duration {
	fine := time.Second
	if s < 10 {
		fine = 10 * time.Millisecond
	}
	return time.Duration(s * float64(time.Second)).Round(fine)
}
