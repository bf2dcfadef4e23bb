package pgbench

import (
	"fmt"
	"strings"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// means recognises scripts of SQL and connection strings.
func means(arg string) workload.Likelihood {
	if strings.HasPrefix(arg, "postgres://") || strings.HasPrefix(arg, "postgresql://") || strings.HasSuffix(arg, ".sql") {
		return workload.Certain
	}
	return workload.Unlikely
}

// command is the way to type a load of one's own database; the further flags are pgbench's.
func command() workload.Command {
	return workload.Command{
		Arguments: "[SCRIPT.sql[@WEIGHT]…] [DSN]",
		Take:      take,
		Means:     means,
		Flags: append(database.Flags(), workload.Flag{Name: "file", Short: "f", Param: paramScript},
			workload.Flag{Name: "builtin", Short: "b", Param: paramScript}, workload.Flag{Name: "max-tries", Param: paramTries}),
		Groups: database.Groups(workload.Group{Title: "transactions and data", Params: []string{
			"script", "scale", "protocol", "schema", "init", "tries", "fillfactor", "pool", "replica_dsn"}}),
		Peers: append(database.Peers(), peers()...),
		Examples: []workload.Example{
			{Command: "run pgbench my.sql --dsn postgres://app@db/shop --clients 32",
				Doc: "your own script, with 32 clients, on an existing server"},
			{Command: "run pgbench --scale 100 --vary settings=shared_buffers=128MB,shared_buffers=4GB",
				Doc: "two settings of a server started for the run"},
			{Command: "run pgbench --script select-only --load-line --slo p99=10ms",
				Doc: "the highest rate with a p99 of at most 10 ms"},
		},
	}
}

// peers returns the counterparts of pgbench's own flags.
func peers() []workload.Peer {
	return []workload.Peer{
		{Flags: []string{"fault"}, Use: "--standby sync or async measures a standby's lag and what it costs commits; " +
			"servers are not killed any more"},
		{Flags: []string{"j"}, As: "- {value}", Use: "leave it out: each client has its own worker"},
		{Flags: []string{"S", "select-only"}, As: "--script select-only", Use: "--script select-only"},
		{Flags: []string{"N", "skip-some-updates"}, As: "--script simple-update", Use: "--script simple-update"},
		{Flags: []string{"M"}, As: "--protocol {value}", Use: "--protocol simple, extended or prepared"},
		{Flags: []string{"s"}, As: "--scale {value}", Use: "--scale N"},
		{Flags: []string{"F"}, As: "--fillfactor {value}", Use: "--fillfactor N"},
		{Flags: []string{"i", "initialize"}, As: "-",
			Use: "leave it out: a server started for the run gets its tables first"},
		{Flags: []string{"r", "report-per-command", "report-latencies"}, As: "-",
			Use: "leave it out: the latency of each statement is always measured"},
		{Flags: []string{"n", "no-vacuum", "vacuum-all"}, As: "-", Use: "leave it out"},
		{Flags: []string{"P", "progress"}, As: "- {value}",
			Use: "leave it out: plimsoll report FILE draws throughput over time"},
		{Flags: []string{"t"}, Use: "--for 10s: a run lasts for a time, not for a number of transactions"},
		{Flags: []string{"D", "define"}, Use: `write the value into the script: \set NAME VALUE`},
		{Flags: []string{"C", "connect"}, Use: "leave it out: each client keeps its connection"},
	}
}

// take returns the settings for scripts, built-in ones or files, which run together, and for a connection string.
func take(args []string) (workload.Taken, error) {
	set := map[string]string{}
	var scripts []string
	for _, arg := range args {
		switch {
		case !database.IsDSN(arg):
			scripts = append(scripts, quoted(arg))
		case set[database.ParamDSN] != "":
			return workload.Taken{}, fmt.Errorf("%s: two connection strings\nhint: --vary dsn=A,B compares two servers", Name)
		default:
			set[database.ParamDSN] = arg
		}
	}
	if len(scripts) > 0 {
		set[paramScript] = strings.Join(scripts, " ")
	}
	return workload.Taken{Set: set}, nil
}
