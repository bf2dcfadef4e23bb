// Package workload defines the workloads that load a machine, one folder each. A workload knows nothing of
// plans, sessions or agents: it receives its parameters and its CPUs, prepares, and runs lanes that a load
// generator paces.
package workload
