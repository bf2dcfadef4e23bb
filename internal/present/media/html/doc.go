// Package html writes blocks as one self-contained page: charts, plots and flame graphs as SVG, and as data for its
// script.
package html
