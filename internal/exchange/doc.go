// Package exchange is the room of other tools' results: convert reads them, export writes them.
package exchange
