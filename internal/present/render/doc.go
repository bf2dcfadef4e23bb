// Package render makes documents of findings: parts, sections, sentences, tables and drawings, which the packages of
// internal/present/media write for a terminal, as a page, and as Markdown. It measures nothing and decides nothing:
// every figure, interval and verdict comes from package judge.
//
// An interval always precedes its estimate; if there is none, the text gives the reason. All media write the same
// document, so they cannot disagree.
package render
