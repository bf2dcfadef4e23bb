package engine

import (
	"plimsoll/internal/host/topology"
)

// Workers is how many worker threads or processes the settings ask for.
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
