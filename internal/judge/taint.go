package judge

import "plimsoll/internal/record"

// maxSteal is the share of CPU time in % that a hypervisor may take during a
// trial before it counts as disturbed (METHOD section 3).
const maxSteal = 1.0

// taints says what disturbed a trial. They never look at what was measured: a
// trial must not be doubted for its value.
func taints(t record.Trial) []string {
	var out []string
	if t.Ledger == nil {
		return nil
	}
	if s := t.Ledger.StealPct; s != nil && *s > maxSteal {
		out = append(out, "tainted: steal over 1 %")
	}
	if s := t.Ledger.ThrottledS; s != nil && *s > 0 {
		out = append(out, "tainted: throttled by the CPU quota")
	}
	return out
}

func tainted(t record.Trial) bool { return len(taints(t)) > 0 }

// fleet finds a trial's machine.
type fleet map[string]record.Machine

func fleetOf(machines []record.Machine) fleet {
	f := fleet{}
	for _, m := range machines {
		f[m.Name] = m
	}
	return f
}

func (f fleet) of(t record.Trial) record.Machine { return f[t.Keys[record.KeyMachine]] }

// emulated says whether the trial's figures are those of an emulator.
func (f fleet) emulated(t record.Trial) bool {
	return t.Keys[record.KeyEmulated] != "" || f.of(t).Emulated != ""
}

// doubts are a trial's own and those that its ledger and machine give.
func (f fleet) doubts(t record.Trial) []string {
	out := append([]string(nil), t.Doubts...)
	if f.emulated(t) {
		out = append(out, "emulated")
	}
	return append(append(out, unsteady(t)...), taints(t)...)
}
