// Package nights words and draws histories: what changed, each night of a cell, and the nights at which the machine
// changed.
package nights
