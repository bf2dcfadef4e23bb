// Package s3 is the workload `s3`: objects that are written to an object store and read back, over S3's protocol: a
// store that it starts itself, or any endpoint. Each byte that is read is compared with the bytes that were written.
package s3

import (
	"context"
	"fmt"
	"math"
	"net"
	"net/url"
	"slices"
	"strings"

	"plimsoll/internal/engine"
	store "plimsoll/internal/engine/minio"
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/fault"
	"plimsoll/internal/workload/there"
)

// Name is the workload's name.
const Name = "s3"

// The workload's own metrics.
const (
	metricIngest = "ingest"
	metricEgress = "egress"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name: Name,
			Doc: "writes objects to an object store started for the run, or to an S3 endpoint, and reads them back; open or " +
				"closed loop",
			Params: slices.Concat(requestParams(), storeParams(), loadParams()),
			Metrics: append([]record.Metric{
				{Name: record.Throughput, Unit: "op/s", Better: record.Higher,
					Doc: "operations per second; under a rate, latency_p99 is the primary metric"},
				{Name: record.LatencyP50, Unit: "s", Better: record.Lower,
					Doc: "from the intended start to the last byte"},
				{Name: record.LatencyP99, Unit: "s", Better: record.Lower, Doc: "likewise"},
				{Name: metricIngest, Unit: "B/s", Better: record.Higher, Doc: "bytes of objects written per second"},
				{Name: metricEgress, Unit: "B/s", Better: record.Higher, Doc: "bytes of objects read per second"},
				{Name: record.CPUPerOp, Unit: "s", Better: record.Lower, Doc: "CPU time of the store per operation"},
				{Name: record.CPUPercent, Unit: "%", Better: record.Neutral,
					Doc: "CPU use of the store's CPUs; of the whole target if other hosts make the load"},
			}, slices.Concat(record.PacketMetrics("operation"), fault.Metrics(record.FaultPrefix, "with a fault",
				"the loss of the drive"))...),
			Loads:    []record.LoadKind{record.Closed, record.Open},
			Serves:   true,
			Clusters: true,
			Needs:    []string{store.Engine{}.Name()},
		},
		Charge: workload.Started,
		Split: func(p workload.Params) bool {
			return p.Text(record.ParamCPUSets) == record.CPUsSplit && !isExternal(p)
		},
		Lanes:     lanes,
		Check:     check,
		Preflight: preflight,
		Cost:      cost,
		Path:      func(p workload.Params) (string, bool) { return p.Text(paramPath), !isExternal(p) },
		Runs: func(p workload.Params) workload.Runs {
			if isExternal(p) {
				return workload.External
			}
			return workload.Programs
		},
		Faults:  sharesOf,
		Serve:   serve,
		Aim:     aimed,
		Command: command(),
		There: func(p workload.Params) (workload.There, bool) {
			at, err := bucketIn(p.Text(paramURL))
			if err != nil {
				return workload.There{}, false
			}
			return there.At(p, at.address()), isExternal(p)
		},
		New: newDriver,
	}
}

// isExternal reports whether the load uses an existing endpoint instead of starting a store.
func isExternal(p workload.Params) bool { return p.Set(paramURL) != "" }

// lanes returns the number of event loops: as set, else one for each CPU of the generator; never more than connections.
func lanes(p workload.Params, l record.LoadPoint, cpus int) int {
	n := p.Int(paramThreads)
	if n == 0 {
		n = cpus
	}
	return min(n, workload.Clients(l, p.Int(paramConnections)))
}

func check(p workload.Params, _ record.Machine) error {
	for _, err := range []error{checkLoad(p), checkStore(p), checkFault(p)} {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkLoad checks what is requested.
func checkLoad(p workload.Params) error {
	invalid := func(name string, err error) error {
		return fmt.Errorf("%s: %s=%s: %w", Name, name, p.Text(name), err)
	}
	m, err := parseMix(p.Text(paramOps))
	if err != nil {
		return invalid(paramOps, err)
	}
	s, err := parseSizes(p.Text(paramSize))
	if err != nil {
		return invalid(paramSize, err)
	}
	if _, err := parseChoice(p.Text(paramKeys)); err != nil {
		return invalid(paramKeys, err)
	}
	if clients := connections(p); m.writes() && clients > p.Int(paramObjects) {
		return fmt.Errorf("%s: %d clients write %d objects, each of which has one write in flight at a time\nhint: "+
			"--objects %d", Name, clients, p.Int(paramObjects), 2*clients)
	}
	if parts := s.largest() / int64(p.Number(paramPart)); m.has(multipart) && parts >= mostParts {
		return fmt.Errorf("%s: an upload of %s in parts of %s has more than %d parts\nhint: --part-size %s", Name,
			record.FormatSize(s.largest()), p.Text(paramPart), mostParts, record.FormatSize(s.largest()/mostParts+1))
	}
	return nil
}

// mostParts is S3's limit on the parts of an upload.
const mostParts = 10000

// checkStore checks where the requests go.
func checkStore(p workload.Params) error {
	if !isExternal(p) {
		if nodes := p.Int(paramNodes); nodes > 1 && p.Text(paramAddress) != "" {
			return fmt.Errorf("%s: %s=%s is one address, but each of %d hosts has its own\nhint: leave it out", Name,
				paramAddress, p.Text(paramAddress), nodes)
		}
		_, err := engineParams(p)
		return err
	}
	if _, err := bucketIn(p.Text(paramURL)); err != nil {
		return err
	}
	if (p.Set(paramAccess) == "") != (p.Set(paramSecret) == "") {
		return fmt.Errorf("%s: %s and %s belong together\nhint: export AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", Name,
			paramAccess, paramSecret)
	}
	return nil
}

// checkHosts returns an error unless each server of an erasure set has its own host.
func checkHosts(p workload.Params, hosts int) error {
	nodes := p.Int(paramNodes)
	if nodes < 2 || hosts > 1 {
		return nil
	}
	return fmt.Errorf("%s: %s=%d needs as many hosts, since each has one server of the store\nhint: --on a='ssh a' --on "+
		"b='ssh b' --cluster NAME=a,b --generator 'ssh HOST'; on one host, --drives %d is an erasure set", Name, paramNodes,
		nodes, nodes)
}

// engineParams returns the parameters of the store that is started.
func engineParams(p workload.Params) (engine.Params, error) {
	params, err := engine.ParamsOf(store.Engine{Nodes: p.Int(paramNodes)}, "", p.Text, nil)
	if err != nil {
		return params, fmt.Errorf("%s: %w", Name, err)
	}
	return params, nil
}

// preflight returns an error if the store can't be started on this host, or if there is too little space.
func preflight(ctx context.Context, p workload.Params, dir string) error {
	if isExternal(p) {
		return nil
	}
	params, err := engineParams(p)
	if err == nil {
		err = checkHosts(p, p.Hosts())
	}
	if err != nil {
		return err
	}
	if _, err := (store.Engine{}).Find(ctx, params); err != nil {
		return err
	}
	if dir, err = workload.CheckDataDir(Name, p.Text(paramPath), dir); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	space, err := workload.SpaceIn(dir)
	if err != nil {
		return nil // making the directory reports it
	}
	if needed := room(p, p.Hosts()); space.Usable() < needed {
		return fmt.Errorf("%s: %w: %s objects with their parity take up to %s, but %s has only %s to use\nhint: fewer "+
			"--objects, a smaller --size, or --path DIRECTORY on another disk", Name, workload.ErrNoSpace, p.Text(paramObjects),
			record.FormatSize(needed), dir, record.FormatSize(max(0, space.Usable())))
	}
	return nil
}

// overwriting is how often an object may be on the drives: an overwritten version is removed late.
const overwriting = 2

// room returns the largest size of a started store's data on each of its hosts, bytes. hosts is less than 2 if there is
// one.
func room(p workload.Params, hosts int) int64 {
	s, err := parseSizes(p.Text(paramSize))
	drives, parity := drivesOf(p), parityOf(p)
	if isExternal(p) || err != nil || parity >= drives {
		return 0
	}
	all := overwriting * s.mean() * p.Number(paramObjects) * float64(drives) / float64(drives-parity)
	return wholeMiB(all / float64(max(hosts, 1)))
}

// wholeMiB rounds more than some MiB up to a number of them, which is read more easily.
func wholeMiB(bytes float64) int64 {
	if bytes < 10<<20 {
		return int64(bytes)
	}
	return int64(math.Ceil(bytes/(1<<20))) << 20
}

// The work of starting and stopping a store, and of writing a byte before the load, measured on the reference machine.
const (
	storeCPU  = 2.
	storeS    = 1.
	clusterS  = 10.  // until each of several servers has all drives
	fillCPU   = 5e-9 // of a byte
	objectCPU = 1e-3 // of an object
)

// cost returns the time to start a store and to write its objects.
func cost(p workload.Params, _ record.LoadPoint, target record.Machine) forecast.Cost {
	start := forecast.Step{Name: forecast.Start, Work: forecast.Work{CPU: storeCPU, Threads: 2, Wait: storeS}}
	if target.Hosts > 1 {
		start.Work.Wait += clusterS
	}
	if isExternal(p) {
		start.Work = forecast.Work{CPU: .1}
	}
	out := forecast.Cost{Disk: room(p, target.Hosts), Steps: []forecast.Step{start}}
	m, err := parseMix(p.Text(paramOps))
	s, wrong := parseSizes(p.Text(paramSize))
	if err == nil && wrong == nil && m.reads() && !isExternal(p) {
		bytes := s.mean() * p.Number(paramObjects)
		out.Steps = append(out.Steps, forecast.Step{Name: forecast.Fill, Work: forecast.Work{Write: int64(bytes),
			CPU: fillCPU*bytes + objectCPU*p.Number(paramObjects), Threads: 2}})
	}
	return out
}

// bucket is where an URL leads.
type bucket struct{ scheme, host, name string }

// address returns the endpoint's HOST:PORT.
func (b bucket) address() string {
	u := url.URL{Host: b.host}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[b.scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// bucketIn parses the URL of a bucket, https://HOST/BUCKET.
func bucketIn(text string) (bucket, error) {
	const hint = "\nhint: https://HOST:PORT/BUCKET"
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return bucket{}, fmt.Errorf("%s: the URL isn't one of a bucket%s", Name, hint)
	case u.User != nil:
		return bucket{}, fmt.Errorf("%s: the URL contains credentials, which would be stored\nhint: export "+
			"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", Name)
	case u.RawQuery != "" || u.Fragment != "":
		return bucket{}, fmt.Errorf("%s: the URL has a query%s", Name, hint)
	}
	b := bucket{scheme: u.Scheme, host: u.Host, name: strings.Trim(u.Path, "/")}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_'
	}
	switch {
	case b.name == "":
		return b, fmt.Errorf("%s: the URL names no bucket%s", Name, hint)
	case strings.Contains(b.name, "/"):
		return b, fmt.Errorf("%s: the URL names more than a bucket: objects get names of plimsoll's own%s", Name, hint)
	case strings.ContainsFunc(strings.ToLower(b.name), func(r rune) bool { return !plain(r) }):
		return b, fmt.Errorf("%s: %s isn't the name of a bucket%s", Name, quoted(b.name), hint)
	}
	return b, nil
}
