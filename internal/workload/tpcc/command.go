package tpcc

import (
	"fmt"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// command is the way to type a load of one's own server.
func command() workload.Command {
	return workload.Command{
		Arguments: "[DSN]",
		Take:      take,
		Flags:     database.Flags(),
		Groups: database.Groups(workload.Group{Title: "transactions and data", Params: []string{
			"warehouses", "tables", "statements", "skew", "home", "isolation", "population", "data_seed", "heat"}}),
		Examples: []workload.Example{
			{Command: "run tpcc --warehouses 10 --clients 16", Doc: "a server started for the run, with 10 warehouses"},
			{Command: "run tpcc postgres://bench@db/postgres --clients 32",
				Doc: "an existing server, in a database made for the run"},
			{Command: "run tpcc --load-line --slo p99=50ms", Doc: "the highest rate with a p99 of at most 50 ms"},
		},
	}
}

// take returns the settings for a connection string.
func take(args []string) (workload.Taken, error) {
	if len(args) > 1 || !database.IsDSN(args[0]) {
		return workload.Taken{}, fmt.Errorf("%s: %q is no connection string\nhint: plimsoll run %s "+
			"postgres://USER@HOST:PORT/DATABASE", Name, args[len(args)-1], Name)
	}
	return workload.Taken{Set: map[string]string{database.ParamDSN: args[0]}}, nil
}
