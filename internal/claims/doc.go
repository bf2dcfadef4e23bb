// Package claims recomputes the derived figures of articles. A claim is a figure stated by an article, with the formula
// that derives it from facts; the result shows whether the claim holds. docs/claims.md is the manual of the two tables
// and of the verdicts.
//
// The package is pure: it gets the text of files and reads none.
package claims
