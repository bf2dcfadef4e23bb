// Package machine is the room of machines. Host describes and meters them, catalog has instance types and prices,
// and forecast predicts time and disk space. Hostlist and hosts find machines.
//
//   - The fingerprint samples for 400 ms, so it's taken once per host and session. A run's child starts in a few
//     milliseconds.
//   - Disks are sampled every 100 ms on the watchdog's thread (host/pulse), since waking another costs more than
//     the sample. Clocks have their own thread, because some kernels sleep meanwhile. Samples go to series
//     (diskuse.…), sums to the run line.
//   - Fleets come from users' tools (ansible-inventory, scontrol, kubectl), run as commands. The list of hosts is
//     the only new concept. hostlist/probe.sh checks a host that has no plimsoll yet.
package machine
