package execload

import (
	"maps"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// scratchName is the placeholder for the trial's own directory in a command, or in a value used in it.
const scratchName = "scratch"

// presetNone is the value of preset for a command of the user's own.
const presetNone = "none"

// presets returns well-known tools that do the same as a workload of ours, as a cross-check.
func presets() []record.Preset {
	return []record.Preset{{
		Name: reader.Fio,
		Doc:  "the job of the workload disk by fio: rw, block, depth, jobs, size, path, seconds, ramp, engine, options",
		Set: map[string]string{
			// kb_base=1000 gives fio's MiB the usual meaning; the rest matches the workload disk: existing data,
			// random places with repeats, latency from submission, and threads instead of processes.
			paramCommand: "fio --name=job --kb_base=1000 --rw={rw} --bs={block} --iodepth={depth} --numjobs={jobs} " +
				"--size={size} '--directory={path}'" +
				" --ioengine={engine} --direct=1 --time_based --runtime={seconds}s --ramp_time={ramp}s --thread " +
				"--group_reporting --overwrite=1 --unlink=1" +
				" --randrepeat=0 --norandommap --lat_percentiles=1 --clat_percentiles=0 --output-format=json+ {options}",
			paramParse: reader.Fio,
			"rw":       "write", "block": "16KiB", "depth": "128", "jobs": "4", "size": "256MiB",
			"path":    "{" + scratchName + "}",
			"seconds": "10", "ramp": "1", "engine": "io_uring", "options": "--registerfiles=1 --fixedbufs=1",
		},
	}, {
		Name: reader.Pgbench,
		Doc: "the transactions of the workload pgbench by PostgreSQL's own pgbench, on an existing server filled " +
			"by pgbench -i: dsn, script, protocol, connections, threads, seconds, options",
		Set: map[string]string{
			paramCommand: "pgbench --no-vacuum --protocol={protocol} --builtin={script} --client={connections} " +
				"--jobs={threads}" +
				" --time={seconds} --report-per-command {options} '{dsn}'",
			paramParse: reader.Pgbench,
			"dsn":      "", "script": "tpcb-like", "protocol": "prepared", "connections": "16", "threads": "16", "seconds": "10",
			"options": "",
		},
	}, {
		Name: reader.Wrk,
		Doc: "the closed loop of the workload http by wrk, on an existing server: url, connections, threads, " +
			"seconds, options",
		Set: map[string]string{
			paramCommand: "wrk --latency --connections {connections} --threads {threads} --duration {seconds}s " +
				"{options} '{url}'",
			paramParse: reader.Wrk,
			"url":      "http://localhost:8080/", "connections": "64", "threads": "2", "seconds": "10", "options": "",
		},
	}, {
		Name: reader.Rdkafka,
		Doc: "the load of the workload kafka by librdkafka's rdkafka_performance, on an existing broker, to an " +
			"existing topic or one that it makes: " + producerNames,
		Set: producing(map[string]string{
			// One connection to each broker, one producing thread; without -D, all values share one buffer. -i: it
			// prints statistics now and then, counts those that nobody read by the end as undelivered messages, and
			// fails.
			paramCommand: "'{engine.rdkafka}' -P -b '{brokers}' -t '{topic}' -c {records} -s {record_size} -a " +
				"{acks} -z {codec}" +
				" -X linger.ms={linger_ms} -X batch.size={batch_bytes}" +
				" -X max.in.flight.requests.per.connection={in_flight} -X enable.idempotence={idempotence} -i 3600000 {options}",
			paramParse: reader.Rdkafka,
		}),
	}, {
		Name: reader.ProducerPerf,
		Doc: "the same by Kafka's own ProducerPerformance, with the Java and the jars that `plimsoll setup kafka` " +
			"installed: " + producerNames,
		Set: producing(map[string]string{
			// The heap and the collector are those of kafka-producer-perf-test.sh; the language fixes the format of
			// numbers.
			paramCommand: "'{engine.kafka.java}' -Xmx512M -XX:+UseG1GC -XX:MaxGCPauseMillis=20" +
				" -XX:InitiatingHeapOccupancyPercent=35 -XX:+ExplicitGCInvokesConcurrent -Duser.language=en" +
				" '-Dlog4j2.configurationFile={engine.kafka}/log4j2.properties' -cp '{engine.kafka}/lib/*' " +
				"org.apache.kafka.tools.ProducerPerformance" +
				" --topic '{topic}' --num-records {records} --record-size {record_size} --throughput -1 {options}" +
				" --producer-props 'bootstrap.servers={brokers}' acks={acks} compression.type={codec} linger.ms={linger_ms} " +
				"batch.size={batch_bytes}" +
				" max.in.flight.requests.per.connection={in_flight} enable.idempotence={idempotence}",
			paramParse: reader.ProducerPerf,
		}),
	}}
}

func presetNames() []string {
	out := []string{presetNone}
	for _, p := range presets() {
		out = append(out, p.Name)
	}
	return out
}

// producerNames lists the parameters that producers' presets set beside the command.
const producerNames = "brokers, topic, records, record_size, acks, codec, linger_ms, batch_bytes, in_flight, " +
	"idempotence, options"

// producing adds to a preset the settings common to producers: the defaults of the workload kafka, so that all three
// do the same.
func producing(set map[string]string) map[string]string {
	maps.Copy(set, map[string]string{
		"brokers": "localhost:9092", "topic": "plimsoll", "records": "1000000", "record_size": "1000", "acks": "all",
		"codec":     "none",
		"linger_ms": "5", "batch_bytes": "1000000", "in_flight": "5", "idempotence": "true", "options": "",
	})
	return set
}
