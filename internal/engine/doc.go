// Package engine finds, sets up, starts and stops the real servers and tools that workloads need, one folder an
// engine; engine/all lists them. An engine knows nothing of workloads, plans or agents: it receives its parameters
// and its CPUs, and returns addresses.
package engine
