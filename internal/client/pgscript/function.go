package pgscript

import (
	"errors"
	"maps"
	"math"
	"slices"
)

// function is a function of scripts.
type function struct {
	least, most int // arguments
	run         func(st *State, args []value) (value, error)
}

// maxArguments bounds the arguments of greatest and least, generously.
const maxArguments = 16

// functions returns those of pgbench 15.
func functions() map[string]function {
	out := map[string]function{
		"abs":      {1, 1, absolute},
		"debug":    {1, 1, func(_ *State, args []value) (value, error) { return args[0], nil }},
		"double":   {1, 1, ofDouble(func(f float64) float64 { return f })},
		"exp":      {1, 1, ofDouble(math.Exp)},
		"greatest": {1, maxArguments, most(1)},
		"int":      {1, 1, toInt},
		"least":    {1, maxArguments, most(-1)},
		"ln":       {1, 1, ofDouble(math.Log)},
		"mod":      {2, 2, integers(remainder)},
		"permute":  {2, 3, permuted},
		"pi":       {0, 0, func(*State, []value) (value, error) { return doubleOf(math.Pi), nil }},
		"sqrt":     {1, 1, ofDouble(math.Sqrt)},

		"random":             {2, 2, random},
		"random_exponential": {3, 3, distributed(exponential)},
		"random_gaussian":    {3, 3, distributed(gaussian)},
		"random_zipfian":     {3, 3, distributed(zipfian)},
	}
	for _, name := range []string{"pow", "power"} {
		out[name] = function{2, 2, power}
	}
	for _, name := range []string{"hash", "hash_murmur2"} {
		out[name] = function{1, 2, hashed(hashMurmur2)}
	}
	out["hash_fnv1a"] = function{1, 2, hashed(hashFNV1a)}
	return out
}

// functionNames returns their names, for hints.
func functionNames() []string { return slices.Sorted(maps.Keys(functions())) }

func absolute(_ *State, args []value) (value, error) {
	if args[0].kind == double {
		return doubleOf(math.Abs(args[0].f)), nil
	}
	i, err := args[0].whole()
	switch {
	case err != nil:
		return value{}, err
	case i == math.MinInt64:
		return value{}, errOverflow
	case i < 0:
		i = -i
	}
	return intOf(i), nil
}

func toInt(_ *State, args []value) (value, error) {
	i, err := args[0].whole()
	return intOf(i), err
}

func ofDouble(run func(float64) float64) func(*State, []value) (value, error) {
	return func(_ *State, args []value) (value, error) {
		f, err := args[0].float()
		return doubleOf(run(f)), err
	}
}

func power(_ *State, args []value) (value, error) {
	a, b, err := floats(args)
	return doubleOf(math.Pow(a, b)), err
}

// most implements greatest (sign 1) or least (sign −1): a double if any argument is one.
func most(sign int) func(*State, []value) (value, error) {
	return func(_ *State, args []value) (value, error) {
		best := args[0]
		doubles := false
		for _, v := range args {
			if v.kind == boolean {
				return value{}, errNotNumber
			}
			doubles = doubles || v.kind == double
			if c, err := compare([]value{v, best}); err != nil || c == sign {
				best = v
			}
		}
		if doubles && best.kind == integer {
			return doubleOf(float64(best.i)), nil
		}
		return best, nil
	}
}

func random(st *State, args []value) (value, error) {
	lo, hi, err := wholes(args)
	if err != nil {
		return value{}, err
	}
	out, err := uniform(st.random, lo, hi)
	return intOf(out), err
}

func hashed(run func(v, seed int64) int64) func(*State, []value) (value, error) {
	return func(st *State, args []value) (value, error) {
		seed, err := st.seedIn(args, 1)
		if err != nil {
			return value{}, err
		}
		v, err := args[0].whole()
		return intOf(run(v, seed)), err
	}
}

// seedIn returns the optional seed argument, by default the variable :default_seed.
func (st *State) seedIn(args []value, at int) (int64, error) {
	if len(args) > at {
		return args[at].whole()
	}
	v, err := reference{nameDefaultSeed, placeDefaultSeed}.eval(st)
	if err != nil {
		return 0, err
	}
	return v.whole()
}

func permuted(st *State, args []value) (value, error) {
	v, size, err := wholes(args)
	if err != nil {
		return value{}, err
	}
	if size <= 0 {
		return value{}, errors.New("the size of a permutation must be positive")
	}
	seed, err := st.seedIn(args, 2)
	return intOf(permute(v, size, seed)), err
}
