// Package term writes blocks and progress as text for a terminal.
package term
