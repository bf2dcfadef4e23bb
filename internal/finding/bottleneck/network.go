package bottleneck

import (
	"fmt"

	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// networkEvidence holds the traffic of the machine that does the work: means over trials, B/s. A nil pointer is unknown.
type networkEvidence struct {
	Interface  string           `json:"interface,omitempty"`                  // with the most traffic in one direction
	Network    *float64         `json:"network_bytes_per_s"`                  // its traffic in the busier direction
	Speed      *float64         `json:"network_speed_bytes_per_s"`            // its bandwidth in one direction
	SpeedOf    string           `json:"network_speed_of,omitempty"`           // source of that: the interface, or an instance type
	NetworkUse *float64         `json:"network_use"`                          // share of that bandwidth, 0 to 1
	Loopback   *float64         `json:"loopback_bytes_per_s"`                 // between processes of the machine: no network, and never a bottleneck
	Exceeded   map[string]int64 `json:"network_allowance_exceeded,omitempty"` // packets queued or dropped, by counter, of all trials
	Elsewhere  bool             `json:"network_elsewhere,omitempty"`          // the machine that does the work is not monitored
}

// fullNetwork is the share of an interface's bandwidth from which it is saturated: its counters miss part of the frame
// headers.
const fullNetwork = .9

// quietNetwork is the traffic, B/s, up to which an interface of unknown bandwidth counts as idle.
const quietNetwork = 1e6

// networkSpeed returns a machine's network bandwidth in one direction, B/s, and its source; 0 if unknown.
type networkSpeed func(machine string) (bytesPerS float64, of string)

// networkOf relates the interface's traffic to its bandwidth.
func (e *Evidence) networkOf(t record.Trial, speed networkSpeed) {
	if e.CPU == nil { // a remote server has another network
		e.Elsewhere = true
		return
	}
	u := t.Network
	if u == nil || t.DurationS <= 0 {
		return
	}
	loop, rate := float64(u.LoopbackBytes)/t.DurationS, float64(max(u.ReceivedBytes, u.SentBytes))/t.DurationS
	e.Interface, e.Loopback, e.Network, e.Exceeded = u.Interface, &loop, &rate, u.Exceeded
	bandwidth, of := float64(u.Mbit)*BytesPerMbps, "reported by the interface"
	if bandwidth == 0 && speed != nil {
		bandwidth, of = speed(t.Keys[record.KeyMachine])
	}
	if bandwidth > 0 {
		use := rate / bandwidth
		e.Speed, e.SpeedOf, e.NetworkUse = &bandwidth, of, &use
	}
}

func (e Evidence) networkFull() bool {
	return len(e.Exceeded) > 0 || e.NetworkUse != nil && *e.NetworkUse >= fullNetwork
}

// networkIdle reports whether the network is known not to be the bottleneck.
func (e Evidence) networkIdle() bool {
	return e.Network != nil && len(e.Exceeded) == 0 && (e.NetworkUse != nil && !e.networkFull() || *e.Network < quietNetwork)
}

func (e Evidence) network() string {
	use := e.NetworkUse
	switch {
	case len(e.Exceeded) > 0:
		return "the network exceeded an allowance of the instance type: " + trialset.ExceededText(e.Exceeded)
	case e.Elsewhere:
		return "the network of the server machine is unknown"
	case e.Network == nil:
		return "network traffic is unknown"
	case e.Interface == "" && *e.Network >= quietNetwork:
		return fmt.Sprintf("the busiest interface differs between runs, with %.4g MB/s, and their total bandwidth is unknown", *e.Network/1e6)
	case e.Interface == "" || *e.Network < quietNetwork && use == nil:
		if *e.Loopback > *e.Network {
			return fmt.Sprintf("clients are on the same machine: %.4g MB/s go through the loopback interface, which is never the bottleneck", *e.Loopback/1e6)
		}
		return "the network is idle"
	case use == nil:
		return fmt.Sprintf("%s transfers %.4g MB/s, and its bandwidth is unknown", e.Interface, *e.Network/1e6)
	}
	return fmt.Sprintf("%s transfers %.4g MB/s, %s of its %.4g MB/s (%s)", e.Interface, *e.Network/1e6, Pct(*use), *e.Speed/1e6, e.SpeedOf)
}

// meanNetwork returns the means of the figures that all trials have.
func meanNetwork(all []Evidence) networkEvidence {
	out := all[0].networkEvidence
	for _, e := range all {
		if e.Interface != out.Interface {
			// A nearly idle interface is the busiest by chance.
			out.Interface, out.SpeedOf, out.Speed = "", "", nil
		}
		out.Elsewhere = out.Elsewhere || e.Elsewhere
	}
	out.Exceeded = exceededOf(all)
	out.Network = meanOf(all, func(e Evidence) *float64 { return e.Network })
	out.Loopback = meanOf(all, func(e Evidence) *float64 { return e.Loopback })
	out.NetworkUse = meanOf(all, func(e Evidence) *float64 { return e.NetworkUse })
	return out
}

// exceededOf adds up the packets over allowances.
func exceededOf(all []Evidence) map[string]int64 {
	var sum record.NetworkUse
	for _, e := range all {
		for counter, n := range e.Exceeded {
			sum.Exceed(counter, n)
		}
	}
	return sum.Exceeded
}

// BytesPerMbps converts Mbit/s to B/s.
const BytesPerMbps = 1e6 / 8
