package category

import (
	"sync"

	"plimsoll/internal/record"
)

// Memory sorts the stacks of profiles into categories, each profile once: the analyses of a page ask for the same ones
// many times. It keeps what it was asked for alive, and trusts that nobody changes it. The zero value is ready, nil
// remembers nothing, and several goroutines may use one.
type Memory struct {
	mu    sync.Mutex
	known map[asked][]Name
}

// asked is what a memory was asked for: the stacks of a profile, by where they are.
type asked struct {
	first *record.Stack
	n     int
	waits bool
}

// OfCPU returns the category of CPU time of each stack of a profile, not to be changed.
func (m *Memory) OfCPU(p record.Profile) []Name {
	return m.of(p, false, func() func(record.Stack) Name { return newSorter(cpuRules()).cpu })
}

// OfWaits returns the category of waits of each stack of a profile, not to be changed.
func (m *Memory) OfWaits(p record.Profile) []Name {
	return m.of(p, true, func() func(record.Stack) Name { return newSorter(waitRules()).wait })
}

func (m *Memory) of(p record.Profile, waits bool, sorter func() func(record.Stack) Name) []Name {
	if m == nil || len(p.Stacks) == 0 {
		return eachStack(p, sorter())
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	at := asked{&p.Stacks[0], len(p.Stacks), waits}
	if known, ok := m.known[at]; ok {
		return known
	}
	if m.known == nil {
		m.known = map[asked][]Name{}
	}
	m.known[at] = eachStack(p, sorter())
	return m.known[at]
}

func eachStack(p record.Profile, of func(record.Stack) Name) []Name {
	out := make([]Name, len(p.Stacks))
	for i, s := range p.Stacks {
		out[i] = of(s)
	}
	return out
}
