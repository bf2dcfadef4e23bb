package kafka

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"plimsoll/internal/engine"
)

const (
	propertiesFile = "server.properties"
	logDir         = "log"
)

// setting is one line of a configuration.
type setting struct{ name, value string }

// kept returns the prefixes of settings that plimsoll sets.
func kept() []string {
	return []string{
		"process.roles", "node.id", "zookeeper.", "broker.id", "broker.rack", "controller.",
		"listeners", "advertised.listeners", "listener.", "inter.broker.", "security.inter.broker.",
		"log.dir", "metadata.log.dir", "ssl.keystore.", "ssl.key.", "ssl.truststore.",
		"log.retention.", "log.segment.delete.delay.ms", "log.initial.task.delay.ms", "auto.create.topics.enable",
		"offsets.topic.replication.factor", "transaction.state.log.replication.factor", "transaction.state.log.min.isr",
	}
}

// parseSettings parses "name=value" lines, as in server.properties; empty lines and comments are allowed.
func parseSettings(text string) ([]setting, error) {
	var out []setting
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "!") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(line, "\\\r") {
			return nil, fmt.Errorf("line %d of %s, %.60q, is not name=value\nhint: one per line, without "+
				"backslashes, as in num.io.threads=16", n+1, ParamSettings, line)
		}
		for _, k := range kept() {
			if strings.HasPrefix(name, k) {
				return nil, fmt.Errorf("line %d of %s: %s is set by plimsoll\nhint: leave it out",
					n+1, ParamSettings, name)
			}
		}
		out = append(out, setting{name, value})
	}
	return out, nil
}

// The default retention of a topic: a segment or two of each partition. Finished segments are looked for every
// second and deleted at once, while Kafka waits half a minute, five minutes and another one: by then a fast disk is
// full.
const (
	retentionBytes = 256 << 20
	segmentBytes   = 64 << 20
	retentionMs    = 1000
)

// cleanerBuffer returns the buffer of the cleaner of compacted logs, in bytes: Kafka's own default, but for a small
// heap an eighth, since it is allocated at once.
func cleanerBuffer(heap int) int { return min(128<<20, heap/8) }

// properties returns the broker's configuration: our settings come last, and win.
func properties(p engine.Params, at netip.AddrPort, n node) (string, error) {
	own, err := parseSettings(p.Text(ParamSettings))
	if err != nil {
		return "", err
	}
	protocol := "PLAINTEXT"
	if p.Bool(ParamTLS) {
		protocol = "SSL"
	}
	all := append([]setting{
		{"log.segment.bytes", fmt.Sprint(segmentBytes)}, {"group.initial.rebalance.delay.ms", "0"},
		{"log.cleaner.dedupe.buffer.size", fmt.Sprint(cleanerBuffer(p.Int(ParamHeap)))},
	}, own...)
	all = append(all, n.placeSettings(at, protocol)...)
	all = append(all,
		setting{"log.dirs", logDir},
		setting{"auto.create.topics.enable", "false"},
		setting{"offsets.topic.replication.factor", "1"},
		setting{"transaction.state.log.replication.factor", "1"},
		setting{"transaction.state.log.min.isr", "1"},
		setting{"log.retention.bytes", fmt.Sprint(retentionBytes)},
		setting{"log.retention.check.interval.ms", fmt.Sprint(retentionMs)},
		setting{"log.initial.task.delay.ms", fmt.Sprint(retentionMs)},
		setting{"log.segment.delete.delay.ms", "0"},
	)
	if p.Bool(ParamTLS) {
		all = append(all, n.encrypting()...)
	}
	return written(all), nil
}

func written(all []setting) string {
	var text strings.Builder
	for _, s := range all {
		fmt.Fprintf(&text, "%s=%s\n", s.name, s.value)
	}
	return text.String()
}

// advertised returns the address that clients are given.
func advertised(at netip.AddrPort) netip.AddrPort {
	switch {
	case !at.Addr().IsUnspecified():
		return at
	case at.Addr().Is4():
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
	}
	return netip.AddrPortFrom(netip.IPv6Loopback(), at.Port())
}

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
		return append(out, "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20", "-XX:InitiatingHeapOccupancyPercent=35",
			"-XX:+ExplicitGCInvokesConcurrent")
	case gcParallel:
		return append(out, "-XX:+UseParallelGC")
	case gcSerial:
		return append(out, "-XX:+UseSerialGC")
	default:
		return append(out, "-XX:+UnlockExperimentalVMOptions", "-XX:+UseZGC") // before Java 15 an experiment
	}
}

// ownOptions returns the prefixes of the options that plimsoll sets.
func ownOptions() []string {
	return []string{"-Xms", "-Xmx", "-XX:MaxHeapSize", "-XX:InitialHeapSize", "-cp", "-classpath",
		"--class-path", "-jar", "-Djava.security.properties", "-Djava.io.tmpdir", "-Dlog4j2.", "-Dlog4j.configuration"}
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
