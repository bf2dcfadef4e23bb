package selftest

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// tests computes the rows of a certificate.
type tests struct {
	ctx  context.Context
	in   Instrument
	seed uint64
	n    int // simulations of each experiment
}

// many runs an experiment n times on all CPUs. Each run has its own stream of random numbers, derived from the seed,
// the experiment's name and its number.
func many[T any](t tests, name string, once func(r *rand.Rand) (T, error)) ([]T, error) {
	h := fnv.New64a()
	h.Write([]byte(name))
	stream := t.seed ^ h.Sum64()
	out := make([]T, t.n)
	group, ctx := errgroup.WithContext(t.ctx)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() (err error) {
			for i := w; i < t.n; i += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				if out[i], err = once(rand.New(rand.NewPCG(stream, uint64(i)))); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return out, group.Wait()
}

// sequential runs sequential sessions of a setting.
func (t tests) sequential(s setting) ([]outcome, error) {
	return many(t, "sequential "+s.name, func(r *rand.Rand) (outcome, error) { return t.in.sequential(s, r) })
}

// fixed runs sessions of n pairs of a setting.
func (t tests) fixed(s setting, n int) ([]outcome, error) {
	return many(t, "fixed "+s.name, func(r *rand.Rand) (outcome, error) { return t.in.fixed(s, n, r) })
}

func number[T any](of []T, is func(T) bool) int {
	n := 0
	for _, v := range of {
		if is(v) {
			n++
		}
	}
	return n
}

func claims(of []outcome) int  { return number(of, func(o outcome) bool { return o.claim }) }
func covered(of []outcome) int { return number(of, func(o outcome) bool { return o.covered }) }
func wrong(of []outcome) int   { return number(of, func(o outcome) bool { return o.wrong }) }
