package engine

import (
	"plimsoll/internal/host/topology"
)

// Workers returns the number of worker threads or processes.
func (s Settings) Workers() (int, error) {
	if s.Threads > 0 {
		return s.Threads, nil
	}
	if len(s.CPUs) > 0 {
		return len(s.CPUs), nil
	}
	allowed, err := topology.Allowed()
	return max(1, len(allowed)), err
}
