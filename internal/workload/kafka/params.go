package kafka

import (
	"plimsoll/internal/record"
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

// idempotentInFlight is how many requests a client with idempotence has in flight at each broker: the protocol's most.
const idempotentInFlight = 5

// mostBatch is the largest batch, in bytes, and so the bound of a record.
const mostBatch = 64 << 20

// smallestRecord holds what tells one record from another.
const smallestRecord = stampBytes

// recordParams declares what is written.
func recordParams() []record.Param {
	return []record.Param{
		{Name: record.ParamPreset, Minor: true, Kind: record.Enum, Default: presetNone, Choices: []string{presetNone, presetRedpanda}, Phase: record.Load,
			Doc: "parameters under one name; what it sets can be set anew"},
		{Name: paramRecordSize, Kind: record.Size, Default: "1kB", Min: smallestRecord, Max: mostBatch, Phase: record.Load, Doc: "bytes of a record's value"},
		{Name: paramPartitions, Kind: record.Int, Default: "64", Min: 1, Max: 1e4, Phase: record.Server, Shared: true, Doc: "of the topic; of several generators each has a topic with its part of them"},
		{Name: paramCompress, Kind: record.Float, Default: "0", Min: 0, Max: 1, Phase: record.Load, Doc: "share of each value that is one byte over and over; the rest is random, and no codec shrinks it"},
		{Name: paramKeys, Kind: record.Int, Default: "0", Min: 0, Max: 1e6, Phase: record.Load, Doc: "records have keys of 16 bytes, so many different ones; 0: none"},
		{Name: paramSpread, Kind: record.Enum, Default: spreadSticky, Choices: []string{spreadSticky, spreadRobin, spreadKey}, Phase: record.Load,
			Doc: "which partition: sticky goes on to the next one after each batch, round_robin after each record, key takes that of the key's hash"},
		{Name: paramTopic, Minor: true, Kind: record.Text, Phase: record.Server, Doc: "name of the topic, which must not be there: it is made and deleted by us; by default one that nobody has"},
		{Name: paramRetention, Minor: true, Kind: record.Size, Default: "4GiB", Min: 16 << 20, Max: 1 << 50, Phase: record.Server, Shared: true, Doc: "what the topic's partitions keep together; older segments are deleted, but none in consume"},
	}
}

// clientParams declares how it is written.
func clientParams() []record.Param {
	return []record.Param{
		{Name: paramAcks, Kind: record.Enum, Default: acksAll, Choices: []string{acksNone, acksLeader, acksAll}, Phase: record.Load, Doc: "who has a record when it is acknowledged: nobody for sure, the partition's leader, all replicas in sync"},
		{Name: paramIdempotence, Kind: record.Bool, Default: "true", Phase: record.Load, Doc: "the broker tells records that are sent again"},
		{Name: paramInFlight, Kind: record.Int, Default: "5", Min: 1, Max: 1e6, Phase: record.Load, Doc: "requests of a client that a broker has not answered"},
		{Name: paramBatch, Kind: record.Size, Default: "1MB", Min: 512, Max: mostBatch, Phase: record.Load, Doc: "largest batch of records for one partition, before it is compressed"},
		{Name: paramLinger, Kind: record.Duration, Default: "5ms", Min: 0, Max: 60, Phase: record.Load, Doc: "how long a batch that is not full waits for more records"},
		{Name: paramCodec, Kind: record.Enum, Default: codecNone, Choices: []string{codecNone, codecGzip, codecSnappy, codecLZ4, codecZstd}, Phase: record.Load, Doc: "how a batch is compressed"},
		{Name: paramBuffer, Kind: record.Size, Default: "8MiB", Min: 1, Max: 1 << 40, Phase: record.Load, Doc: "bytes of records that a client has taken up and that are not acknowledged; at most 50,000 records"},
		{Name: paramTimeout, Minor: true, Kind: record.Duration, Default: "10s", Min: 1, Max: 3600, Phase: record.Load, Doc: "a record that is not acknowledged within it has failed"},
	}
}

const (
	presetNone     = "none"
	presetRedpanda = "redpanda"
)

// presets are articles' settings.
func presets() []record.Preset {
	return []record.Preset{{
		Name: presetRedpanda,
		Doc:  "24 clients of 1000-byte records to 64 partitions, with what rdkafka_performance sets: Redpanda's evaluation of Graviton 2",
		Set: map[string]string{
			record.ParamClients: "24", paramRecordSize: "1000B", paramPartitions: "64", paramCodec: codecNone, paramAcks: acksAll, paramIdempotence: "false",
			paramInFlight: "1000000", paramBatch: "1000000B", paramLinger: "1s",
		},
	}}
}
