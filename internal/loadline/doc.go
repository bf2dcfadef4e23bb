// Package loadline finds the highest load that a server sustains within a latency objective, from sweeps of loads and
// from searches: docs/method.md#load-lines.
package loadline
