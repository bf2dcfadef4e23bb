// Package headroom states how heavily a machine can be loaded before its latency breaks: its load lines, their alarms,
// and the machines that a demand needs.
package headroom
