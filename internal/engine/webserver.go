package engine

import (
	"bytes"
	"time"

	"plimsoll/internal/record"
)

// What every web server among the engines has in common, so that a client can
// be set on any of them.
const (
	// Hello is the body of /hello, always: 12 bytes of plain text, the answer of
	// the "hello world" servers that articles measure.
	Hello = "Hello World!"

	ParamBody = "body"
	ParamTLS  = "tls"
	// ParamSeed is of the choices that an engine makes by chance, where it makes any.
	ParamSeed = "seed"
)

// MaxSeed is the largest ParamSeed.
const MaxSeed = 1e15

// Web is an engine that is a web server: it has WebParams, and answers at / and /hello.
type Web interface {
	Engine
	// Heat is how long a fresh instance is asked at full load until it is as fast as it gets; 0 where nothing
	// is compiled while it runs.
	Heat() time.Duration
}

// Checker is an engine with parameters that do not go with each other; Resolve asks it.
type Checker interface {
	// Check says which do not. The values are each allowed.
	Check(Params) error
}

// maxBody is the largest body of /, in bytes.
const maxBody = 64 << 20

// WebParams are the parameters that every web server has.
func WebParams() []record.Param {
	return []record.Param{
		{Name: ParamBody, Kind: record.Size, Default: "128B", Min: 1, Max: maxBody, Phase: record.Server, Doc: "length of the body of /; that of /hello is 12 bytes"},
		{Name: ParamTLS, Kind: record.Bool, Default: "false", Phase: record.Server, Doc: "HTTPS, with a certificate made for the start"},
	}
}

// alphabet is what a body repeats.
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"

// Body is the body of / of n bytes, the same from every engine.
func Body(n int) []byte {
	return bytes.Repeat([]byte(alphabet), n/len(alphabet)+1)[:n]
}
