// Package queue is simulated servers whose truth is known: requests that come as a Poisson
// process and need exponential service, at one server, at several, and at cores whose
// second threads yield less than their first. What a run measures comes from the requests of a
// simulation, and the truth from formulas that share no code with it.
//
// It is pure, and knows nothing of how a load line is searched for.
package queue
