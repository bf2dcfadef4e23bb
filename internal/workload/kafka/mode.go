package kafka

import (
	"fmt"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

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
	case !travels(p) && n > 0:
		return fmt.Errorf("%s: %s applies only to %s=%s\nhint: leave it out; in %s=%s %s sets the number of "+
			"consumers", Name, paramConsumers, paramMode, modeEnd, paramMode, modeConsume, record.ParamClients)
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
			Name, paramFetchPartition, p.Text(paramFetchPartition), paramFetchMax, p.Text(paramFetchMax), Name, paramFetchMax, p.Text(paramFetchPartition))
	}
	return nil
}

// consumerParams declares the parameters of consumers.
func consumerParams() []record.Param {
	return []record.Param{
		{Name: paramMode, Kind: record.Enum, Default: modeProduce, Choices: []string{modeProduce, modeConsume, modeEnd}, Phase: record.Load,
			Doc: "produce: latency to the acknowledgement; consume: reads records written before; end_to_end: " +
				"latency from the intended send to the delivery to a consumer"},
		{Name: paramConsumers, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 1e4, Phase: record.Load, Shared: true,
			Doc: "end_to_end: number of consumers across all generators, each reading some of the partitions; 0: " +
				"as many as clients, at most one per partition"},
		{Name: paramFill, Minor: true, Kind: record.Size, Default: "1GiB", Min: 1, Max: 1 << 50, Phase: record.Server, Shared: true,
			Doc: "consume: keys and values written before the load, over all partitions; a consumer that has read " +
				"them starts over"},
		{Name: paramFetchMin, Minor: true, Kind: record.Size, Default: "1B", Min: 1, Max: 1 << 30, Phase: record.Load,
			Doc: "a consumer's fetch.min.bytes: a broker with less waits"},
		{Name: paramFetchMax, Minor: true, Kind: record.Size, Default: "50MiB", Min: 1, Max: 512 << 20, Phase: record.Load,
			Doc: "a consumer's fetch.max.bytes: limit of one answer"},
		{Name: paramFetchPartition, Minor: true, Kind: record.Size, Default: "1MiB", Min: 1, Max: 512 << 20, Phase: record.Load,
			Doc: "a consumer's max.partition.fetch.bytes: limit of one partition in an answer, at least one batch"},
		{Name: paramFetchWait, Minor: true, Kind: record.Duration, Default: "500ms", Min: 10e-3, Max: 60, Phase: record.Load,
			Doc: "a consumer's fetch.max.wait.ms: how long a broker waits for fetch_min_bytes"},
		{Name: paramFetches, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 1e4, Phase: record.Load,
			Doc: "concurrent fetches of a consumer, including answers not yet processed; 0: one per broker"},
		{Name: paramIsolation, Minor: true, Kind: record.Enum, Default: isolationNone, Choices: []string{isolationNone, isolationCommitted}, Phase: record.Load,
			Doc: "a consumer's isolation.level"},
		{Name: paramCheckCRCs, Minor: true, Kind: record.Bool, Default: "true", Phase: record.Load,
			Doc: "a consumer's check.crcs: verify the checksum of each batch"},
	}
}

// The values of isolation.
const (
	isolationNone      = "read_uncommitted"
	isolationCommitted = "read_committed"
)
