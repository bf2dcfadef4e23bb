package kafka

import (
	"fmt"

	"plimsoll/internal/engine"
)

// The values of ParamGC.
const (
	gcG1       = "g1"
	gcParallel = "parallel"
	gcSerial   = "serial"
	gcZ        = "z"
)

// memory is what the runtime is told of its heap and its collector.
func memory(p engine.Params) []string {
	heap := p.Int(ParamHeap) >> 10
	out := []string{fmt.Sprintf("-Xms%dk", heap), fmt.Sprintf("-Xmx%dk", heap)}
	switch p.Text(ParamGC) {
	case gcG1:
		// As kafka-run-class.sh has it.
		return append(out, "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20", "-XX:InitiatingHeapOccupancyPercent=35", "-XX:+ExplicitGCInvokesConcurrent")
	case gcParallel:
		return append(out, "-XX:+UseParallelGC")
	case gcSerial:
		return append(out, "-XX:+UseSerialGC")
	default:
		return append(out, "-XX:+UseZGC")
	}
}
