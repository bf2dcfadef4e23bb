package queue

import (
	"fmt"
	"math"
	"testing"
)

func TestCurv(t *testing.T) {
	ss := []Server{Single{1}, Several{1, 2}, Several{1, 4}, Several{1, 8}, Several{1, 16}, Several{1, 64}, Threaded{1, 2, .26}, Threaded{1, 2, .1}, Threaded{1, 2, .6}, Threaded{1, 3, .3}}
	for _, s := range ss {
		for _, q := range []float64{.5, .99} {
			line := LineAt(s, q, 2*Base(s, q))
			y := func(h float64) float64 { return math.Log(Quantile(s, line*math.Exp(h), q) / Quantile(s, line, q)) }
			h := .01
			b := (y(h) - y(-h)) / 2 / h
			c := (y(h) + y(-h)) / h / h
			fmt.Printf("%-40s p%v rho %.3f slope %.2f curv %.2f c/b2 %.2f\n", fmt.Sprintf("%T%+v", s, s), q*100, line/s.Capacity(), b, c, c/b/b)
		}
	}
}
