package kafka

import (
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

// serverParam declares the choice of the broker.
func serverParam() record.Param {
	return record.Param{Name: paramServer, Minor: true, Kind: record.Enum, Default: serverKafka,
		Choices: []string{serverKafka, serverRedpanda}, Phase: record.Server,
		Doc: "broker that is started: Apache Kafka, or Redpanda from a binary (redpanda.bin)"}
}

// redpandaParams declares the parameters of Redpanda. Whether it speaks TLS is a parameter of brokers of all kinds.
func redpandaParams() []record.Param {
	var out []record.Param
	for _, d := range (redpanda.Engine{}).Params() {
		if d.Name != redpanda.ParamTLS {
			d.Name = redpandaPrefix + d.Name
			out = append(out, d)
		}
	}
	return record.Needing(record.Only{Param: paramServer, Is: []string{serverRedpanda}, To: "Redpanda"}, out...)
}
