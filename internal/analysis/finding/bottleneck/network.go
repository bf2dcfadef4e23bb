package bottleneck

import (
	"cmp"
	"fmt"

	"plimsoll/internal/analysis/finding/throttling"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// networkEvidence holds the traffic of the machine that does the work: means over trials, B/s. A nil pointer is
// unknown.
type networkEvidence struct {
	Interface string   `json:"interface,omitempty"`       // with the most traffic in one direction
	Network   *float64 `json:"network_bytes_per_s"`       // its traffic in the busier direction
	Speed     *float64 `json:"network_speed_bytes_per_s"` // its bandwidth in one direction
	// source of that: workload network on this interface, the interface, or an instance type
	SpeedOf string `json:"network_speed_of,omitempty"`
	// share of that bandwidth, above 1 in a burst
	NetworkUse *float64 `json:"network_use"`
	// the maximum that the share is of, if workload network measured it
	NetworkUseOf string `json:"network_use_of,omitempty"`
	// bandwidth of the instance type in one direction for a limited time, if higher than the baseline
	Burst *float64 `json:"network_burst_bytes_per_s,omitempty"`
	// received and sent packets of the interface; absent if they were not counted
	Packets *float64 `json:"network_packets_per_s,omitempty"`
	// between processes of the machine: no network, and never a bottleneck
	Loopback *float64 `json:"loopback_bytes_per_s"`
	// likewise, each packet once
	LoopbackPackets *float64 `json:"loopback_packets_per_s,omitempty"`
	// packets queued or dropped, by counter, of all trials
	Exceeded    map[string]int64 `json:"network_allowance_exceeded,omitempty"`
	TypeNetwork string           `json:"network_of_type,omitempty"`   // bandwidth of the instance type, in words
	Elsewhere   bool             `json:"network_elsewhere,omitempty"` // the machine that does the work is not monitored
}

// fullNetwork is the share of an interface's bandwidth from which it is saturated: its counters miss part of the frame
// headers.
const fullNetwork = .9

// quietNetwork is the traffic, B/s, up to which an interface of unknown bandwidth counts as idle.
const quietNetwork = 1e6

// inBurst is the share of the baseline above which an interface is in a burst: up to there the counters and the seconds
// at the window's ends may differ.
const inBurst = 1.1

// networkWorkload is the workload that measures the throughput of networks.
const networkWorkload = throttling.NetworkWorkload

// networkMost is the highest throughput of workload network on an interface, each the mean of some trial.
type networkMost struct {
	received, sent float64 // B/s
	packets        float64 // packets/s in both directions
	size           float64 // bytes of a packet in the trial with most of them, on average
}

// networksMeasured returns the interfaces that trials of workload network used most, with their maxima; extra pairs and
// probes of searches count.
func networksMeasured(trials []record.Trial) map[DeviceKey]networkMost {
	out := map[DeviceKey]networkMost{}
	for _, t := range trialset.WithExtras(trialset.Valid(trials)) {
		u := t.Network
		if trialset.WorkloadOf(t) != networkWorkload || u == nil || u.Interface == "" || t.DurationS <= 0 {
			continue
		}
		at := DeviceKey{t.Keys[record.KeyMachine], u.Interface}
		m := out[at]
		m.received = max(m.received, float64(u.ReceivedBytes)/t.DurationS)
		m.sent = max(m.sent, float64(u.SentBytes)/t.DurationS)
		if packets := float64(u.ReceivedPackets+u.SentPackets) / t.DurationS; packets > m.packets {
			m.packets, m.size = packets, meanPacket(*u)
		}
		out[at] = m
	}
	return out
}

// meanPacket returns the mean size of a packet in bytes.
func meanPacket(u record.NetworkUse) float64 {
	return trialset.Part(float64(u.ReceivedBytes+u.SentBytes), float64(u.ReceivedPackets+u.SentPackets))
}

// againstMeasured relates the traffic to the maximum that workload network measured on the interface, as disks does. It
// returns false if nothing was measured there, or the traffic exceeded it.
func (e *Evidence) againstMeasured(t record.Trial, measured map[DeviceKey]networkMost) bool {
	u := t.Network
	most, ok := measured[DeviceKey{cmp.Or(u.Host, t.Keys[record.KeyMachine]), u.Interface}]
	if !ok || trialset.WorkloadOf(t) == networkWorkload { // a full load cannot serve as its own reference
		return false
	}
	if meanPacket(*u) < most.size/muchSmaller {
		most.packets = 0 // there may be more of much smaller packets
	}
	of, use := highest(t.DurationS, []measure{
		{"bytes received a second", float64(u.ReceivedBytes), most.received},
		{"bytes sent a second", float64(u.SentBytes), most.sent},
		{"packets a second", float64(u.ReceivedPackets + u.SentPackets), most.packets},
	})
	if use == nil {
		return false
	}
	// Like other sources' bandwidth: in the busier direction.
	speed := most.sent
	if u.ReceivedBytes > u.SentBytes {
		speed = most.received
	}
	e.Speed, e.SpeedOf, e.NetworkUse, e.NetworkUseOf = &speed, "measured by workload network", use, of
	return true
}

// networkOf relates the interface's traffic to its bandwidth: as measured in the same session, else as stated.
func (e *Evidence) networkOf(t record.Trial, typeOf func(machine string) catalog.Type,
	measured map[DeviceKey]networkMost) {
	if e.CPU == nil && t.Keys[record.KeyUnseen] != record.UnseenHere { // a remote server has another network
		e.Elsewhere = true
		return
	}
	u := t.Network
	if u == nil || t.DurationS <= 0 {
		return
	}
	loop, rate := float64(u.LoopbackBytes)/t.DurationS, float64(max(u.ReceivedBytes, u.SentBytes))/t.DurationS
	e.Interface, e.Loopback, e.Network, e.Exceeded = ofBusiest(t, u.Interface), &loop, &rate, u.Exceeded
	if n := u.ReceivedPackets + u.SentPackets; n > 0 {
		rate := float64(n) / t.DurationS
		e.Packets = &rate
	}
	if u.LoopbackPackets > 0 {
		rate := float64(u.LoopbackPackets) / t.DurationS
		e.LoopbackPackets = &rate
	}
	bandwidth, source := float64(u.Mbit)*BytesPerMbps, "reported by the interface"
	kind := typeOf(t.Keys[record.KeyMachine])
	if bandwidth == 0 && kind.NetworkMbps.Known {
		bandwidth, source = kind.NetworkMbps.Value*BytesPerMbps, "guaranteed to "+kind.Name
		if burst := kind.NetworkBurstMbps.Value * BytesPerMbps; burst > bandwidth {
			e.Burst = &burst
		}
	}
	e.TypeNetwork = kind.NetworkText()
	if e.againstMeasured(t, measured) {
		e.Burst = nil
		return
	}
	if bandwidth > 0 {
		use := rate / bandwidth
		e.Speed, e.SpeedOf, e.NetworkUse = &bandwidth, source, &use
	}
}

func (e Evidence) networkFull() bool {
	return len(e.Exceeded) > 0 || e.netHeld != "" || e.NetworkUse != nil && *e.NetworkUse >= fullNetwork && !e.bursts()
}

// bursts reports whether the interface moved more than its baseline, with room below its burst.
func (e Evidence) bursts() bool {
	return e.Burst != nil && e.NetworkUse != nil && *e.NetworkUse > inBurst && *e.Network < fullNetwork**e.Burst
}

// networkIdle reports whether the network is known not to be the bottleneck.
func (e Evidence) networkIdle() bool {
	return e.Network != nil && len(e.Exceeded) == 0 && e.netHeld == "" &&
		(e.NetworkUse != nil && !e.networkFull() || *e.Network < quietNetwork)
}

func (e Evidence) network() string {
	use := e.NetworkUse
	switch {
	case len(e.Exceeded) > 0:
		return e.exceeded()
	case e.netHeld != "":
		return "the network is throttled to " + e.netHeld
	case e.Elsewhere:
		return "the network of the server machine is unknown"
	case e.Network == nil:
		return "network traffic is unknown"
	case e.Interface == "" && *e.Network >= quietNetwork:
		return fmt.Sprintf("the busiest interface differs between runs, with %.4g MB/s, and their total bandwidth is unknown",
			*e.Network/1e6)
	case e.Interface == "" || *e.Network < quietNetwork && use == nil:
		if *e.Loopback > *e.Network {
			return fmt.Sprintf("clients are on the same machine: %.4g MB/s%s go through the loopback interface, which is never "+
				"the bottleneck", *e.Loopback/1e6, inPackets(e.LoopbackPackets))
		}
		return "the network is idle"
	case use == nil:
		return fmt.Sprintf("%s transfers %.4g MB/s%s, and its bandwidth is unknown", e.Interface, *e.Network/1e6,
			inPackets(e.Packets))
	}
	if e.bursts() {
		return fmt.Sprintf("%s transfers %.4g MB/s%s, a burst over the %.4g MB/s %s (burst %.4g MB/s): under sustained "+
			"load the network falls to that", e.Interface, *e.Network/1e6, inPackets(e.Packets), *e.Speed/1e6, e.SpeedOf,
			*e.Burst/1e6)
	}
	if e.NetworkUseOf != "" {
		return fmt.Sprintf("%s transfers %.4g MB/s%s, %s of the %s that workload network measured on it", e.Interface,
			*e.Network/1e6, inPackets(e.Packets), Pct(*use), e.NetworkUseOf)
	}
	return fmt.Sprintf("%s transfers %.4g MB/s%s, %s of its %.4g MB/s (%s)", e.Interface, *e.Network/1e6,
		inPackets(e.Packets), Pct(*use), *e.Speed/1e6, e.SpeedOf)
}

// inPackets returns a rate of packets as words after that of bytes; "" if it is unknown.
func inPackets(perSecond *float64) string {
	if perSecond == nil {
		return ""
	}
	return " in " + figure.Quantity(*perSecond, "packets/s")
}

// exceeded names the allowances, and the type's bandwidth beside them.
func (e Evidence) exceeded() string {
	text := "the network exceeded an allowance of the instance type: " + trialset.ExceededText(e.Exceeded)
	if e.TypeNetwork != "" {
		text += " (" + e.TypeNetwork + ")"
	}
	return text
}

// meanNetwork returns the means of the figures that all trials have.
func meanNetwork(all []Evidence) networkEvidence {
	out := all[0].networkEvidence
	for _, e := range all {
		if e.Interface != out.Interface {
			// A nearly idle interface is the busiest by chance.
			out.Interface, out.SpeedOf, out.Speed = "", "", nil
		}
		if e.NetworkUseOf != out.NetworkUseOf {
			out.NetworkUseOf = "bytes or packets a second"
		}
		out.Elsewhere = out.Elsewhere || e.Elsewhere
	}
	out.Exceeded = exceededOf(all)
	out.Network = meanOf(all, func(e Evidence) *float64 { return e.Network })
	out.Loopback = meanOf(all, func(e Evidence) *float64 { return e.Loopback })
	out.NetworkUse = meanOf(all, func(e Evidence) *float64 { return e.NetworkUse })
	out.Packets = meanOf(all, func(e Evidence) *float64 { return e.Packets })
	out.LoopbackPackets = meanOf(all, func(e Evidence) *float64 { return e.LoopbackPackets })
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
