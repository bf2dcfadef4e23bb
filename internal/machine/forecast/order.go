package forecast

import "plimsoll/internal/record"

// The work of any order, measured on the reference machine: the agent's process, its ledger, and the file's sync; and
// the attribution of a profile, for each second of it and CPU.
const (
	orderCPU    = .03
	orderWait   = .03
	orderSyncs  = 4
	profileCPU  = .03
	profileWait = .5
)

// SessionS is the seconds before a session's first run and after its last: reaching the hosts, preflights, the
// analysis.
const SessionS = .8

// Profile is the step that attributes a profile's samples.
const Profile = "profile"

// Order returns the cost of carrying out an order, whatever its sides are.
func Order(o record.Order) Cost {
	out := Cost{Steps: []Step{{Name: Start, Work: Work{CPU: orderCPU, Wait: orderWait, Syncs: orderSyncs}}}}
	if o.Profiled {
		out.Steps = append(out.Steps, Step{Name: Profile, Work: Work{CPU: profileCPU * o.DurationS, Wait: profileWait}})
	}
	return out
}
