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
		{Name: record.ParamPreset, Minor: true, Kind: record.Enum, Default: presetNone, Choices: []string{presetNone, presetRedpanda}, Phase: record.Load,
			Doc: "named set of parameters; each can be overridden"},
		{Name: paramRecordSize, Kind: record.Size, Default: "1kB", Min: smallestRecord, Max: mostBatch, Phase: record.Load,
			Doc: "bytes of a record's value"},
		{Name: paramPartitions, Kind: record.Int, Default: "64", Min: 1, Max: 1e4, Phase: record.Server, Shared: true,
			Doc: "partitions of the topic; with several generators each has a topic with its share of them"},
		{Name: paramCompress, Kind: record.Float, Default: "0", Min: 0, Max: 1, Phase: record.Load,
			Doc: "share of each value that repeats one byte; the rest is random and incompressible"},
		{Name: paramKeys, Kind: record.Int, Default: "0", Min: 0, Max: 1e6, Phase: record.Load,
			Doc: "number of different 16-byte keys; 0: records have no keys"},
		{Name: paramSpread, Kind: record.Enum, Default: spreadSticky, Choices: []string{spreadSticky, spreadRobin, spreadKey}, Phase: record.Load,
			Doc: "choice of partition: sticky moves on after each batch, round_robin after each record, key hashes " +
				"the key"},
		{Name: paramTopic, Minor: true, Kind: record.Text, Phase: record.Server,
			Doc: "name of the topic, which must not exist: it is created and deleted by plimsoll; default: a " +
				"unique one"},
		{Name: paramRetention, Minor: true, Kind: record.Size, Default: "4GiB", Min: 16 << 20, Max: 1 << 50, Phase: record.Server, Shared: true,
			Doc: "bytes that the topic's partitions keep together; older segments are deleted, except in consume"},
	}
}

// clientParams declares the parameters of producers.
func clientParams() []record.Param {
	return []record.Param{
		{Name: paramAcks, Kind: record.Enum, Default: acksAll, Choices: []string{acksNone, acksLeader, acksAll}, Phase: record.Load,
			Doc: "who has a record when it is acknowledged: nobody for sure, the partition's leader, or all " +
				"in-sync replicas"},
		{Name: paramIdempotence, Kind: record.Bool, Default: "true", Phase: record.Load,
			Doc: "the broker detects records that are sent again"},
		{Name: paramInFlight, Kind: record.Int, Default: "5", Min: 1, Max: 1e6, Phase: record.Load,
			Doc: "unanswered requests of a client per broker"},
		{Name: paramBatch, Kind: record.Size, Default: "1MB", Min: 512, Max: mostBatch, Phase: record.Load,
			Doc: "largest batch of records for one partition, before compression"},
		{Name: paramLinger, Kind: record.Duration, Default: "5ms", Min: 0, Max: 60, Phase: record.Load,
			Doc: "how long an incomplete batch waits for more records"},
		{Name: paramCodec, Kind: record.Enum, Default: codecNone, Choices: []string{codecNone, codecGzip, codecSnappy, codecLZ4, codecZstd}, Phase: record.Load,
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
		Doc: "24 clients of 1000-byte records to 64 partitions, with the settings of rdkafka_performance: " +
			"Redpanda's evaluation of Graviton 2",
		Set: map[string]string{
			record.ParamClients: "24", paramRecordSize: "1000B", paramPartitions: "64", paramCodec: codecNone, paramAcks: acksAll, paramIdempotence: "false",
			paramInFlight: "1000000", paramBatch: "1000000B", paramLinger: "1s",
		},
	}}
}
