// Package selftest is the instrument's own calibration certificate: simulated
// machines whose truth is known are measured in the orders that plan.Next asks for, and what
// judge and stat conclude from the trials is counted and held to the gates of
// METHOD section 9. The gates that fail are printed like those that pass.
//
// It is pure: it reads no clock and no file, and for a seed and a number of
// simulations the certificate is the same, however many CPUs make it.
package selftest
