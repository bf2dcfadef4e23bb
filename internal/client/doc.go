// Package client is the room of load generators and their protocols: schedules, workers and recorders (load), HTTP
// over event loops (httpload), PostgreSQL (pgload, pgscript), and io_uring (ring). Bytes and datagrams between hosts
// (netload) go through blocking sockets (socket).
//
//   - Closed loops have no edge error: an operation counts by the share of its time inside the window
//     (load/within.go).
//   - A ring's worker has many operations in flight and waits in the kernel (Spec.Waits), so the child has one Go
//     thread per worker.
package client
