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

// memory returns the runtime's options for the heap and the collector.
func memory(p engine.Params) []string {
	heap := p.Int(ParamHeap) >> 10
	out := []string{fmt.Sprintf("-Xms%dk", heap), fmt.Sprintf("-Xmx%dk", heap)}
	switch p.Text(ParamGC) {
	case gcG1:
		// As in kafka-run-class.sh.
		return append(out, "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20", "-XX:InitiatingHeapOccupancyPercent=35", "-XX:+ExplicitGCInvokesConcurrent")
	case gcParallel:
		return append(out, "-XX:+UseParallelGC")
	case gcSerial:
		return append(out, "-XX:+UseSerialGC")
	default:
		return append(out, "-XX:+UseZGC")
	}
}

// ownOptions returns the prefixes of the options that plimsoll sets.
func ownOptions() []string {
	return []string{"-Xms", "-Xmx", "-XX:MaxHeapSize", "-XX:InitialHeapSize", "-cp", "-classpath",
		"--class-path", "-jar", "-Djava.security.properties", "-Djava.io.tmpdir", "-Dlog4j2."}
}

// checkOptions returns an error for invalid options of the runtime.
func checkOptions(text string) error {
	for _, word := range strings.Fields(text) {
		if !strings.HasPrefix(word, "-") {
			return fmt.Errorf("%s: %q is not an option\nhint: options begin with a dash, and contain no spaces",
				ParamOptions, word)
		}
		if slices.ContainsFunc(ownOptions(), func(own string) bool { return strings.HasPrefix(word, own) }) {
			return fmt.Errorf("%s: %s is set by plimsoll\nhint: leave it out; %s "+
				"sets the heap, %s the collector", ParamOptions, word, ParamHeap, ParamGC)
		}
	}
	return nil
}
