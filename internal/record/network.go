package record

// NetworkUse is the network traffic of the machine that does the work over the measured window, whoever caused it.
// A packet is what an interface and the kernel handed to each other: with segmentation offloaded one of up to 64 KiB
// goes over the wire as many. Packets are 0 in sessions from before they were counted.
type NetworkUse struct {
	// Interface that moved most in one direction; "" if only the loopback did.
	Interface       string `json:"interface,omitempty"`
	Host            string `json:"host,omitempty"`             // of a cluster, the machine of the interface; "": the first
	ReceivedBytes   int64  `json:"received_bytes"`             // by that interface
	SentBytes       int64  `json:"sent_bytes"`                 // likewise
	ReceivedPackets int64  `json:"received_packets,omitempty"` // likewise
	SentPackets     int64  `json:"sent_packets,omitempty"`     // likewise
	Mbit            int64  `json:"mbit_per_s,omitempty"`       // nominal speed in one direction, 10^6 bit/s; 0 unknown
	LoopbackBytes   int64  `json:"loopback_bytes"`             // between processes of this machine
	LoopbackPackets int64  `json:"loopback_packets,omitempty"` // likewise

	// Exceeded counts the packets that NICs queued or dropped because the instance was over an allowance of its type, by
	// the driver's counter, such as "pps_allowance_exceeded"; nil if there was none or the NIC does not count them.
	Exceeded map[string]int64 `json:"allowance_exceeded,omitempty"`
}

// Exceed adds packets to a counter of Exceeded.
func (u *NetworkUse) Exceed(counter string, packets int64) {
	if u.Exceeded == nil {
		u.Exceeded = map[string]int64{}
	}
	u.Exceeded[counter] += packets
}

// Packets returns the packets of the path that moved most: received and sent by the interface, or those of the
// loopback, each once; 0 if they were not counted.
func (u *NetworkUse) Packets() int64 {
	switch {
	case u == nil:
		return 0
	case u.LoopbackBytes > max(u.ReceivedBytes, u.SentBytes):
		return u.LoopbackPackets
	}
	return u.ReceivedPackets + u.SentPackets
}

// PacketValues returns the packets a second of a window of that many seconds, and for each operation if their rate is
// known (above 0). It returns nil if no packets were counted.
func (u *NetworkUse) PacketValues(seconds, opsPerSecond float64) []Value {
	n := u.Packets()
	if n <= 0 || !(seconds > 0) {
		return nil
	}
	rate := float64(n) / seconds
	metrics := PacketMetrics("")
	out := []Value{{Metric: metrics[0], Value: rate}}
	if opsPerSecond > 0 {
		out = append(out, Value{Metric: metrics[1], Value: rate / opsPerSecond})
	}
	return out
}

// PacketMetrics returns the metrics of PacketValues, described for a workload that calls its operation so; "" leaves
// that out.
func PacketMetrics(operation string) []Metric {
	out := []Metric{{Name: Packets, Unit: "packets/s", Better: Neutral},
		{Name: PacketsPerOp, Unit: "packets/op", Better: Neutral}}
	if operation != "" {
		out[0].Doc = "packets that the server's busiest interface received and sent per second; of the loopback, each " +
			"once, if more goes through that"
		out[1].Doc = "packets per " + operation
	}
	return out
}
