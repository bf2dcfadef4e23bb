// Package kafka is the workload `kafka`: records for a log broker, one that it starts itself or any that speaks
// Kafka's protocol, and the proof that each of them was delivered once.
package kafka

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/client/load"
	broker "plimsoll/internal/engine/kafka"
	"plimsoll/internal/engine/redpanda"
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/fault"
	"plimsoll/internal/workload/kafka/brokerfault"
	"plimsoll/internal/workload/there"
)

// Name is the workload's name.
const Name = "kafka"

// The workload's own parameters; those that make a load are record.Param*.
const (
	paramBrokers      = "brokers"
	paramCA           = "ca"
	paramInsecure     = "insecure"
	paramSASL         = "sasl"
	paramUser         = "user"
	paramPasswordFile = "password_file"
	paramTopic        = "topic"
	paramReplication  = "replication"
	paramMinInsync    = "min_insync"
	paramNodes        = record.ParamNodes
	paramRacks        = "racks"
	paramFault        = "fault"
	paramFaultDown    = record.ParamFaultDown
	paramPartitions   = "partitions"
	paramRetention    = "retention"
	paramRecordSize   = "record_size"
	paramCompress     = "compressibility"
	paramKeys         = "keys"
	paramSpread       = "spread"
	paramAcks         = "acks"
	paramIdempotence  = "idempotence"
	paramInFlight     = "in_flight"
	paramBatch        = "batch_bytes"
	paramLinger       = "linger"
	paramCodec        = "codec"
	paramBuffer       = "buffer"
	paramTimeout      = "timeout"
	paramConnections  = record.ParamConnections
	paramAddress      = workload.ParamAddress
	paramPort         = "port"
	paramPath         = workload.ParamPath

	paramMode           = "mode"
	paramConsumers      = "consumers"
	paramFill           = "fill"
	paramFetchMin       = "fetch_min_bytes"
	paramFetchMax       = "fetch_max_bytes"
	paramFetchPartition = "fetch_max_partition_bytes"
	paramFetchWait      = "fetch_max_wait"
	paramFetches        = "fetches"
	paramIsolation      = "isolation"
	paramCheckCRCs      = "check_crcs"

	// brokerPrefix begins the names of the engine's parameters.
	brokerPrefix = "broker."
	paramTLS     = brokerPrefix + broker.ParamTLS
	paramHeap    = brokerPrefix + broker.ParamHeap
	paramRelease = brokerPrefix + broker.ParamRelease
)

// The workload's own metrics.
const (
	metricIngest = "ingest"
	metricEgress = "egress"
	metricFetch  = "fetch"
	metricPasses = "passes"
	metricBatch  = "batch"
	metricShrunk = "compression_ratio"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name: Name,
			Doc: "produces records to a log broker started for the run, or to an existing one, consumes them, " +
				"or both; open or closed loop over Kafka's protocol",
			Params: slices.Concat(recordParams(), clientParams(), consumerParams(), brokerParams(), loadParams()),
			Metrics: append([]record.Metric{
				{Name: record.Throughput, Unit: "op/s", Better: record.Higher,
					Doc: "records acknowledged, or delivered to a consumer, per second; under a rate, latency_p99 is the " +
						"primary metric"},
				{Name: record.LatencyP50, Unit: "s", Better: record.Lower,
					Doc: "from the intended start to the acknowledgement, or to the delivery to a consumer; in a " +
						"closed loop from when a client took the record; in consume a poll's time per record"},
				{Name: record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: metricIngest, Unit: "B/s", Better: record.Higher,
					Doc: "bytes of keys and values acknowledged per second, before compression; in end_to_end those delivered " +
						"to a consumer"},
				{Name: metricEgress, Unit: "B/s", Better: record.Higher,
					Doc: "bytes of keys and values delivered to consumers per second"},
				{Name: metricFetch, Unit: "op", Better: record.Neutral, Doc: "mean number of records per poll of a consumer"},
				{Name: metricPasses, Unit: "op", Better: record.Neutral,
					Doc: "consume: mean number of times that a consumer started over"},
				{Name: metricBatch, Unit: "op", Better: record.Neutral,
					Doc: "mean number of records per batch, over the whole run"},
				{Name: metricShrunk, Unit: "ratio", Better: record.Neutral,
					Doc: "compression ratio: bytes of a batch over bytes sent; only with a codec"},
				{Name: record.FaultInSync, Unit: "s", Better: record.Lower,
					Doc: "with a fault: from the kill until all replicas were in sync again"},
				{Name: record.CPUPerOp, Unit: "s", Better: record.Lower, Doc: "CPU time of the broker per record"},
				{Name: record.GeneratorCPUPerOp, Unit: "s", Better: record.Neutral,
					Doc: "CPU time of the clients per record, in a closed loop; absent if other hosts make the load"},
				{Name: record.CPUPercent, Unit: "%", Better: record.Neutral,
					Doc: "CPU use of the broker's CPUs; of the whole target if other hosts make the load"},
			}, slices.Concat(record.PacketMetrics("record"),
				fault.Metrics(record.FaultPrefix, "with a fault", "the kill"), brokerfault.AddMetrics())...),
			Loads:   []record.LoadKind{record.Closed, record.Open},
			Needs:   []string{broker.Engine{}.Name()},
			Presets: presets(),
			Serves:  true, Clusters: true,
		},
		Charge: workload.Started,
		Whole:  true,
		Split: func(p workload.Params) bool {
			return p.Text(record.ParamCPUSets) == record.CPUsSplit && !isExternal(p)
		},
		Lanes: func(p workload.Params, l record.LoadPoint, cpus int) int {
			return min(cpus, workload.Clients(l, p.Int(paramConnections)))
		},
		Check:     check,
		Preflight: preflight,
		Cost:      cost,
		Path:      func(p workload.Params) (string, bool) { return p.Text(paramPath), !isExternal(p) },
		Runs:      runs,
		Serve:     newServing, Aim: aimed, CheckServe: checkServe, Joins: joins, Held: held,
		Faults: func(p workload.Params) []float64 {
			return faultsOf(p).Shares()
		},
		Command: command(),
		There: func(p workload.Params) (workload.There, bool) {
			return there.At(p, brokers(p)...), isExternal(p)
		},
		New: newDriver,
	}
}

func runs(p workload.Params) workload.Runs {
	switch {
	case isExternal(p):
		return workload.External
	case isRedpanda(p):
		return workload.Programs
	}
	return workload.Java
}

func check(p workload.Params, m record.Machine) error {
	for _, f := range []func(workload.Params) error{
		checkRecord, checkDelivery, checkTopic, checkMode, checkBroker, checkFault} {
		if err := f(p); err != nil {
			return err
		}
	}
	return checkMemory(p, m)
}

// recordOverhead is the size of a record, and of a batch with it alone, beside key and value: 61 bytes of the
// batch's header, and up to 30 of lengths, time and offset (the format's version 2).
const recordOverhead = 100

func checkRecord(p workload.Params) error {
	size, batch := p.Int(paramRecordSize)+keyBytes(p), p.Int(paramBatch)
	if size+recordOverhead > mostBatch {
		return fmt.Errorf("%s: a record of %d bytes exceeds the largest possible "+
			"batch, %s\nhint: --set %s.%s=%s", Name, size, record.FormatSize(mostBatch), Name, paramRecordSize,
			record.FormatSize(mostBatch/2))
	}
	if size+recordOverhead > batch {
		return fmt.Errorf("%s: a record of %d bytes does not fit into a batch of at most %d\nhint: --set %s.%s=%s; "+
			"an existing broker has its own limit, max.message.bytes of the topic",
			Name, size, batch, Name, paramBatch, record.FormatSize(int64(size+recordOverhead)))
	}
	if p.Int(paramBuffer) < size {
		return fmt.Errorf("%s: %s=%s is smaller than one record of %d "+
			"bytes\nhint: --set %s.%s=%s", Name, paramBuffer, p.Text(paramBuffer), size, Name, paramBuffer,
			record.FormatSize(int64(batch)))
	}
	return nil
}

func checkDelivery(p workload.Params) error {
	if !p.Bool(paramIdempotence) {
		return nil
	}
	if p.Text(paramAcks) != acksAll {
		return fmt.Errorf("%s: %s=true needs %s=%s\nhint: --set %s.%s=false",
			Name, paramIdempotence, paramAcks, acksAll, Name, paramIdempotence)
	}
	if p.Int(paramInFlight) != idempotentInFlight {
		return fmt.Errorf("%s: with %s=true a client always has %d requests in flight\nhint: --set %s.%s=false, or "+
			"leave out %s", Name, paramIdempotence, idempotentInFlight, Name, paramIdempotence, paramInFlight)
	}
	return nil
}

func checkBroker(p workload.Params) error {
	if p.Text(paramSASL) != saslNone && (p.Text(paramUser) == "" || p.Text(paramPasswordFile) == "") {
		return fmt.Errorf("%s: %s=%s needs %s and %s\nhint: the password is read from a file, so that no session "+
			"contains it", Name, paramSASL, p.Text(paramSASL), paramUser, paramPasswordFile)
	}
	if err := checkCluster(p); err != nil {
		return err
	}
	if err := checkRelease(p); err != nil {
		return err
	}
	if _, err := heatOf(p); err != nil {
		return err
	}
	if !isExternal(p) {
		_, _, err := engineOfServer(p)
		return err
	}
	if len(brokers(p)) == 0 {
		return fmt.Errorf("%s: %s=%s names no broker\nhint: --set %s.%s=HOST:PORT",
			Name, paramBrokers, p.Text(paramBrokers), Name, paramBrokers)
	}
	return nil
}

// mostTopic is Kafka's limit on the length of a topic's name.
const mostTopic = 249

// checkTopic returns an error for a name that brokers reject.
func checkTopic(p workload.Params) error {
	name := p.Text(paramTopic)
	foreign := strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r))
	})
	if foreign || len(name) > mostTopic || name == "." || name == ".." {
		return fmt.Errorf("%s: %s=%s is not a valid topic name: ASCII letters, digits, and . _ -, at most "+
			"%d\nhint: leave it out for a unique one", Name, paramTopic, name, mostTopic)
	}
	return nil
}

// onEach returns the number of brokers on each host.
func onEach(p workload.Params, m record.Machine) int {
	return max(1, p.Int(paramNodes)/max(1, m.Hosts))
}

// checkMemory returns an error for heaps beyond the machine's memory, if that is known.
func checkMemory(p workload.Params, m record.Machine) error {
	nodes := int64(onEach(p, m))
	if m.Hosts < 2 {
		nodes += int64(joins(p))
	}
	param := paramHeap
	if isRedpanda(p) {
		param = redpandaPrefix + redpanda.ParamMemory
	}
	heap := int64(p.Number(param))
	if isExternal(p) || m.Memory == 0 || nodes*heap < m.Memory {
		return nil
	}
	of := ""
	if nodes > 1 {
		of = fmt.Sprintf(" for each of %d brokers", nodes)
	}
	return fmt.Errorf("%s: %s=%s%s, but the machine has %s of "+
		"memory\nhint: --set %s.%s=%s", Name, param, p.Text(param), of, record.FormatSize(m.Memory), Name, param,
		record.FormatSize(m.Memory/4/nodes))
}

// preflight returns an error if the broker cannot be started on this host, or if there is too little space for its
// log.
func preflight(ctx context.Context, p workload.Params, dir string) error {
	if isExternal(p) {
		return preflightExternal(p)
	}
	e, params, err := engineOfServer(p)
	if err != nil {
		return err
	}
	if _, err := e.Find(ctx, params); err != nil {
		return err
	}
	if dir, err = workload.CheckDataDir(Name, p.Text(paramPath), dir); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	space, err := workload.SpaceIn(dir)
	if err != nil {
		return nil // creating the directory reports the problem
	}
	if needed := room(p, p.Hosts()); space.Free < needed {
		if consumes(p) {
			return fmt.Errorf("%s: %w: the log to read takes %s, but %s has only %s free\nhint: --set %s.%s=256MiB, or --set "+
				"%s.%s=DIRECTORY on another disk", Name, workload.ErrNoSpace, p.Text(paramFill), dir, record.FormatSize(space.Free),
				Name, paramFill, Name, paramPath)
		}
		return fmt.Errorf("%s: %w: the log keeps %s and, in %d partitions, can briefly take %s here, but %s has only %s "+
			"free\nhint: --set %s.%s=256MiB, fewer %s, or --set %s.%s=DIRECTORY on another disk", Name, workload.ErrNoSpace,
			p.Text(paramRetention),
			p.Int(paramPartitions), record.FormatSize(needed), dir, record.FormatSize(space.Free), Name, paramRetention,
			paramPartitions, Name, paramPath)
	}
	return nil
}

// room returns the peak size of the log on each of so many hosts in bytes: its fill, or its retention and two segments
// more for each partition, the one being written and one that is deleted a second late, in each replica: all brokers of
// a host write below one directory. It is unknown, 0, for an external broker.
func room(p workload.Params, hosts int) int64 {
	if isExternal(p) {
		return 0
	}
	if consumes(p) {
		return perHost(p, hosts, int64(1.25*p.Number(paramFill)))
	}
	n := p.Int(paramPartitions)
	each, segment := bounds(p, n)
	replicas := perHost(p, hosts, int64(n))
	if hosts < 2 {
		// there twice while they are reassigned
		replicas += replicas * int64(faultsOf(p).Added()) / int64(p.Int(paramNodes)+1)
	}
	return replicas * int64(each+2*segment)
}

// perHost returns how much of what each replica has is on each host: that of all of them, or of the one broker there.
func perHost(p workload.Params, hosts int, each int64) int64 {
	all, brokers := int64(p.Int(paramReplication))*each, int64(1)
	if hosts > 1 {
		brokers = int64(p.Int(paramNodes))
	}
	return (all + brokers - 1) / brokers
}

// brokerParams declares the parameters of the broker.
func brokerParams() []record.Param {
	here, given := []record.Only{started()}, []record.Only{existing()}
	trust := []record.Only{existing(), {Param: paramTLS, Is: []string{"true"}, To: "TLS",
		Hint: "--set " + Name + "." + paramTLS + "=true"}}
	login := []record.Only{existing(), {Param: paramSASL, Not: []string{saslNone},
		Hint: fmt.Sprintf("--set %s.%s=%s", Name, paramSASL, saslScram512)}}
	cluster := []record.Only{started(), {Param: paramServer, Is: []string{serverKafka}, To: "clusters of Apache Kafka",
		Hint: fmt.Sprintf("leave it out; an existing cluster of Redpanda: --set %s.%s=HOST:PORT,…", Name, paramBrokers)}}
	out := []record.Param{
		{Name: paramBrokers, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "existing broker, as HOST:PORT, or several separated by commas; plimsoll creates and deletes a " +
				"topic of its own there; on this host its processes are metered"},
		{Name: record.ParamMachine, Minor: true, Kind: record.Text, Phase: record.Load, Only: given,
			Doc: "for brokers: name of the brokers' machine, such as its instance type, from which its vCPUs and price follow"},
		{Name: paramCA, Minor: true, Kind: record.Text, Phase: record.Load, Only: trust,
			Doc: "for brokers with TLS: PEM file of trusted CAs; default: this system's own list"},
		{Name: paramInsecure, Minor: true, Kind: record.Bool, Default: "false", Phase: record.Load, Only: trust,
			Doc: "for brokers with TLS: do not verify their certificates"},
		{Name: paramSASL, Minor: true, Kind: record.Enum, Default: saslNone, Only: given,
			Choices: []string{saslNone, saslPlain, saslScram256, saslScram512}, Phase: record.Load,
			Doc: "for brokers: authentication mechanism"},
		{Name: paramUser, Minor: true, Kind: record.Text, Phase: record.Load, Only: login, Doc: "for sasl: user name"},
		{Name: paramPasswordFile, Minor: true, Kind: record.Text, Phase: record.Load, Only: login,
			Doc: "for sasl: file whose first line is the password"},
		{Name: paramReplication, Minor: true, Kind: record.Int, Default: "1", Min: 1, Max: 16, Phase: record.Server,
			Doc: "replicas of each partition, at most as many as there are brokers"},
		{Name: paramMinInsync, Minor: true, Kind: record.Int, Default: "1", Min: 1, Max: 16, Phase: record.Server,
			Only: []record.Only{{Param: paramAcks, Is: []string{acksAll}}},
			Doc:  "the topic's min.insync.replicas: with acks=all, replicas that must have a record before it is acknowledged"},
		{Name: paramNodes, Minor: true, Kind: record.Int, Default: "1", Min: 1, Max: mostNodes, Phase: record.Server,
			Only: cluster,
			Doc: "brokers of the cluster started on the target, or one on each host of --cluster; the first three are its " +
				"controllers, or the first of two"},
		{Name: paramRacks, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: mostNodes, Phase: record.Server,
			Only: cluster,
			Doc:  "racks (broker.rack) that started brokers are in, in turn: replicas are spread over them; 0: none is named"},
		{Name: paramServer, Minor: true, Kind: record.Enum, Default: serverKafka, Only: here,
			Choices: []string{serverKafka, serverRedpanda}, Phase: record.Server,
			Doc: "broker that is started: Apache Kafka, or Redpanda from a binary (redpanda.bin)"},
	}
	out = slices.Concat(out, redpandaParams(), there.Params("for brokers", existing()))
	for _, d := range (broker.Engine{}).Params() {
		if d.Name = brokerPrefix + d.Name; d.Name != paramTLS {
			d.Only = []record.Only{started(), {Param: paramServer, Is: []string{serverKafka}, To: "Apache Kafka"}}
		}
		out = append(out, d)
	}
	return append(out, []record.Param{
		{Name: paramFault, Minor: true, Kind: record.Text, Default: fault.None, Phase: record.Load, Only: cluster,
			Doc: "kill@50%: the last broker of a cluster that leads a partition is killed (SIGKILL) at half of the " +
				"window, and started again; add@50%: a further one is started, and partitions are reassigned to it; " +
				"kill@25%,add@60%: both; their cost is measured"},
		{Name: paramFaultDown, Minor: true, Kind: record.Duration, Default: "5s", Min: 0, Max: 3600, Phase: record.Load,
			Only: slices.Concat(cluster, []record.Only{{Param: paramFault, Not: []string{fault.None}}}),
			Doc:  "for fault: how long the broker stays down before it is started again"},
		{Name: paramAddress, Minor: true, Kind: record.Text, Phase: record.Server, Only: here,
			Doc: "IP address at which other hosts reach the target; default: its first one that is not loopback"},
		{Name: paramPath, Minor: true, Kind: record.Text, Phase: record.Server, Only: here,
			Doc: "directory below which a started broker keeps its log and other files; default: the run's scratch " +
				"below TMPDIR"},
		{Name: paramPort, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 65535, Phase: record.Server, Only: here,
			Doc: "port of a started broker, of several that of the first, which the others follow; 0: any free one"},
		{Name: record.ParamHeat, Minor: true, Kind: record.Text, Default: record.HeatAuto, Phase: record.Server,
			Doc: "JIT warm-up: time under load before the warm-up, so that hot code is compiled, such as 10s; " +
				"auto: " + record.FormatDuration(usualHeat.Seconds()) +
				" for a started one, else none; short: at most 5s of that"},
	}...)
}

// loadParams declares the parameters of the load.
func loadParams() []record.Param {
	return []record.Param{
		{Name: record.ParamClients, Kind: record.Int, Default: "8", Min: 0, Max: 1e4, Phase: record.Load, Shared: true,
			Doc: "closed loop: number of clients across all generators, each with as many records not " +
				"acknowledged, or not yet delivered to a consumer, as its buffer holds; in consume: clients that read " +
				"as fast as they can"},
		{Name: record.ParamRate, Kind: record.Float, Default: "0", Min: 0, Max: 1e8, Phase: record.Load,
			Doc: "open loop: records per second"},
		{Name: record.ParamArrivals, Kind: record.Enum, Default: load.Poisson, Choices: []string{load.Poisson, load.Uniform},
			Phase: record.Load,
			Doc:   "spacing of an open loop's records"},
		{Name: paramConnections, Minor: true, Kind: record.Int, Default: "24", Min: 1, Max: 1e4, Phase: record.Load,
			Shared: true,
			Doc: "open loop: clients across all generators, which take turns; due records queue while all buffers " +
				"are full, or in consume while none has a record"},
		workload.CPUSets(record.CPUsSplit, "broker and generator"),
	}
}

// The work of starting, stopping and checking, measured on the reference machine: sessions without a JIT warm-up.
const (
	brokerCPU  = 9.0 // of a broker: two Java processes, its topic, its end
	brokerS    = 1.5
	connectCPU = .2    // of clients and topic
	fillCPU    = 12e-9 // of a byte of the log to read
)

// cost returns the time to start a broker, warm it up and fill its log.
func cost(p workload.Params, _ record.LoadPoint, m record.Machine) forecast.Cost {
	connect := forecast.Step{Name: forecast.Start, Work: forecast.Work{CPU: connectCPU}}
	if isExternal(p) {
		return forecast.Cost{Steps: []forecast.Step{connect}}
	}
	nodes := onEach(p, m)
	connect.Work = forecast.Work{CPU: connectCPU + float64(nodes)*brokerCPU, Threads: 2 * nodes, Wait: brokerS}
	if isRedpanda(p) { // no runtime to start; how long it takes is not measured
		connect.Work = forecast.Work{CPU: connectCPU, Wait: brokerS}
	}
	out := forecast.Cost{Disk: room(p, m.Hosts), Steps: []forecast.Step{connect}}
	if consumes(p) {
		bytes := perHost(p, m.Hosts, int64(p.Number(paramFill)))
		work := forecast.Work{Write: bytes, CPU: fillCPU * float64(bytes), Threads: len(m.CPU.Allowed)}
		out.Steps = append(out.Steps, forecast.Step{Name: forecast.Fill, Work: work})
	}
	f := faultsOf(p)
	if f.Kill > 0 {
		out.Steps = append(out.Steps, fault.Recovery(brokerCPU, p.Number(paramFaultDown)+brokerS))
	}
	if f.Add > 0 {
		out.Steps = append(out.Steps, fault.Recovery(brokerCPU, brokerS))
	}
	if heat, err := heatOf(p); err == nil && heat > 0 {
		out.Steps = append(out.Steps, forecast.Step{Name: forecast.Heat, Work: forecast.Work{Wait: heat.Seconds()}})
	}
	return out
}
