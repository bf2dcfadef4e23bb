package engine

import (
	"bytes"
	"time"

	"plimsoll/internal/record"
)

// The common part of all web servers among the engines, so that one client fits all of them.
const (
	// Hello is the body of /hello: 12 bytes of plain text, the answer of the "hello world" servers in published
	// benchmarks.
	Hello = "Hello World!"

	ParamBody = "body"
	ParamTLS  = "tls"
	// ParamSeed seeds an engine's random choices, if it has any.
	ParamSeed = "seed"
)

// MaxSeed is the largest ParamSeed.
const MaxSeed = 1e15

// Web is an engine that is a web server: it has WebParams, and answers at / and /hello.
type Web interface {
	Engine
	// Heat returns how long a fresh instance needs full load until it reaches its speed; 0 without a JIT compiler.
	Heat() time.Duration
}

// Checker is an engine whose parameters may conflict; Resolve calls it.
type Checker interface {
	// Check returns an error if parameters conflict. Each value by itself is allowed.
	Check(Params) error
}

// maxBody is the largest body of /, in bytes.
const maxBody = 64 << 20

// WebParams returns the parameters common to all web servers.
func WebParams() []record.Param {
	return []record.Param{
		{Name: ParamBody, Kind: record.Size, Default: "128B", Min: 1, Max: maxBody, Phase: record.Server,
			Doc: "size of the body of /; that of /hello is 12 bytes"},
		{Name: ParamTLS, Kind: record.Bool, Default: "false", Phase: record.Server,
			Doc: "HTTPS, with a certificate made at the start"},
	}
}

// alphabet is repeated in a body.
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"

// Body returns the body of / with n bytes, the same for every engine.
func Body(n int) []byte {
	return bytes.Repeat([]byte(alphabet), n/len(alphabet)+1)[:n]
}
