// Package selftest is the instrument's own calibration certificate: simulated machines with known truth are measured in
// the orders of plan.Next, and the conclusions of judge and stat are counted and compared with gates
// (bench/EVIDENCE.md). Failed gates are printed like passed ones.
//
// It is pure: it reads no clock and no file, and for a seed and a number of simulations the certificate is the same on
// any number of CPUs.
package selftest
