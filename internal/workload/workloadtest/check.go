package workloadtest

import (
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Check returns the error that a plan of one cell with these values has on that machine.
func Check(s workload.Spec, p workload.Params, m record.Machine) error {
	if err := s.Ineffective(func(string) bool { return true }, p.All()); err != nil || s.Check == nil {
		return err
	}
	return s.Check(p, m)
}
