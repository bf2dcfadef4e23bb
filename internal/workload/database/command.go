package database

import (
	"slices"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// IsDSN reports whether an argument is a connection string: a URL, or libpq's keywords.
func IsDSN(arg string) bool {
	key, _, ok := strings.Cut(arg, "=")
	return isURL(arg) || ok && slices.Contains([]string{"host", "hostaddr", "port", "dbname", "user", "service"}, key)
}

// Flags returns the further names of the parameters that all databases have; pgbench's own.
func Flags() []workload.Flag {
	return []workload.Flag{{Name: "client", Param: record.ParamClients}}
}

// derivedServer returns the server that is meant if only a DSN is set.
func derivedServer(vals record.Params) string {
	if vals[ParamDSN] != "" {
		return ServerDSN
	}
	return ServerPostgres
}
