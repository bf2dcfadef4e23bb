// Package claims recomputes what articles derive from their figures. A claim is a
// figure that an article states and the formula by which it follows from facts;
// what is computed says whether the words hold. docs/claims.md is the manual of
// the two tables and of the verdicts.
//
// The package is pure: it is handed the text of files and reads none.
package claims
