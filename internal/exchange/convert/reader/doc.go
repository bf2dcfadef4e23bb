// Package reader parses the outputs of other tools, each as a whole: its runs with their values, parameters, load and
// failures.
package reader
