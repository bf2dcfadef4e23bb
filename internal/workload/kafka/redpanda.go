package kafka

import (
	"plimsoll/internal/base/list"
	"plimsoll/internal/engine/redpanda"
	"plimsoll/internal/record"
)

const (
	paramServer    = "server"
	redpandaPrefix = "redpanda."
)

// The values of server.
const (
	serverKafka    = "kafka"
	serverRedpanda = "redpanda"
)

// redpandaParams declares the choice of the broker, and the parameters of Redpanda. Whether it speaks TLS is that of
// brokers of all kinds.
func redpandaParams() []record.Param {
	out := []record.Param{
		{Name: paramServer, Minor: true, Kind: record.Enum, Default: serverKafka,
			Choices: []string{serverKafka, serverRedpanda},
			Phase:   record.Server,
			Doc:     "broker that is started: Apache Kafka, or Redpanda from a binary (redpanda.bin)"}}
	for _, d := range (redpanda.Engine{}).Params() {
		if d.Name != redpanda.ParamTLS {
			d.Name = redpandaPrefix + d.Name
			out = append(out, d)
		}
	}
	return out
}

// redpandaNames returns the names of these parameters; the choice of the broker is the first.
func redpandaNames() []string {
	return list.Map(redpandaParams(), func(d record.Param) string { return d.Name })
}
