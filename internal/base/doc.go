// Package base is the room of small tools that know nothing of the field. They run commands, open input files, mask
// secrets, find names close to a mistyped one, and give errors their hints.
package base
