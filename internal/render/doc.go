// Package render turns findings into what a person or a program reads: text
// for a terminal, one JSON document, one self-contained HTML page, and progress
// while trials run. It measures nothing and decides nothing: every figure,
// interval and verdict comes from package judge.
//
// An interval always stands before its estimate, and where there is none the
// text says why. Terminal and page are drawn from the same tables and
// sentences, so they cannot disagree.
package render
