package kafka

import (
	"fmt"
	"slices"
	"strings"

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

// ownOptions begin the options that are ours to make.
func ownOptions() []string {
	return []string{"-Xms", "-Xmx", "-XX:MaxHeapSize", "-XX:InitialHeapSize", "-cp", "-classpath", "--class-path", "-jar", "-Djava.security.properties", "-Djava.io.tmpdir", "-Dlog4j2."}
}

// checkOptions says what is wrong with further options of the runtime.
func checkOptions(text string) error {
	for _, word := range strings.Fields(text) {
		if !strings.HasPrefix(word, "-") {
			return fmt.Errorf("%s: %q is no option\nhint: options begin with a dash, and have no spaces in them", ParamOptions, word)
		}
		if slices.ContainsFunc(ownOptions(), func(own string) bool { return strings.HasPrefix(word, own) }) {
			return fmt.Errorf("%s: %s is ours to set\nhint: leave it out; %s sets the heap, %s the collector", ParamOptions, word, ParamHeap, ParamGC)
		}
	}
	return nil
}
