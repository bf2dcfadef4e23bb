// Package queue simulates servers with known truth: requests that arrive as a Poisson process and need exponential
// service, at one server, at several, and at cores whose second threads yield less than their first. Measurements come
// from simulated requests, and the truth from formulas that share no code with the simulation.
//
// It is pure, and independent of how a load line is searched for.
package queue
