// Package netload moves bytes, datagrams and round trips between a peer and its clients, and accounts for each of them.
// The peer is a separate process.
//
// Each connection begins with a TCP connection for control. The peer sends a challenge, and the client answers with its
// order and a MAC of both under a key that only the two know. Data take a second TCP connection, with such a proof too,
// or a pair of UDP sockets. All of them use one port of the peer. When control ends, the peer's end does.
package netload

import "time"

// The modes.
const (
	Stream    = "stream"     // blocks, or datagrams, one after the other in one direction
	RoundTrip = "round_trip" // a request and its answer
)

// The transports.
const (
	TCP = "tcp"
	UDP = "udp"
)

// Order is one connection's work. Both ends know it.
type Order struct {
	Mode       string        `json:"mode"`
	Transport  string        `json:"transport"`
	Out        bool          `json:"out"`              // of a stream: the client sends
	Size       int           `json:"size"`             // bytes of a block, datagram or request
	Answer     int           `json:"answer,omitempty"` // bytes of an answer
	TLS        bool          `json:"tls,omitempty"`
	Buffer     int           `json:"buffer,omitempty"`     // bytes of the socket's buffers; 0: the kernel's choice
	Congestion string        `json:"congestion,omitempty"` // congestion control of TCP; "": the kernel's choice
	Timeout    time.Duration `json:"timeout"`              // a connection without progress for so long has failed
	// of datagrams to the peer: sent by a schedule, so that nobody waits for receipts
	Paced bool `json:"paced,omitempty"`
}

// Account is what one end of a connection has done, over its whole life.
type Account struct {
	Sent        int64  `json:"sent"`        // blocks, datagrams, requests or answers
	Received    int64  `json:"received"`    // of these, those that arrived, each once
	SentBytes   int64  `json:"sent_bytes"`  // payload
	GotBytes    int64  `json:"got_bytes"`   // payload, each once
	Duplicated  int64  `json:"duplicated"`  // datagrams that had arrived before
	Reordered   int64  `json:"reordered"`   // datagrams that arrived after a later one
	CPUNs       int64  `json:"cpu_ns"`      // CPU time of the end's thread
	Broken      string `json:"broken"`      // why it ended early; "": it did not
	Untraceable int64  `json:"untraceable"` // datagrams so late that whether they are duplicates is unknown
}

// sent counts n operations of so many bytes each.
func (a *Account) sent(n, bytes int) {
	a.Sent, a.SentBytes = a.Sent+int64(n), a.SentBytes+int64(n)*int64(bytes)
}

// got counts an operation of so many bytes that arrived for the first time.
func (a *Account) got(bytes int) { a.Received, a.GotBytes = a.Received+1, a.GotBytes+int64(bytes) }

// The limits of sizes, in bytes.
const (
	LeastSize    = 2 * stampBytes // of a block, datagram, request or answer: a stamp at either end
	MostDatagram = 65507          // the payload of UDP over IPv4
)
