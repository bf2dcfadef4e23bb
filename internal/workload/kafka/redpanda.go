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

// redpandaParams declares the parameters of Redpanda. Whether it speaks TLS is a parameter of brokers of all kinds.
func redpandaParams() []record.Param {
	var out []record.Param
	for _, d := range (redpanda.Engine{}).Params() {
		if d.Name != redpanda.ParamTLS {
			d.Name = redpandaPrefix + d.Name
			d.Only = []record.Only{started(), {Param: paramServer, Is: []string{serverRedpanda}, To: "Redpanda"}}
			out = append(out, d)
		}
	}
	return out
}
