package web

import (
	"fmt"
	"time"

	"plimsoll/internal/workload"
)

// peers returns the counterparts of flags of curl and of other load generators.
func peers() []workload.Peer {
	return []workload.Peer{
		{Flags: []string{"http2", "h2", "h2c", "http2-prior-knowledge", "http", "http-version", "version"},
			Use: "--protocol 2 speaks HTTP/2"},
		{Flags: []string{"d"}, As: "--for {value}"}, // wrk's time, since noDuration rejects it as a body
		{Flags: []string{"http1", "h1", "http1.1"}, Use: "--protocol 1.1, which is the default"},
		{Flags: []string{"p", "parallel", "max-concurrent-streams"},
			Use: "--streams N with --protocol 2 has N requests in flight on each connection"},
		{Flags: []string{"m"}, Use: "-X METHOD, or --method METHOD", As: "-X {value}"},
		{Flags: []string{"D", "body-file", "data-binary", "data-raw"}, Use: "-d @FILE posts a file, -d TEXT a text"},
		{Flags: []string{"content-type", "accept", "A", "bearer", "user-agent", "host"},
			Use: "-H 'NAME: VALUE' adds a header"},
		{Flags: []string{"disable-keepalive", "disable-keep-alive", "no-keepalive", "no-keep-alive"},
			Use: "--keepalive=false opens a connection for each request", As: "--keepalive=false"},
		{Flags: []string{"status", "expect", "expected-status", "check-status", "fail"},
			Use: "--expect-status 200 rejects other answers, --expect-body TEXT those without that text"},
		{Flags: []string{"ca", "cacert", "ca-cert", "root-certs"},
			Use: "SSL_CERT_FILE=CA.pem in the environment names the trusted CA; -k accepts any certificate"},
		{Flags: []string{"z"}, Use: "--for 10s measures for that long in each run", As: "--for {value}"},
		{Flags: []string{"n"}, Use: "--for 10s: a run has a duration, not a number of requests"},
		{Flags: []string{"q"}, Use: "--rate N makes an open loop of N requests per second", As: "--rate {value}"},
		{Flags: []string{"t"}, Use: "--threads N sets the generator's threads, --targets FILE the requests",
			As: "--threads {value}"},
		{Flags: []string{"s", "script", "urls-from-file", "file", "f"},
			Use: "--targets FILE has the requests, in vegeta's format"},
		{Flags: []string{"latency", "latencies"}, Use: "leave it out: percentiles are always measured", As: "-"},
		{Flags: []string{"u", "user", "basic", "basic-auth"}, Use: "-H 'Authorization: Basic ${BASIC}', and set the " +
			"variable BASIC to the output of printf USER:PASSWORD | base64"},
		{Flags: []string{"L", "location", "follow", "redirects", "max-redirects"},
			Use: "leave it out: redirects are not followed, so give their target as the URL"},
		{Flags: []string{"instance", "instance-type", "machine-type", "type"},
			Use: "--answered-by TYPE names the instance type of the machine behind the URL, such as m7g.large"},
		{Flags: []string{"stages", "stage", "ramp", "concurrency-list"},
			Use: "--sweep clients=1,4,16 measures at each, --load-line searches for the max load"},
	}
}

// noDuration rejects a body that is a time: -d is the duration in wrk, and such a load would be of other requests.
func noDuration(value string) error {
	if _, err := time.ParseDuration(value); err != nil || value == "0" {
		return nil
	}
	return fmt.Errorf("%s: -d %s posts the text %q, as in curl\nhint: --for %s measures for that long; --post %s "+
		"posts the text", Name, value, value, value, value)
}
