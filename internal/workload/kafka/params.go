package kafka

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	broker "plimsoll/internal/engine/kafka"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kafka/brokerfault"
)

// The values of acks.
const (
	acksNone   = "0"
	acksLeader = "1"
	acksAll    = "all"
)

// The values of spread.
const (
	spreadSticky = "sticky"
	spreadRobin  = "round_robin"
	spreadKey    = "key"
)

// The values of codec.
const (
	codecNone   = "none"
	codecGzip   = "gzip"
	codecSnappy = "snappy"
	codecLZ4    = "lz4"
	codecZstd   = "zstd"
)

// idempotentInFlight is the number of requests in flight per broker of a client with idempotence: the protocol's
// maximum.
const idempotentInFlight = 5

// mostBatch bounds a batch, and so a record, in bytes.
const mostBatch = 64 << 20

// smallestRecord has room for a record's identity.
const smallestRecord = stampBytes

// recordParams declares the parameters of records and the topic.
func recordParams() []record.Param {
	return []record.Param{
		{Name: record.ParamPreset, Minor: true, Kind: record.Enum, Default: presetNone,
			Choices: []string{presetNone, presetRedpanda}, Phase: record.Load,
			Doc: "named set of parameters; each can be overridden"},
		{Name: paramRecordSize, Kind: record.Size, Default: "1kB", Min: smallestRecord, Max: mostBatch, Phase: record.Load,
			Doc: "bytes of a record's value"},
		{Name: paramPartitions, Kind: record.Int, Default: "64", Min: 1, Max: 1e4, Phase: record.Server, Shared: true,
			Doc: "partitions of the topic; with several generators each has a topic with its share of them"},
		{Name: paramCompress, Kind: record.Float, Default: "0", Min: 0, Max: 1, Phase: record.Load,
			Doc: "share of each value that repeats one byte; the rest is random and incompressible"},
		{Name: paramKeys, Kind: record.Int, Default: "0", Min: 0, Max: 1e6, Phase: record.Load,
			Doc: "number of different 16-byte keys; 0: records have no keys"},
		{Name: paramSpread, Kind: record.Enum, Default: spreadSticky, Choices: []string{spreadSticky, spreadRobin, spreadKey},
			Phase: record.Load,
			Doc:   "choice of partition: sticky moves on after each batch, round_robin after each record, key hashes the key"},
		{Name: paramTopic, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "name of the topic, which must not exist: it is created and deleted by plimsoll; default: a unique one"},
		{Name: paramRetention, Minor: true, Kind: record.Size, Default: "4GiB", Min: 16 << 20, Max: 1 << 50,
			Phase: record.Server, Shared: true,
			Doc: "bytes that the topic's partitions keep together; older segments are deleted, except in consume"},
	}
}

// clientParams declares the parameters of producers.
func clientParams() []record.Param {
	return []record.Param{
		{Name: paramAcks, Kind: record.Enum, Default: acksAll, Choices: []string{acksNone, acksLeader, acksAll},
			Phase: record.Load,
			Doc:   "who has a record when it is acknowledged: nobody for sure, the partition's leader, or all in-sync replicas"},
		{Name: paramIdempotence, Kind: record.Bool, Default: "true", Phase: record.Load,
			Doc: "the broker detects records that are sent again"},
		{Name: paramInFlight, Kind: record.Int, Default: "5", Min: 1, Max: 1e6, Phase: record.Load,
			Doc: "unanswered requests of a client per broker"},
		{Name: paramBatch, Kind: record.Size, Default: "1MB", Min: 512, Max: mostBatch, Phase: record.Load,
			Doc: "largest batch of records for one partition, before compression"},
		{Name: paramLinger, Kind: record.Duration, Default: "5ms", Min: 0, Max: 60, Phase: record.Load,
			Doc: "how long an incomplete batch waits for more records"},
		{Name: paramCodec, Kind: record.Enum, Default: codecNone,
			Choices: []string{codecNone, codecGzip, codecSnappy, codecLZ4, codecZstd}, Phase: record.Load,
			Doc: "compression of batches"},
		{Name: paramBuffer, Kind: record.Size, Default: "8MiB", Min: 1, Max: 1 << 40, Phase: record.Load,
			Doc: "bytes of a client's unacknowledged records; at most 50,000 records"},
		{Name: paramTimeout, Minor: true, Kind: record.Duration, Default: "10s", Min: 1, Max: 3600, Phase: record.Load,
			Doc: "a record not acknowledged within this time has failed"},
	}
}

const (
	presetNone     = "none"
	presetRedpanda = "redpanda"
)

// presets returns the settings of published benchmarks.
func presets() []record.Preset {
	return []record.Preset{{
		Name: presetRedpanda,
		Doc: "24 clients of 1000-byte records to 64 partitions, with the settings of rdkafka_performance: Redpanda's " +
			"evaluation of Graviton 2",
		Set: map[string]string{
			record.ParamClients: "24", paramRecordSize: "1000B", paramPartitions: "64", paramCodec: codecNone,
			paramAcks: acksAll, paramIdempotence: "false",
			paramInFlight: "1000000", paramBatch: "1000000B", paramLinger: "1s",
		},
	}}
}

// The values of mode.
const (
	modeProduce = "produce"
	modeConsume = "consume"
	modeEnd     = "end_to_end"
)

func consumes(p workload.Params) bool { return p.Text(paramMode) == modeConsume }

// travels reports whether records are followed to a consumer.
func travels(p workload.Params) bool { return p.Text(paramMode) == modeEnd }

// followersOf returns the number of consumers for so many producing clients.
func followersOf(p workload.Params, clients int) int {
	if n := p.Int(paramConsumers); n > 0 {
		return n
	}
	return min(clients, p.Int(paramPartitions))
}

// readBy returns the partitions that consumer i of n reads. With more consumers than partitions several read the
// same one, as members of several groups would.
func readBy(i, n, partitions int) []int32 {
	if n > partitions {
		return []int32{int32(i % partitions)}
	}
	var out []int32
	for p := i; p < partitions; p += n {
		out = append(out, int32(p))
	}
	return out
}

// checkMode returns an error if values do not fit the mode.
func checkMode(p workload.Params) error {
	mode := p.Text(paramMode)
	switch n := p.Int(paramConsumers); {
	case n > p.Int(paramPartitions):
		return fmt.Errorf("%s: %s=%d exceeds the %d partitions of the topic, each of which is read by one "+
			"consumer\nhint: --set %s.%s=%d", Name, paramConsumers, n, p.Int(paramPartitions), Name, paramPartitions, n)
	case travels(p) && p.Int(paramRecordSize) < markBytes:
		return fmt.Errorf("%s: a value of %d bytes has no room for the record's identity and intended start, %d "+
			"bytes\nhint: --set %s.%s=%dB", Name, p.Int(paramRecordSize), markBytes, Name, paramRecordSize, markBytes)
	case consumes(p) && p.Text(paramAcks) == acksNone:
		return fmt.Errorf("%s: %s=%s reads records written before, but with %s=%s nobody knows which were\nhint: "+
			"--set %s.%s=%s", Name, paramMode, mode, paramAcks, acksNone, Name, paramAcks, acksAll)
	case consumes(p) && eachOf(p) < 1:
		return fmt.Errorf("%s: %s=%s has no record for each of %d partitions\nhint: --set %s.%s=%s",
			Name, paramFill, p.Text(paramFill), p.Int(paramPartitions), Name, paramFill,
			record.FormatSize(int64(p.Int(paramPartitions)*(p.Int(paramRecordSize)+keyBytes(p)))))
	case p.Int(paramFetchPartition) > p.Int(paramFetchMax):
		return fmt.Errorf("%s: %s=%s is more than %s=%s\nhint: --set %s.%s=%s",
			Name, paramFetchPartition, p.Text(paramFetchPartition), paramFetchMax, p.Text(paramFetchMax), Name, paramFetchMax,
			p.Text(paramFetchPartition))
	}
	return nil
}

// consumerParams declares the parameters of consumers.
func consumerParams() []record.Param {
	end := []record.Only{{Param: paramMode, Is: []string{modeEnd},
		Hint: fmt.Sprintf("leave it out; in %s=%s %s sets the number of consumers", paramMode, modeConsume,
			record.ParamClients)}}
	consume := []record.Only{{Param: paramMode, Is: []string{modeConsume}}}
	return append([]record.Param{
		{Name: paramMode, Kind: record.Enum, Default: modeProduce, Choices: []string{modeProduce, modeConsume, modeEnd},
			Phase: record.Load,
			Doc: "produce: latency to the acknowledgement; consume: reads records written before; end_to_end: " +
				"latency from the intended send to the delivery to a consumer"},
		{Name: paramConsumers, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 1e4, Phase: record.Load,
			Shared: true, Only: end,
			Doc: "end_to_end: number of consumers across all generators, each reading some of the partitions; 0: " +
				"as many as clients, at most one per partition"},
		{Name: paramFill, Minor: true, Kind: record.Size, Default: "1GiB", Min: 1, Max: 1 << 50, Phase: record.Server,
			Shared: true, Only: consume,
			Doc: "consume: keys and values written before the load, over all partitions; a consumer that has read " +
				"them starts over"},
	}, record.Needing(record.Only{Param: paramMode, Not: []string{modeProduce}, To: "consumers"}, []record.Param{
		{Name: paramFetchMin, Minor: true, Kind: record.Size, Default: "1B", Min: 1, Max: 1 << 30, Phase: record.Load,
			Doc: "a consumer's fetch.min.bytes: a broker with less waits"},
		{Name: paramFetchMax, Minor: true, Kind: record.Size, Default: "50MiB", Min: 1, Max: 512 << 20, Phase: record.Load,
			Doc: "a consumer's fetch.max.bytes: limit of one answer"},
		{Name: paramFetchPartition, Minor: true, Kind: record.Size, Default: "1MiB", Min: 1, Max: 512 << 20,
			Phase: record.Load,
			Doc:   "a consumer's max.partition.fetch.bytes: limit of one partition in an answer, at least one batch"},
		{Name: paramFetchWait, Minor: true, Kind: record.Duration, Default: "500ms", Min: 10e-3, Max: 60, Phase: record.Load,
			Doc: "a consumer's fetch.max.wait.ms: how long a broker waits for fetch_min_bytes"},
		{Name: paramFetches, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 1e4, Phase: record.Load,
			Doc: "concurrent fetches of a consumer, including answers not yet processed; 0: one per broker"},
		{Name: paramIsolation, Minor: true, Kind: record.Enum, Default: isolationNone,
			Choices: []string{isolationNone, isolationCommitted}, Phase: record.Load,
			Doc: "a consumer's isolation.level"},
		{Name: paramCheckCRCs, Minor: true, Kind: record.Bool, Default: "true", Phase: record.Load,
			Doc: "a consumer's check.crcs: verify the checksum of each batch"},
	}...)...)
}

// The values of isolation.
const (
	isolationNone      = "read_uncommitted"
	isolationCommitted = "read_committed"
)

// means recognises addresses of brokers, whose usual ports begin with 9.
func means(arg string) workload.Likelihood {
	switch {
	case strings.HasPrefix(arg, "kafka://"):
		return workload.Certain
	case regexp.MustCompile(`^[\w.-]+:9\d\d\d\b`).MatchString(arg) && !strings.Contains(arg, "/"):
		return workload.Likely
	}
	return workload.Unlikely
}

// command is the way to type a load of one's own cluster; the further flags are those of Kafka's tools.
func command() workload.Command {
	return workload.Command{
		Arguments: "HOST:PORT[,HOST:PORT…]",
		Take:      take,
		Means:     means,
		Flags: []workload.Flag{
			{Name: "bootstrap-server", Param: paramBrokers}, {Name: "bootstrap-servers", Param: paramBrokers},
			{Name: "throughput", Param: record.ParamRate},
		},
		Groups: []workload.Group{
			{Title: "load", Params: []string{
				"mode", "clients", "rate", "arrivals", "connections", "cpu_sets"}},
			{Title: "records and topic", Params: []string{
				"record_size", "compressibility", "keys", "spread", "partitions", "topic", "retention",
				"replication", "min_insync"}},
			{Title: "producer", Params: []string{
				"acks", "idempotence", "in_flight", "batch_bytes", "linger", "codec", "buffer", "timeout"}},
			{Title: "consumer", Params: []string{
				"consumers", "fill", "fetch_min_bytes", "fetch_max_bytes", "fetch_max_partition_bytes",
				"fetch_max_wait", "fetches", "isolation", "check_crcs"}},
			{Title: "existing brokers", Params: []string{
				"brokers", "answered_by", "ca", "insecure", "sasl", "user", "password_file", "pid", "unit",
				"container"}},
			{Title: "brokers started for the run", Params: []string{
				"server", "nodes", "racks", "broker.heap", "broker.gc", "broker.tls", "broker.provider",
				"broker.release", "broker.jdk", "broker.keystore", "broker.settings", "broker.java_options",
				"preset", "heat", "address", "path", "port"}},
			{Title: "Redpanda", Params: []string{
				"redpanda.bin", "redpanda.memory", "redpanda.settings", "redpanda.options"}},
			{Title: "faults", Params: []string{"fault", "fault_down"}},
		},
		Examples: []workload.Example{
			{Command: "run kafka broker1:9092 --mode end_to_end --rate 50000",
				Doc: "50,000 records a second through an existing cluster, in a new topic"},
			{Command: "run kafka --load-line --slo p99=20ms",
				Doc: "the highest rate of a broker started for the run with a p99 of at most 20 ms"},
			{Command: "run kafka --vary codec=none,lz4,zstd", Doc: "three codecs, interleaved"},
		},
	}
}

// take returns the settings for the addresses of one cluster's brokers.
func take(args []string) (workload.Taken, error) {
	addresses := strings.Split(strings.Join(args, ","), ",")
	for i, given := range addresses {
		address, scheme := strings.CutPrefix(given, "kafka://")
		if scheme {
			address = strings.TrimSuffix(address, "/")
		}
		addresses[i] = address
		host, port, ok := strings.Cut(address, ":")
		if strings.HasPrefix(address, "[") {
			ok = strings.Contains(address, "]:")
		}
		if !ok || host == "" || port == "" || strings.Contains(address, "/") {
			return workload.Taken{}, noBroker(given)
		}
	}
	return workload.Taken{Set: map[string]string{paramBrokers: strings.Join(addresses, ",")}}, nil
}

// noBroker returns the error for an argument that is no address, with the one that it may mean.
func noBroker(text string) error {
	host := "HOST:9092"
	if text != "" && !strings.ContainsAny(text, "/:") {
		host = text + ":9092"
	}
	return fmt.Errorf("%s: %q is no address of a broker\nhint: plimsoll run %s %s", Name, text, Name, host)
}

// mostNodes bounds a cluster on one machine: each broker's values stand in the trial's line.
const mostNodes = 5

// checkCluster returns an error for brokers that cannot hold the topic's replicas.
func checkCluster(p workload.Params) error {
	nodes, copies, insync := p.Int(paramNodes), p.Int(paramReplication), p.Int(paramMinInsync)
	switch {
	case !isExternal(p) && copies > nodes:
		return fmt.Errorf("%s: %s=%d needs as many brokers, but %s=%d\nhint: --set %s.%s=%d, --set %s.%s=%d, or --set "+
			"%s.%s=HOST:PORT,…", Name, paramReplication, copies, paramNodes, nodes, Name, paramNodes, copies, Name,
			paramReplication, nodes, Name, paramBrokers)
	case insync > copies:
		return fmt.Errorf("%s: %s=%d exceeds %s=%d: no record would be acknowledged\nhint: --set %s.%s=%d, or --set %s.%s=%d",
			Name, paramMinInsync, insync, paramReplication, copies, Name, paramMinInsync, copies, Name, paramReplication, insync)
	case p.Int(paramRacks) > nodes:
		return fmt.Errorf("%s: %s=%d leaves racks without a broker: %s=%d\nhint: --set %s.%s=%d",
			Name, paramRacks, p.Int(paramRacks), paramNodes, nodes, Name, paramRacks, nodes)
	}
	return nil
}

// checkRelease returns an error for a cluster of a release of which one broker alone is started.
func checkRelease(p workload.Params) error {
	release := p.Text(paramRelease)
	if p.Int(paramNodes) == 1 || broker.Clusters(release) {
		return nil
	}
	return fmt.Errorf("%s: %s=%s is started as one broker with ZooKeeper, but %s=%d\nhint: --set %s.%s=1, or a release "+
		"whose brokers are their own controllers; a cluster that is there: --set %s.%s=HOST:PORT,…",
		Name, paramRelease, release, paramNodes, p.Int(paramNodes), Name, paramNodes, Name, paramBrokers)
}

// faultsOf returns those of checked parameters.
func faultsOf(p workload.Params) brokerfault.Faults {
	f, _ := brokerfault.ParseFaults(p.Text(paramFault))
	return f
}

// survived is the least timeout with a kill: a killed broker's partitions have no leader until its cluster misses it, 9
// s by Kafka's default, and longer on a busy machine.
const survived = 30 * time.Second

// joins returns the number of brokers that are added in the window.
func joins(p workload.Params) int { return faultsOf(p).Added() }

// held returns how long a record waits in its batch at a rate: until the batch is full, or has lingered.
func held(p workload.Params, l record.LoadPoint) time.Duration {
	if consumes(p) {
		return 0
	}
	batches := p.Number(paramConnections) // each client fills one, or one for each partition
	if p.Text(paramSpread) != spreadSticky {
		batches *= p.Number(paramPartitions)
	}
	return seconds(min(p.Number(paramLinger), batches*p.Number(paramBatch)/(l.Level*p.Number(paramRecordSize))))
}

// whoOf returns the brokers that faults happen to.
func whoOf(p workload.Params, killed int) brokerfault.Who {
	return brokerfault.Who{Killed: killed, Added: p.Int(paramNodes) + 1, Down: seconds(p.Number(paramFaultDown))}
}

// checkFault returns an error for a fault that could not be told, or would fail records.
func checkFault(p workload.Params) error {
	f, err := brokerfault.ParseFaults(p.Text(paramFault))
	nodes := p.Int(paramNodes)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %s: %w\nhint: --set %s.%s=kill@50%%, or kill@25%%,add@60%%", Name, paramFault, err, Name,
			paramFault)
	case f.None():
		return nil
	case f.Kill > 0 && f.Kill == f.Add:
		return fmt.Errorf("%s: with %s=%s both happen at once, and what each cost could not be told\nhint: --set "+
			"%s.%s=kill@25%%,add@60%%",
			Name, paramFault, p.Text(paramFault), Name, paramFault)
	case nodes < 2:
		return fmt.Errorf("%s: %s=%s is for a cluster of several brokers, but %s=%d\nhint: --set %s.%s=3 --set %s.%s=3",
			Name, paramFault, p.Text(paramFault), paramNodes, nodes, Name, paramNodes, Name, paramReplication)
	case nodes+f.Added() > mostNodes:
		return fmt.Errorf("%s: %s=%s starts broker %d, and a cluster here has at most %d\nhint: --set %s.%s=%d",
			Name, paramFault, p.Text(paramFault), nodes+f.Added(), mostNodes, Name, paramNodes, mostNodes-1)
	case consumes(p):
		return fmt.Errorf("%s: %s=%s is for records that are written, but %s=%s reads those written before\nhint: "+
			"--set %s.%s=%s",
			Name, paramFault, p.Text(paramFault), paramMode, p.Text(paramMode), Name, paramMode, modeEnd)
	case p.Int(paramPartitions) < nodes+f.Added():
		return fmt.Errorf("%s: with %s=%d one of %d brokers may lead none\nhint: --set %s.%s=%d",
			Name, paramPartitions, p.Int(paramPartitions), nodes+f.Added(), Name, paramPartitions, 2*(nodes+f.Added()))
	case f.Kill > 0 && seconds(p.Number(paramTimeout)) < survived:
		return fmt.Errorf("%s: with %s=%s records would fail that only wait for a new leader\nhint: --set %s.%s=1m; "+
			"Kafka misses "+
			"a broker after broker.session.timeout.ms, 9 s unless %s sets it", Name, paramTimeout, p.Text(paramTimeout), Name,
			paramTimeout, brokerPrefix+"settings")
	}
	return nil
}
