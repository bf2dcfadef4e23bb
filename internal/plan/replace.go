package plan

import (
	"maps"
	"slices"
	"strings"
)

// Replace replaces each value that the request has for a parameter, wherever it occurs. The names of levels do not
// change.
func (r *Request) Replace(workload, param string, with func(value string) (string, error)) error {
	return r.Each(workload, func(name, value string) (string, error) {
		if name != param {
			return value, nil
		}
		return with(value)
	})
}

// Each replaces each value that the request has for any parameter of a workload.
func (r *Request) Each(workload string, with func(param, value string) (string, error)) error {
	if err := eachLevel(r.Factors, workload, with); err != nil {
		return err
	}
	for _, ask := range r.Measure {
		if ask.Workload != workload {
			continue
		}
		for _, param := range slices.Sorted(maps.Keys(ask.Set)) {
			v := ask.Set[param]
			if err := put(&v, param, with); err != nil {
				return err
			}
			ask.Set[param] = v
		}
		for _, axis := range ask.Sweep {
			for i := range axis.Values {
				if err := put(&axis.Values[i], axis.Param, with); err != nil {
					return err
				}
			}
		}
		if err := eachLevel(ask.Vary, workload, with); err != nil {
			return err
		}
	}
	return nil
}

func eachLevel(factors []Factor, workload string, with func(param, value string) (string, error)) error {
	for _, f := range factors {
		for _, l := range f.Levels {
			for _, key := range slices.Sorted(maps.Keys(l.Set)) {
				param, ok := strings.CutPrefix(key, workload+".")
				if !ok {
					continue
				}
				v := l.Set[key]
				if err := put(&v, param, with); err != nil {
					return err
				}
				l.Set[key] = v
			}
		}
	}
	return nil
}

func put(v *string, param string, with func(param, value string) (string, error)) error {
	other, err := with(param, *v)
	if err == nil {
		*v = other
	}
	return err
}
