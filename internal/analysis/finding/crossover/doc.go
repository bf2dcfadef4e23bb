// Package crossover states how the comparison of two sides changes along an axis that both share, such as the load, the
// number of CPUs or a size: crossings, up to which number of CPUs the weaker side keeps up, and trends.
package crossover
