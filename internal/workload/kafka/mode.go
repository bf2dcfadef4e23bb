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

// travels says whether records are followed to a consumer.
func travels(p workload.Params) bool { return p.Text(paramMode) == modeEnd }

// followersOf is how many clients read what so many write.
func followersOf(p workload.Params, clients int) int {
	if n := p.Int(paramConsumers); n > 0 {
		return n
	}
	return min(clients, p.Int(paramPartitions))
}

// readBy are the partitions that consumer i of n reads. Of more consumers than partitions several read the same one, as those of
// several groups would.
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

// checkMode says what of the values does not go with the mode.
func checkMode(p workload.Params) error {
	mode := p.Text(paramMode)
	switch n := p.Int(paramConsumers); {
	case n > p.Int(paramPartitions):
		return fmt.Errorf("%s: %s=%d read a topic of %d partitions, and each is read by one of them\nhint: --set %s.%s=%d", Name, paramConsumers, n, p.Int(paramPartitions), Name, paramPartitions, n)
	case !travels(p) && n > 0:
		return fmt.Errorf("%s: %s are those of %s=%s\nhint: leave them out; in %s=%s %s says how many read", Name, paramConsumers, paramMode, modeEnd, paramMode, modeConsume, record.ParamClients)
	case travels(p) && p.Int(paramRecordSize) < markBytes:
		return fmt.Errorf("%s: a value of %d bytes has no room for what says when the record was due, %d bytes\nhint: --set %s.%s=%dB", Name, p.Int(paramRecordSize), markBytes, Name, paramRecordSize, markBytes)
	case consumes(p) && p.Text(paramAcks) == acksNone:
		return fmt.Errorf("%s: %s=%s reads what was written before, and with %s=%s nobody says what that was\nhint: --set %s.%s=%s", Name, paramMode, mode, paramAcks, acksNone, Name, paramAcks, acksAll)
	case consumes(p) && eachOf(p) < 1:
		return fmt.Errorf("%s: %s=%s has no record for each of %d partitions\nhint: --set %s.%s=%s", Name, paramFill, p.Text(paramFill), p.Int(paramPartitions), Name, paramFill,
			record.FormatSize(int64(p.Int(paramPartitions)*(p.Int(paramRecordSize)+keyBytes(p)))))
	case p.Int(paramFetchPartition) > p.Int(paramFetchMax):
		return fmt.Errorf("%s: %s=%s is more than %s=%s\nhint: --set %s.%s=%s", Name, paramFetchPartition, p.Text(paramFetchPartition), paramFetchMax, p.Text(paramFetchMax), Name, paramFetchMax, p.Text(paramFetchPartition))
	}
	return nil
}

// consumerParams declares how it is read.
func consumerParams() []record.Param {
	return []record.Param{
		{Name: paramMode, Kind: record.Enum, Default: modeProduce, Choices: []string{modeProduce, modeConsume, modeEnd}, Phase: record.Load,
			Doc: "produce: to the acknowledgement; consume: what was written before; end_to_end: from the intended send to the delivery to a consumer"},
		{Name: paramConsumers, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 1e4, Phase: record.Load, Shared: true,
			Doc: "of end_to_end: clients that read, over all generators, each some of the partitions; 0: as many as there are clients, at most one for each partition"},
		{Name: paramFill, Minor: true, Kind: record.Size, Default: "1GiB", Min: 1, Max: 1 << 50, Phase: record.Server, Shared: true,
			Doc: "of consume: keys and values that are written before the load, over all partitions; who has read them begins again"},
		{Name: paramFetchMin, Minor: true, Kind: record.Size, Default: "1B", Min: 1, Max: 1 << 30, Phase: record.Load, Doc: "a consumer's fetch.min.bytes: a broker with less waits"},
		{Name: paramFetchMax, Minor: true, Kind: record.Size, Default: "50MiB", Min: 1, Max: 512 << 20, Phase: record.Load, Doc: "a consumer's fetch.max.bytes: of one answer"},
		{Name: paramFetchPartition, Minor: true, Kind: record.Size, Default: "1MiB", Min: 1, Max: 512 << 20, Phase: record.Load, Doc: "a consumer's max.partition.fetch.bytes: of one partition in an answer, and one batch at least"},
		{Name: paramFetchWait, Minor: true, Kind: record.Duration, Default: "500ms", Min: 10e-3, Max: 60, Phase: record.Load, Doc: "a consumer's fetch.max.wait.ms: how long a broker waits for fetch_min_bytes"},
		{Name: paramFetches, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 1e4, Phase: record.Load, Doc: "answers that a consumer asks for at once, those included that nobody has looked at; 0: one of each broker"},
		{Name: paramIsolation, Minor: true, Kind: record.Enum, Default: isolationNone, Choices: []string{isolationNone, isolationCommitted}, Phase: record.Load, Doc: "a consumer's isolation.level"},
		{Name: paramCheckCRCs, Minor: true, Kind: record.Bool, Default: "true", Phase: record.Load, Doc: "a consumer's check.crcs: the checksum of each batch"},
	}
}

// The values of isolation.
const (
	isolationNone      = "read_uncommitted"
	isolationCommitted = "read_committed"
)
