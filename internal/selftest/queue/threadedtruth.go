package queue

import "math"

// beyondEver is the probability below which a state is ignored.
const beyondEver = 1e-9

// mostInSystem bounds the states of a server close to its capacity.
const mostInSystem = 400

// Beyond returns the probability that a request is still there after t. From its point of view the system is a Markov
// chain over the number of requests in the system and the number waiting before it; the chain is stepped at a constant
// rate, and the number of steps until t is Poisson (Jensen's uniformization; Grassmann, Computers & Operations Research
// 4, 1977).
func (s Threaded) Beyond(load, t float64) float64 {
	met := s.met(load)
	v := newView(s, load, len(met))
	mean := (load + s.Capacity()) * t
	most := int(mean + 7*math.Sqrt(mean) + 20)
	out, log := 0.0, -mean // ln of the Poisson probability of no step
	for k := range most {
		out += math.Exp(log) * v.average(met)
		v.step()
		log += math.Log(mean) - math.Log(float64(k+1))
	}
	return out
}

// met returns the distribution of the number of requests that an arrival finds: that at any time, since arrivals are
// Poisson.
func (s Threaded) met(load float64) []float64 {
	p, sum := []float64{1}, 1.0
	for n := 1; n < mostInSystem; n++ {
		next := p[n-1] * load / s.total(n)
		if n > s.threads() && next < beyondEver*sum {
			break
		}
		p, sum = append(p, next), sum+next
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// view holds the probability that a request has not left after the steps taken so far, by its initial state.
type view struct {
	Threaded
	load    float64
	most    int         // requests in the system
	served  []float64   // by requests in the system, including itself
	waiting [][]float64 // by the number waiting before it, then as served
	next    []float64
}

func newView(s Threaded, load float64, most int) *view {
	v := &view{Threaded: s, load: load, most: most, next: make([]float64, most+1)}
	row := func() []float64 {
		out := make([]float64, most+1)
		for i := range out {
			out[i] = 1
		}
		return out
	}
	v.served = row()
	for range most - s.threads() {
		v.waiting = append(v.waiting, row())
	}
	return v
}

// average averages over the states that a request finds.
func (v *view) average(met []float64) float64 {
	sum := 0.0
	for n, p := range met {
		if before := n - v.threads(); before >= 0 {
			sum += p * v.waiting[before][n+1]
		} else {
			sum += p * v.served[n+1]
		}
	}
	return sum
}

// step goes one step back in time. The rows that others depend on come last.
func (v *view) step() {
	rate := v.load + v.Capacity()
	for before := len(v.waiting) - 1; before >= 0; before-- {
		from := v.served
		if before > 0 {
			from = v.waiting[before-1]
		}
		for n := v.threads() + 1 + before; n <= v.most; n++ {
			more := v.waiting[before][min(n+1, v.most)]
			v.next[n] = (v.load*more + v.Capacity()*from[n-1]) / rate
		}
		v.waiting[before], v.next = v.next, v.waiting[before]
	}
	v.stepServed(rate)
}

func (v *view) stepServed(rate float64) {
	for n := 1; n <= v.most; n++ {
		leave := v.total(n)
		mine := leave / float64(min(n, v.threads()))
		stay := (rate - v.load - leave) * v.served[n]
		v.next[n] = (v.load*v.served[min(n+1, v.most)] + (leave-mine)*v.served[n-1] + stay) / rate
	}
	v.served, v.next = v.next, v.served
}
