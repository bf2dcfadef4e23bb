package agent

import (
	"os"

	"plimsoll/internal/machine/host/others"
	"plimsoll/internal/record"
)

// othersMeter looks at all processes shortly before the measured window and after it, so that its own work is in
// neither.
type othersMeter struct {
	trial  *trial
	before others.Look
	found  *record.Others // nil if the processes could not be read, or were not looked at
	looked bool
	broken error
}

// briefRun is the length of a run, in seconds, below which the kernel's ticks of 10 ms tell nothing about other
// programs, and looking would take as long.
const briefRun = .2

func (m *othersMeter) begin() {
	if m.trial.target != "" {
		return // the target's agent looks
	}
	if lasts := lasts(m.trial.order); lasts > 0 && lasts < briefRun {
		return
	}
	m.looked = true
	m.before, m.broken = others.LookAt(m.trial.agent.Root)
}

func (m *othersMeter) end() {
	if !m.looked {
		return
	}
	after, err := others.LookAt(m.trial.agent.Root)
	if m.broken != nil || err != nil {
		return // the ledger tells that /proc could not be read
	}
	ours := []int{os.Getpid()}
	for _, s := range m.trial.sides {
		ours = append(ours, s.all()...)
	}
	m.found = others.Between(m.trial.agent.Root, m.before, after, ours)
}
