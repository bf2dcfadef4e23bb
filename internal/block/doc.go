// Package block defines the contents of a document as plain values: sentences, tables, charts, plots and flame graphs.
// It does no input or output, and knows neither findings nor media.
package block
