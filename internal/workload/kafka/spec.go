// Package kafka is the workload `kafka`: records for a log broker, one that it starts itself or any that speaks Kafka's
// protocol, and the proof that each of them was delivered once.
package kafka

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/engine"
	broker "plimsoll/internal/engine/kafka"
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Name is the workload's name.
const Name = "kafka"

// The parameters of its own; those that make a load are record.Param*.
const (
	paramBrokers      = "brokers"
	paramCA           = "ca"
	paramInsecure     = "insecure"
	paramSASL         = "sasl"
	paramUser         = "user"
	paramPasswordFile = "password_file"
	paramTopic        = "topic"
	paramReplication  = "replication"
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
	paramConnections  = workload.ParamConnections
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
)

// The metrics of its own.
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
			Name:   Name,
			Doc:    "produces records to a log broker that is started for the trial, or to one that is there, consumes them, or both; open or closed load over Kafka's protocol",
			Params: slices.Concat(recordParams(), clientParams(), consumerParams(), brokerParams(), loadParams()),
			Metrics: []record.Metric{
				{Name: record.Throughput, Unit: "op/s", Better: record.Higher, Doc: "records acknowledged, or that a consumer has got; under a rate, latency_p99 is the primary metric"},
				{Name: record.LatencyP50, Unit: "s", Better: record.Lower, Doc: "from the intended start to the acknowledgement, " +
					"or until a consumer has the record; of a closed load from when a client took it up, in consume a poll's time over its records"},
				{Name: record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: metricIngest, Unit: "B/s", Better: record.Higher, Doc: "bytes of keys and values acknowledged, before they are compressed; in end_to_end those that have come to a consumer"},
				{Name: metricEgress, Unit: "B/s", Better: record.Higher, Doc: "bytes of keys and values that consumers have got"},
				{Name: metricFetch, Unit: "op", Better: record.Neutral, Doc: "records that a consumer has got at once, on average"},
				{Name: metricPasses, Unit: "op", Better: record.Neutral, Doc: "in consume: times that a consumer has begun anew with what it reads, on average"},
				{Name: metricBatch, Unit: "op", Better: record.Neutral, Doc: "records in a batch, on average over the whole trial"},
				{Name: metricShrunk, Unit: "ratio", Better: record.Neutral, Doc: "bytes of a batch over those that were sent of it; only with a codec"},
				{Name: record.CPUPerOp, Unit: "s", Better: record.Lower, Doc: "CPU time of the broker for a record"},
				{Name: record.GeneratorCPUPerOp, Unit: "s", Better: record.Neutral, Doc: "CPU time of the clients for a record, of a closed load; not where other hosts make it"},
				{Name: record.CPUPercent, Unit: "%", Better: record.Neutral, Doc: "of the broker's CPUs; of the whole target where other hosts make the load"},
			},
			Loads:   []record.LoadKind{record.Closed, record.Open},
			Needs:   []string{broker.Engine{}.Name()},
			Presets: presets(),
			Serves:  true,
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
		Room:      func(p workload.Params, _ record.Machine) workload.Room { return workload.Room{Disk: room(p)} },
		Path:      func(p workload.Params) (string, bool) { return p.Text(paramPath), !isExternal(p) },
		Runs:      runs,
		Serve:     newServing, CheckServe: checkServe,
		New: newDriver,
	}
}

func runs(p workload.Params) workload.Runs {
	if isExternal(p) {
		return workload.External
	}
	return workload.Java
}

func check(p workload.Params, m record.Machine) error {
	for _, f := range []func(workload.Params) error{checkRecord, checkDelivery, checkTopic, checkMode, checkBroker} {
		if err := f(p); err != nil {
			return err
		}
	}
	return checkMemory(p, m)
}

// recordOverhead is what a record, and the batch that holds it alone, take beside key and value: 61 bytes of the batch's
// head, and up to 30 of lengths, time and offset (the format's version 2).
const recordOverhead = 100

func checkRecord(p workload.Params) error {
	size, batch := p.Int(paramRecordSize)+keyBytes(p), p.Int(paramBatch)
	if size+recordOverhead > mostBatch {
		return fmt.Errorf("%s: a record of %d bytes fits into no batch, of which the largest is %s\nhint: --set %s.%s=%s", Name, size, record.FormatSize(mostBatch), Name, paramRecordSize, record.FormatSize(mostBatch/2))
	}
	if size+recordOverhead > batch {
		return fmt.Errorf("%s: a record of %d bytes does not fit into a batch of at most %d\nhint: --set %s.%s=%s; a broker that is there has its own limit, max.message.bytes of the topic",
			Name, size, batch, Name, paramBatch, record.FormatSize(int64(size+recordOverhead)))
	}
	if p.Int(paramBuffer) < size {
		return fmt.Errorf("%s: %s=%s holds not one record of %d bytes\nhint: --set %s.%s=%s", Name, paramBuffer, p.Text(paramBuffer), size, Name, paramBuffer, record.FormatSize(int64(batch)))
	}
	return nil
}

func checkDelivery(p workload.Params) error {
	if !p.Bool(paramIdempotence) {
		return nil
	}
	if p.Text(paramAcks) != acksAll {
		return fmt.Errorf("%s: %s=true needs %s=%s\nhint: --set %s.%s=false", Name, paramIdempotence, paramAcks, acksAll, Name, paramIdempotence)
	}
	if p.Int(paramInFlight) != idempotentInFlight {
		return fmt.Errorf("%s: with %s=true a client has %d requests in flight, always\nhint: --set %s.%s=false, or leave out %s", Name, paramIdempotence, idempotentInFlight, Name, paramIdempotence, paramInFlight)
	}
	return nil
}

func checkBroker(p workload.Params) error {
	external := isExternal(p)
	switch {
	case !external && p.Text(record.ParamMachine) != "":
		return fmt.Errorf("%s: %s names the machine of a broker that is there, and one is started here\nhint: --set %s.%s=HOST:PORT", Name, record.ParamMachine, Name, paramBrokers)
	case !external && (p.Text(paramSASL) != saslNone || p.Text(paramCA) != "" || p.Bool(paramInsecure)):
		return fmt.Errorf("%s: %s, %s and %s are for a broker that is there, and one is started here\nhint: --set %s.%s=HOST:PORT", Name, paramSASL, paramCA, paramInsecure, Name, paramBrokers)
	case external && (p.Text(paramAddress) != "" || p.Int(paramPort) != 0):
		return fmt.Errorf("%s: %s and %s are those of a broker that is started, and %s=%s is there\nhint: leave them out", Name, paramAddress, paramPort, paramBrokers, p.Text(paramBrokers))
	case external && p.Text(paramPath) != "":
		return fmt.Errorf("%s: %s is where the log of a broker lies that is started, and %s=%s is there\nhint: leave it out", Name, paramPath, paramBrokers, p.Text(paramBrokers))
	case external && !p.Bool(paramTLS) && (p.Text(paramCA) != "" || p.Bool(paramInsecure)):
		return fmt.Errorf("%s: %s and %s are for TLS\nhint: --set %s.%s=true", Name, paramCA, paramInsecure, Name, paramTLS)
	case p.Text(paramSASL) != saslNone && (p.Text(paramUser) == "" || p.Text(paramPasswordFile) == ""):
		return fmt.Errorf("%s: %s=%s needs %s and %s\nhint: the password is read from a file, so that it stands in no session", Name, paramSASL, p.Text(paramSASL), paramUser, paramPasswordFile)
	case !external && p.Int(paramReplication) > 1:
		return fmt.Errorf("%s: %s=%d, and the one broker that is started holds one replica\nhint: --set %s.%s=1, or --set %s.%s=HOST:PORT,…", Name, paramReplication, p.Int(paramReplication), Name, paramReplication, Name, paramBrokers)
	}
	if _, err := heatOf(p); err != nil {
		return err
	}
	if external {
		return checkExternal(p)
	}
	_, err := engineParams(p)
	return err
}

// mostTopic is the longest name of a topic that Kafka takes.
const mostTopic = 249

// checkTopic refuses a name that no broker takes.
func checkTopic(p workload.Params) error {
	name := p.Text(paramTopic)
	foreign := strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r))
	})
	if foreign || len(name) > mostTopic || name == "." || name == ".." {
		return fmt.Errorf("%s: %s=%s is no name of a topic: letters of ASCII, digits, and . _ -, at most %d\nhint: leave it out, and one is made that nobody has", Name, paramTopic, name, mostTopic)
	}
	return nil
}

// checkMemory refuses a heap that this machine cannot have. Of a machine that is not known nothing is.
func checkMemory(p workload.Params, m record.Machine) error {
	heap := int64(p.Number(paramHeap))
	if isExternal(p) || m.Memory == 0 || heap < m.Memory {
		return nil
	}
	return fmt.Errorf("%s: %s=%s, and the machine has %s of memory\nhint: --set %s.%s=%s", Name, paramHeap, p.Text(paramHeap), record.FormatSize(m.Memory), Name, paramHeap, record.FormatSize(m.Memory/4))
}

// look says that the broker cannot be started on this host, or that there is too little room for what it keeps.
func preflight(ctx context.Context, p workload.Params, dir string) error {
	if isExternal(p) {
		return preflightExternal(p)
	}
	params, err := engineParams(p)
	if err != nil {
		return err
	}
	if _, err := (broker.Engine{}).Find(ctx, params); err != nil {
		return err
	}
	if dir, err = workload.CheckDataDir(Name, p.Text(paramPath), dir); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	space, err := workload.SpaceIn(dir)
	if err != nil {
		return nil // what makes the directory says what is wrong with it
	}
	if space.Free < room(p) {
		if consumes(p) {
			return fmt.Errorf("%s: what is read is %s, and %s has %s\nhint: --set %s.%s=%s, or --set %s.%s=DIRECTORY on another disk", Name, p.Text(paramFill), dir, record.FormatSize(space.Free), Name, paramFill, "256MiB", Name, paramPath)
		}
		return fmt.Errorf("%s: the log keeps %s and, in %d partitions, can take %s for a moment, and %s has %s\nhint: --set %s.%s=%s, fewer %s, or --set %s.%s=DIRECTORY on another disk",
			Name, p.Text(paramRetention), p.Int(paramPartitions), record.FormatSize(room(p)), dir, record.FormatSize(space.Free), Name, paramRetention, "256MiB", paramPartitions, Name, paramPath)
	}
	return nil
}

// room is what the log takes at its most, in bytes: what it is filled with, or what it keeps and for each partition two segments more, the one that is
// being written and one that is deleted a second late. Of a broker that is there it is not known.
func room(p workload.Params) int64 {
	if isExternal(p) {
		return 0
	}
	if consumes(p) {
		fill := int64(p.Number(paramFill))
		return fill + fill/4
	}
	n := p.Int(paramPartitions)
	each, segment := bounds(p, n)
	return int64(n) * int64(each+2*segment)
}

// engineParams are the broker's.
func engineParams(p workload.Params) (engine.Params, error) {
	return engine.ParamsOf(broker.Engine{}, brokerPrefix, p.Text, nil)
}

// brokerParams declares which broker it is.
func brokerParams() []record.Param {
	out := []record.Param{
		{Name: paramBrokers, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "one that is there, as HOST:PORT, or several with commas between; a topic of our own is made there and deleted; its CPU use is not known"},
		{Name: record.ParamMachine, Minor: true, Kind: record.Text, Phase: record.Load,
			Doc: "for brokers: name of the machine that answers, such as its instance type; its vCPUs and price are then known by that name"},
		{Name: paramCA, Minor: true, Kind: record.Text, Phase: record.Load, Doc: "for brokers with TLS: PEM file of whom to trust; by default this system's own list"},
		{Name: paramInsecure, Minor: true, Kind: record.Bool, Default: "false", Phase: record.Load, Doc: "for brokers with TLS: do not check their certificates"},
		{Name: paramSASL, Minor: true, Kind: record.Enum, Default: saslNone, Choices: []string{saslNone, saslPlain, saslScram256, saslScram512}, Phase: record.Load, Doc: "for brokers: how we say who we are"},
		{Name: paramUser, Minor: true, Kind: record.Text, Phase: record.Load, Doc: "for sasl"},
		{Name: paramPasswordFile, Minor: true, Kind: record.Text, Phase: record.Load, Doc: "for sasl: file whose first line is the password"},
		{Name: paramReplication, Minor: true, Kind: record.Int, Default: "1", Min: 1, Max: 16, Phase: record.Server, Doc: "replicas of each partition, for brokers of which there are several"},
	}
	for _, d := range (broker.Engine{}).Params() {
		d.Name = brokerPrefix + d.Name
		out = append(out, d)
	}
	return append(out,
		record.Param{Name: paramAddress, Minor: true, Kind: record.Text, Phase: record.Server, Doc: "IP address at which other hosts reach the target; by default its first one that is not loopback"},
		record.Param{Name: paramPath, Minor: true, Kind: record.Text, Phase: record.Server, Doc: "directory below which a broker that is started keeps its log and all else that it writes, by default the trial's scratch below TMPDIR"},
		record.Param{Name: paramPort, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 65535, Phase: record.Server, Doc: "port of a broker that is started; 0: any that is free"},
		record.Param{Name: workload.ParamHeat, Minor: true, Kind: record.Text, Default: workload.HeatAuto, Phase: record.Server,
			Doc: "how long a fresh broker is loaded before the warm-up, so that what compiles while it runs has been compiled, such as 10s; auto: " + record.FormatDuration(usualHeat.Seconds()) + " for one that is started, else none"})
}

// loadParams declares what makes the load.
func loadParams() []record.Param {
	return []record.Param{
		{Name: record.ParamClients, Kind: record.Int, Default: "0", Min: 0, Max: 1e4, Phase: record.Load, Shared: true,
			Doc: "closed load: so many clients, over all generators, each with as many records not acknowledged, or not yet with a consumer, as its buffer holds; in consume: that read as fast as they can"},
		{Name: record.ParamRate, Kind: record.Float, Default: "0", Min: 0, Max: 1e8, Phase: record.Load, Doc: "open load: records a second"},
		{Name: record.ParamArrivals, Kind: record.Enum, Default: load.Poisson, Choices: []string{load.Poisson, load.Uniform}, Phase: record.Load, Doc: "how an open load's records are spaced"},
		{Name: paramConnections, Minor: true, Kind: record.Int, Default: "24", Min: 1, Max: 1e4, Phase: record.Load, Shared: true,
			Doc: "clients of an open load, over all generators, which take turns; what is due waits where all buffers are full, or in consume where none has a record"},
		workload.CPUSets(record.CPUsSplit, "broker and generator"),
	}
}
