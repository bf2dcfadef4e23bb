package plan

// Replace puts another value in the place of each that the request has for a parameter, wherever it stands. The names of levels stay.
func (r *Request) Replace(workload, param string, with func(value string) (string, error)) error {
	key := workload + "." + param
	if err := replaceLevels(r.Factors, key, with); err != nil {
		return err
	}
	for _, ask := range r.Measure {
		if ask.Workload != workload {
			continue
		}
		if err := replaceIn(ask.Set, param, with); err != nil {
			return err
		}
		for _, axis := range ask.Sweep {
			for i, v := range axis.Values {
				if axis.Param != param {
					break
				}
				var err error
				if axis.Values[i], err = with(v); err != nil {
					return err
				}
			}
		}
		if err := replaceLevels(ask.Vary, key, with); err != nil {
			return err
		}
	}
	return nil
}

func replaceLevels(factors []Factor, key string, with func(string) (string, error)) error {
	for _, f := range factors {
		for _, l := range f.Levels {
			if err := replaceIn(l.Set, key, with); err != nil {
				return err
			}
		}
	}
	return nil
}

func replaceIn(set map[string]string, name string, with func(string) (string, error)) error {
	v, ok := set[name]
	if !ok {
		return nil
	}
	new, err := with(v)
	if err == nil {
		set[name] = new
	}
	return err
}
