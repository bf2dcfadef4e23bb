// Package network is the workload "network": streams, datagrams and round trips between the load generator and a peer
// on the target, which accounts for every byte and datagram.
package network

import (
	"fmt"
	"time"

	"plimsoll/internal/client/load"
	"plimsoll/internal/client/netload"
	"plimsoll/internal/engine"
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Name is the workload's name.
const Name = "network"

// The workload's own parameters; those that make a load are record.Param*.
const (
	paramMode        = "mode"
	paramTransport   = "transport"
	paramDirection   = "direction"
	paramSize        = "size"
	paramAnswer      = "answer"
	paramTLS         = engine.ParamTLS
	paramBuffer      = "socket_buffer"
	paramCongestion  = "congestion"
	paramTimeout     = "timeout"
	paramAddress     = workload.ParamAddress
	paramPort        = "port"
	paramConnections = record.ParamConnections
)

// The values of direction.
const (
	directionOut  = "out"
	directionIn   = "in"
	directionBoth = "both"
)

// The metrics that record doesn't name.
const (
	metricOut          = "out"
	metricIn           = "in"
	metricLost         = "lost"
	metricDuplicated   = "duplicated"
	metricReordered    = "reordered"
	metricTargetCPU    = "target_cpu_per_gb"
	metricGeneratorCPU = "generator_cpu_per_gb"
)

// The sizes that fit each use: iperf3's block, a datagram within an MTU of 1500 with room for a tunnel's headers, and a
// small request.
const (
	usualBlock    = "128KiB"
	usualDatagram = "1400B"
	usualRequest  = "64B"
)

// smallSize is the size in bytes from which a network is judged by its bandwidth; below it, by its operations, as disks
// are.
const smallSize = 16 << 10

// mostConnections bounds the threads: each connection has one at either end.
const mostConnections = 1024

// Spec declares the workload.
func Spec() workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name: Name,
			Doc: "moves streams, datagrams or round trips between the load generator and the target, and accounts for " +
				"every byte",
			Params: append(workParams(), loadParams()...),
			Metrics: append([]record.Metric{
				{Name: record.Throughput, Unit: "B/s", Better: record.Higher,
					Doc: "payload that arrived per second, in all directions; iops is the primary metric of sizes below " +
						"16KiB, latency_p99 under a rate"},
				{Name: record.IOPS, Unit: "op/s", Better: record.Higher,
					Doc: "blocks, datagrams that arrived, or round trips per second"},
				{Name: record.LatencyP50, Unit: "s", Better: record.Lower,
					Doc: "of a round trip, from its intended start to the last byte of the answer; of a stream, until a block " +
						"was handed to the kernel or has arrived"},
				{Name: record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: metricOut, Unit: "B/s", Better: record.Higher,
					Doc: "of direction=both, the payload from the generator to the target"},
				{Name: metricIn, Unit: "B/s", Better: record.Higher,
					Doc: "of direction=both, the payload from the target to the generator"},
				{Name: metricLost, Unit: "%", Better: record.Lower,
					Doc: "of UDP, datagrams or round trips that were sent and did not arrive, over the whole load"},
				{Name: metricDuplicated, Unit: "%", Better: record.Lower,
					Doc: "of UDP, datagrams that arrived again, of all that arrived"},
				{Name: metricReordered, Unit: "%", Better: record.Lower,
					Doc: "of UDP, datagrams that arrived after a later one, of all that arrived"},
				{Name: record.CPUPerOp, Unit: "s", Better: record.Lower, Doc: "CPU time of the target per operation"},
				{Name: metricTargetCPU, Unit: "s/GB", Better: record.Lower,
					Doc: "CPU time of the target's threads per GB of payload of a stream"},
				{Name: metricGeneratorCPU, Unit: "s/GB", Better: record.Lower,
					Doc: "CPU time of the generator's threads per GB of payload of a stream"},
				{Name: record.CPUPercent, Unit: "%", Better: record.Neutral,
					Doc: "CPU use of the target's CPUs; of the whole target if other hosts make the load"},
			}, record.PacketMetrics("operation")...),
			Loads: []record.LoadKind{record.Closed, record.Open}, Serves: true, Timeline: true,
			Small: &record.Small{Param: paramSize, Below: smallSize, Metric: record.IOPS},
		},
		Charge: workload.Started,
		Waits:  true,
		Ends:   true,
		Split:  func(p workload.Params) bool { return p.Text(record.ParamCPUSets) == record.CPUsSplit },
		Lanes: func(p workload.Params, l record.LoadPoint, _ int) int {
			return workload.Clients(l, p.Int(paramConnections))
		},
		Check:   check,
		Cost:    cost,
		Serve:   newServer,
		Aim:     aimed,
		New:     newDriver,
		Command: command(),
	}
}

// derivedSize returns the size that fits the mode.
func derivedSize(vals record.Params) string {
	switch {
	case vals[paramMode] == netload.RoundTrip:
		return usualRequest
	case vals[paramTransport] == netload.UDP:
		return usualDatagram
	}
	return usualBlock
}

func workParams() []record.Param {
	tcp := []record.Only{{Param: paramTransport, Is: []string{netload.TCP}}}
	return []record.Param{
		{Name: paramMode, Kind: record.Enum, Default: netload.Stream, Choices: []string{netload.Stream, netload.RoundTrip},
			Phase: record.Load,
			Doc:   "stream: blocks or datagrams one after the other; round_trip: requests, each after the last one's answer"},
		{Name: paramTransport, Kind: record.Enum, Default: netload.TCP, Choices: []string{netload.TCP, netload.UDP},
			Phase: record.Load, Doc: "tcp, or udp, whose datagrams are never split into fragments"},
		{Name: paramDirection, Kind: record.Enum, Default: directionOut,
			Choices: []string{directionOut, directionIn, directionBoth}, Phase: record.Load,
			Only: []record.Only{{Param: paramMode, Is: []string{netload.Stream},
				Hint: "leave it out: round trips go in both directions"}},
			Doc: "of streams: out of the generator, into it, or both at once, half of the connections each"},
		{Name: paramSize, Kind: record.Size, Default: usualBlock, Derive: derivedSize, Min: netload.LeastSize, Max: 64 << 20,
			Phase: record.Load,
			Doc:   "bytes of a block, datagram or request; default: 128KiB, 1400B for a stream of udp, 64B for round_trip"},
		{Name: paramAnswer, Minor: true, Kind: record.Size, Default: "0B", Min: 0, Max: 64 << 20, Phase: record.Load,
			Only: []record.Only{{Param: paramMode, Is: []string{netload.RoundTrip}}},
			Doc:  "bytes of the answer of round_trip; 0B: as large as the request"},
		{Name: paramTLS, Kind: record.Bool, Default: "false", Phase: record.Server, Only: tcp,
			Doc: "encrypt by TLS 1.3, with Go's library at both ends"},
		{Name: paramBuffer, Minor: true, Kind: record.Size, Default: "0B", Min: 0, Max: 1 << 30, Phase: record.Load,
			Doc: "socket buffers at both ends (SO_SNDBUF, SO_RCVBUF); 0B: the kernel's choice"},
		{Name: paramCongestion, Minor: true, Kind: record.Text, Phase: record.Load, Only: tcp,
			Doc: "congestion control of tcp at both ends, such as bbr; default: the kernel's choice"},
		{Name: paramTimeout, Minor: true, Kind: record.Duration, Default: "5s", Min: .2, Max: 3600, Phase: record.Load,
			Doc: "time without progress after which a connection has failed; of udp, time after which a round trip is lost"},
		{Name: paramAddress, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "IP address at which other hosts reach the target; default: its first one that is not loopback"},
		{Name: paramPort, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 65535, Phase: record.Server,
			Doc: "TCP and UDP port of the target; 0: any free one"},
	}
}

func loadParams() []record.Param {
	return []record.Param{
		{Name: record.ParamClients, Kind: record.Int, Default: "1", Min: 0, Max: mostConnections, Phase: record.Load,
			Shared: true, Doc: "closed loop: number of connections across all generators, with a thread each"},
		{Name: record.ParamRate, Kind: record.Float, Default: "0", Min: 0, Max: 1e7, Phase: record.Load,
			Doc: "open loop: blocks, datagrams or requests per second that the generator sends"},
		{Name: record.ParamArrivals, Kind: record.Enum, Default: load.Poisson, Choices: []string{load.Poisson, load.Uniform},
			Phase: record.Load, Doc: "spacing of an open loop's operations"},
		{Name: paramConnections, Minor: true, Kind: record.Int, Default: "8", Min: 1, Max: mostConnections,
			Phase: record.Load, Shared: true, Doc: "open loop: number of connections across all generators"},
		workload.CPUSets(record.CPUsSplit, "target and generator"),
	}
}

// orderOf returns the work of a connection of a load.
func orderOf(p workload.Params, l record.LoadPoint, out bool) netload.Order {
	o := netload.Order{Mode: p.Text(paramMode), Transport: p.Text(paramTransport), Out: out, Size: p.Int(paramSize),
		TLS: p.Bool(paramTLS), Buffer: p.Int(paramBuffer), Congestion: p.Text(paramCongestion),
		Timeout: time.Duration(p.Number(paramTimeout) * float64(time.Second))}
	o.Paced = l.Kind == record.Open && o.Transport == netload.UDP && o.Mode == netload.Stream
	if o.Mode == netload.RoundTrip {
		if o.Answer = p.Int(paramAnswer); o.Answer == 0 {
			o.Answer = o.Size
		}
	}
	return o
}

func check(p workload.Params, _ record.Machine) error {
	direction, udp := p.Text(paramDirection), p.Text(paramTransport) == netload.UDP
	switch {
	case p.Int(paramAnswer) > 0 && p.Int(paramAnswer) < netload.LeastSize:
		return fmt.Errorf("%s: an answer has at least %d bytes\nhint: --set %s.%s=%dB", Name, netload.LeastSize, Name,
			paramAnswer, netload.LeastSize)
	case udp && max(p.Int(paramSize), p.Int(paramAnswer)) > netload.MostDatagram:
		return fmt.Errorf("%s: a datagram has at most %d bytes\nhint: --set %s.%s=%s", Name, netload.MostDatagram, Name,
			paramSize, usualDatagram)
	case p.Number(record.ParamRate) > 0 && direction != directionOut:
		return fmt.Errorf("%s: a rate needs a stream that only the generator sends, not %s=%s\nhint: --set "+
			"%s.%s=%s", Name, paramDirection, direction, Name, paramDirection, directionOut)
	case direction == directionBoth && p.Int(record.ParamClients)%2 != 0:
		return fmt.Errorf("%s: %s=%s needs an even number of connections, half for each direction\nhint: --clients 2", Name,
			paramDirection, direction)
	}
	return nil
}

// startCPU is the CPU seconds that the peer's start takes on the reference machine.
const startCPU = .05

func cost(workload.Params, record.LoadPoint, record.Machine) forecast.Cost {
	return forecast.Cost{Steps: []forecast.Step{{Name: forecast.Start, Work: forecast.Work{CPU: startCPU, Threads: 1}}}}
}

// command is the way to type the workload; the counterparts are iperf3's and sockperf's.
func command() workload.Command {
	return workload.Command{
		Peers: []workload.Peer{
			{Flags: []string{"P", "parallel"}, Use: "--clients N has N connections", As: "--clients {value}"},
			{Flags: []string{"R", "reverse"}, Use: "--direction in receives from the target", As: "--direction in"},
			// It has no form: the connections have to be even.
			{Flags: []string{"bidir", "d"}, Use: "--direction both --clients 2 sends and receives at once"},
			{Flags: []string{"u", "udp"}, Use: "--transport udp", As: "--transport udp"},
			{Flags: []string{"b", "bitrate", "bandwidth"},
				Use: "--rate N sends N blocks of --size per second: --rate 1000 --size 125kB is 1 Gbit/s"},
			{Flags: []string{"l", "len", "msg-size"}, Use: "--size N", As: "--size {value}"},
			{Flags: []string{"w", "window"}, Use: "--socket-buffer N", As: "--socket-buffer {value}"},
			{Flags: []string{"C"}, Use: "--congestion NAME", As: "--congestion {value}"},
			{Flags: []string{"t"}, Use: "--for 10s measures for that long in each run", As: "--for {value}"},
			{Flags: []string{"client"}, Use: "--on 'ssh HOST' names the target, --generator 'ssh HOST' the other end"},
		},
		Examples: []workload.Example{
			{Command: "run network --on 'ssh db1' --generator 'ssh app1'", Doc: "the bandwidth of TCP from app1 to db1"},
			{Command: "run network --on 'ssh db1' --generator 'ssh app1' --direction both --clients 2,4,8",
				Doc: "both directions at once, by several numbers of connections"},
			{Command: "run network --mode round_trip --sweep size=64B,1KiB,16KiB",
				Doc: "round trips over the loopback interface, by size"},
			{Command: "run network --transport udp --size 64B --on 'ssh db1' --generator 'ssh app1'",
				Doc: "small datagrams: packets per second, and those that are lost"},
			{Command: "run network --mode round_trip --rate 5000 --on 'ssh db1' --generator 'ssh app1'",
				Doc: "latency of 5000 round trips a second, from their intended start"},
			{Command: "run network --vary tls=false,true --clients 4", Doc: "the cost of TLS"},
		},
	}
}
