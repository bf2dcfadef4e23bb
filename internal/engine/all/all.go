// Package all lists every engine. It stands apart from package engine because
// the engines import that one.
package all

import (
	"plimsoll/internal/base/list"
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/asyncprofiler"
	"plimsoll/internal/engine/embedded"
	"plimsoll/internal/engine/jvm"
	"plimsoll/internal/engine/kafka"
	"plimsoll/internal/engine/minio"
	"plimsoll/internal/engine/netty"
	"plimsoll/internal/engine/nginx"
	"plimsoll/internal/engine/openssl"
	"plimsoll/internal/engine/own"
	"plimsoll/internal/engine/perf"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/engine/rdkafka"
	"plimsoll/internal/engine/redpanda"
)

// All returns every engine, in the order in which they are listed to users.
func All() []engine.Engine {
	return []engine.Engine{nginx.Engine{}, netty.Engine{}, embedded.Engine{}, own.Engine{}, openssl.Engine{},
		postgres.Engine{},
		kafka.Engine{}, redpanda.Engine{}, rdkafka.Engine{}, minio.Engine{}}
}

// Profilers returns every profiler, in the order in which they are listed to users.
func Profilers() []engine.Profiler {
	return []engine.Profiler{perf.Profiler{}, asyncprofiler.Profiler{}}
}

// Findables returns all engines, all profilers and then the runtimes by which servers run.
func Findables() []engine.Findable {
	out := list.Map(All(), func(e engine.Engine) engine.Findable { return e })
	for _, p := range Profilers() {
		out = append(out, p)
	}
	return append(out, jvm.JDK{})
}

// Find returns the engine, profiler or runtime of that name, or false if there is none.
func Find(name string) (engine.Findable, bool) {
	for _, e := range Findables() {
		if e.Name() == name {
			return e, true
		}
	}
	return nil, false
}

// Webs returns the web servers, in the order of All.
func Webs() []engine.Web {
	var out []engine.Web
	for _, e := range All() {
		if w, ok := e.(engine.Web); ok {
			out = append(out, w)
		}
	}
	return out
}

// Names returns the names of all that can be found here.
func Names() []string {
	return list.Map(Findables(), func(e engine.Findable) string { return e.Name() })
}
