// Package json writes a document of values as JSON.
package json
