package pgbench

import (
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// target is a server that other hosts load, or its standby on a host of its own.
type target struct {
	*database.Server
	clients int
	params  workload.Params
}

func newServer(env workload.Env, p workload.Params) (workload.Server, error) {
	t := &target{clients: database.Lanes(p, env.Load, 0), params: p}
	var err error
	t.Server, err = database.NewServer(env, p, setOf(p))
	return t, err
}

// Doubts returns warnings about the server and the load of all hosts together.
func (t *target) Doubts() []string {
	program, err := programOf(t.params)
	if err != nil || t.StandsBy() {
		return t.Server.Doubts()
	}
	return append(t.Server.Doubts(), contention(program, t.clients, t.params)...)
}
