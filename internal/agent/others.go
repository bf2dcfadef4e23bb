package agent

import (
	"os"

	"plimsoll/internal/host/others"
	"plimsoll/internal/record"
)

// othersMeter looks at all processes shortly before the measured window and after it, so that its own work is in
// neither.
type othersMeter struct {
	trial  *trial
	before others.Look
	found  *record.Others // nil if the processes could not be read
	broken error
}

func (m *othersMeter) begin() { m.before, m.broken = others.LookAt(m.trial.agent.Root) }

func (m *othersMeter) end() {
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
