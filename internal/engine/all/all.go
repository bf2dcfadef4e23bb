// Package all lists every engine. It stands apart from package engine because
// the engines import that one.
package all

import (
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/embedded"
	"plimsoll/internal/engine/kafka"
	"plimsoll/internal/engine/netty"
	"plimsoll/internal/engine/nginx"
	"plimsoll/internal/engine/openssl"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/engine/rdkafka"
)

// All returns every engine, in the order in which they are listed to users.
func All() []engine.Engine {
	return []engine.Engine{nginx.Engine{}, netty.Engine{}, embedded.Engine{}, openssl.Engine{}, postgres.Engine{}, kafka.Engine{}, rdkafka.Engine{}}
}

// Find returns the engine of that name; false where there is none.
func Find(name string) (engine.Engine, bool) {
	for _, e := range All() {
		if e.Name() == name {
			return e, true
		}
	}
	return nil, false
}

// Webs are those that are web servers, in the order of All.
func Webs() []engine.Web {
	var out []engine.Web
	for _, e := range All() {
		if w, ok := e.(engine.Web); ok {
			out = append(out, w)
		}
	}
	return out
}

// Names are those of all engines.
func Names() []string {
	var out []string
	for _, e := range All() {
		out = append(out, e.Name())
	}
	return out
}
