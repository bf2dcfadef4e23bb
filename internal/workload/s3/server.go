package s3

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"plimsoll/internal/base/list"
	"plimsoll/internal/client/load"
	"plimsoll/internal/engine"
	store "plimsoll/internal/engine/minio"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/serveruse"
	"plimsoll/internal/workload/there"
)

// server is a store started for a run. It is the target's half if other hosts make the load.
type server struct {
	params   workload.Params
	engine   store.Engine
	settings engine.Settings
	scratch  string // the trial's
	install  engine.Install
	running  *workload.Running
	secure   *tls.Config // for clients on this host; nil: plain text
	drive    *lostDrive  // nil: none is lost

	layout *store.Layout    // where the servers of several hosts are; nil: there is one server
	meter  *serveruse.Meter // of this host's server of several; nil: its use is the run's
}

var (
	_ workload.Keyer    = (*server)(nil)
	_ workload.Beginner = (*server)(nil)
	_ workload.Settler  = (*server)(nil)
	_ workload.Extender = (*server)(nil)
	_ workload.Eventer  = (*server)(nil)

	_ workload.Timeliner = (*server)(nil)
	_ workload.Doubter   = (*server)(nil)
)

// newServer returns the store of a run; env.Key is known to those that load it.
func newServer(env workload.Env, p workload.Params) (*server, error) {
	params, err := engineParams(p)
	if err != nil {
		return nil, err
	}
	keys, err := keysOf(env.Key)
	if err != nil {
		return nil, err
	}
	return &server{params: p, engine: store.Engine{Keys: keys, Nodes: p.Int(paramNodes)},
		scratch: env.Scratch,
		settings: engine.Settings{Params: params, Port: p.Int(paramPort), Threads: p.Int(paramServerCPUs), CPUs: env.Work,
			Environ: env.Environ, Enter: env.Enter}}, nil
}

// serve implements workload.Spec's Serve.
func serve(env workload.Env, p workload.Params) (workload.Server, error) {
	if isExternal(p) {
		b, err := bucketIn(p.Text(paramURL))
		return there.Server{At: b.address()}, err
	}
	s, err := newServer(env, p)
	if err != nil {
		return nil, err
	}
	if s.settings.Host, err = workload.Reachable(Name, p.Text(paramAddress)); err != nil {
		return nil, err
	}
	if env.Member {
		return member{s}, nil
	}
	return s, nil
}

// aimed implements workload.Spec's Aim: each server's message is its address. The URL of an existing store is the
// user's.
func aimed(p workload.Params, said []string) (workload.Aim, error) {
	if isExternal(p) {
		return workload.Aim{Target: p.Set(paramURL), At: make([]netip.AddrPort, len(said))}, nil
	}
	aim := workload.Aim{Target: strings.Join(said, workload.TargetSeparator)}
	for _, text := range said {
		one, err := workload.AimAtOne(Name, p, []string{text})
		if err != nil {
			return aim, err
		}
		aim.At = append(aim.At, one.At...)
	}
	return aim, nil
}

// keysOf returns the credentials of a run's store, which all of its hosts derive from the run's key.
func keysOf(key string) (store.Keys, error) {
	if key == "" {
		return store.Keys{}, errors.New(Name + ": the run has no key by which its hosts know each other")
	}
	derived, err := hkdf.Key(sha256.New, []byte(key), nil, "plimsoll s3 keys", accessBytes+secretBytes)
	if err != nil {
		return store.Keys{}, fmt.Errorf("%s: derive the store's keys: %w", Name, err)
	}
	text := hex.EncodeToString(derived)
	return store.Keys{Access: text[:2*accessBytes], Secret: text[2*accessBytes:]}, nil
}

// The random bytes of a store's keys.
const (
	accessBytes = 10
	secretBytes = 32
)

// ownBucket is the bucket of a store that is started.
const ownBucket = "plimsoll"

// startedAt returns the bucket of a store that is started, at the addresses of its servers. Requests are made and
// signed for the first. The others accept them too, since MinIO compares the Host header with nothing but the
// signature.
func startedAt(p workload.Params, target string, keys store.Keys) *endpoint {
	addresses := strings.Split(target, workload.TargetSeparator)
	b := bucket{scheme: "http", host: addresses[0], name: ownBucket}
	if p.Bool(store.ParamTLS) {
		b.scheme = "https"
	}
	out := newEndpoint(p, b, aws.Credentials{AccessKeyID: keys.Access, SecretAccessKey: keys.Secret})
	if len(addresses) > 1 {
		out.servers = addresses
	}
	return out
}

// Start implements workload.Server: the store has an empty bucket then.
func (s *server) Start(ctx context.Context) (address string, err error) {
	if err := s.place(ctx); err != nil {
		return "", err
	}
	if s.running, err = workload.StartEngine(ctx, s.engine, s.install, s.settings); err != nil {
		return "", fmt.Errorf("%s: %w", Name, err)
	}
	i := s.running.Instance.(*store.Instance)
	if s.secure, err = i.TLS(); err != nil {
		return "", fmt.Errorf("%s: %w", Name, err)
	}
	if address = i.Addrs()[0]; s.makesBucket() {
		err = s.makeBucket(ctx, address)
	}
	if err == nil && s.losesDrive() {
		s.drive = loseOne(ctx, s.params, i.Drives(), s.layout)
	}
	return address, err
}

// place finds the engine and makes the directory of its drives, once.
func (s *server) place(ctx context.Context) (err error) {
	if s.settings.Scratch != "" {
		return nil
	}
	if s.install, err = s.engine.Find(ctx, s.settings.Params); err != nil {
		return err
	}
	if s.settings.Scratch, err = workload.PlaceDataDir(Name, s.params.Text(paramPath), s.scratch); err != nil {
		return fmt.Errorf("%s: %w", Name, err)
	}
	return nil
}

// makesBucket reports whether this server makes the store's bucket: of several, the first.
func (s *server) makesBucket() bool { return s.layout == nil || s.layout.Self == 1 }

// losesDrive reports whether this server loses a drive, if one is lost: of several, the last.
func (s *server) losesDrive() bool { return s.layout == nil || s.layout.Self == len(s.layout.Places) }

// makeBucket makes the store's bucket.
func (s *server) makeBucket(ctx context.Context, address string) error {
	c := newClient(startedAt(s.params, address, s.engine.Keys), s.secure, timeoutOf(s.params), 1)
	defer c.close()
	a, err := c.do(ctx, http.MethodPut, "", "", nil, sums{})
	if err == nil && a.status != http.StatusOK {
		err = c.refused("making a bucket", a)
	}
	return err
}

// erasureSet returns the data and parity shards of an object, as 2+2; "" without parity.
func (s *server) erasureSet() string {
	drives, parity := drivesOf(s.params), parityOf(s.params)
	if parity < 1 {
		return ""
	}
	return fmt.Sprintf("%d+%d", drives-parity, parity)
}

// drivesOf returns the number of drives of the erasure set, on all hosts.
func drivesOf(p workload.Params) int { return p.Int(paramNodes) * p.Int(store.ParamDrives) }

// parityOf returns the parity shards of an object.
func parityOf(p workload.Params) int {
	if n := p.Int(store.ParamParity); n >= 0 {
		return n
	}
	return store.UsualParity(drivesOf(p))
}

// Keys returns the store's version and its erasure set.
func (s *server) Keys() map[string]string {
	keys := s.install.Keys()
	if set := s.erasureSet(); set != "" {
		keys[record.KeyErasureSet] = set
	}
	return keys
}

// Begin implements workload.Beginner: the window, in which a drive may be lost, begins.
func (s *server) Begin(from, to int64) { s.drive.begin(from, to) }

// Settle implements workload.Settler: the drive is lost once the load is over.
func (s *server) Settle(ctx context.Context) error { return s.drive.wait(ctx) }

// Extra returns what a lost drive cost and, of several servers, the use of this one.
func (s *server) Extra(r load.Result) []record.Value {
	out := s.drive.values(r)
	if s.meter != nil {
		s.meter.End()
		out = append(out, detailed(s.meter.Values(r.Start, r.End), s.params.Int(paramNodes))...)
	}
	return out
}

// mostDetailed is the number of servers up to which a run has all values of each: its line is bounded. Its series have
// them in any case.
const mostDetailed = 4

// detailed returns the values of a server that a run keeps: of one of many, only its CPU time.
func detailed(all []record.Value, nodes int) []record.Value {
	if nodes <= mostDetailed {
		return all
	}
	return list.Filter(all, func(v record.Value) bool { return strings.HasSuffix(v.Name, "_"+record.CPUPercent) })
}

// Timeline implements workload.Timeliner: the use of this server of several.
func (s *server) Timeline(r load.Result) []workload.Track {
	if s.meter == nil {
		return nil
	}
	s.meter.End()
	return s.meter.Tracks(r.Start, r.Windows.StepNs, len(r.Windows.Ops))
}

// Doubts returns what was not metered.
func (s *server) Doubts() []string { return s.meter.Doubts() }

// Events returns the instant at which a drive was lost.
func (s *server) Events(load.Result) []record.Event { return s.drive.events() }

// Verify returns an error if the store ended before its run did.
func (s *server) Verify(context.Context) error { return s.running.Ended(Name + ": the store") }

// Close stops the store. It may be called more than once.
func (s *server) Close() error {
	s.meter.End()
	s.drive.close()
	return s.running.Close()
}
