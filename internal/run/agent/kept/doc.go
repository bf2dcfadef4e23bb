// Package kept is what agents keep on a host: the scratch directory of an order, the directory that the trials of a
// session share, and in it the finished orders that may have to be sent once more.
package kept
