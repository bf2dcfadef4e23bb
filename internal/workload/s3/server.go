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

	"github.com/aws/aws-sdk-go-v2/aws"

	"plimsoll/internal/client/load"
	"plimsoll/internal/engine"
	store "plimsoll/internal/engine/minio"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
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
}

var (
	_ workload.Keyer    = (*server)(nil)
	_ workload.Beginner = (*server)(nil)
	_ workload.Settler  = (*server)(nil)
	_ workload.Extender = (*server)(nil)
	_ workload.Eventer  = (*server)(nil)
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
	return &server{params: p, engine: store.Engine{Keys: keys}, scratch: env.Scratch,
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
	s.settings.Host, err = workload.Reachable(Name, p.Text(paramAddress))
	return s, err
}

// aimed implements workload.Spec's Aim: the target's message is the address of the store that it started. The URL of an
// existing one is the user's.
func aimed(p workload.Params, said []string) (workload.Aim, error) {
	if isExternal(p) {
		return workload.Aim{Target: p.Set(paramURL), At: make([]netip.AddrPort, len(said))}, nil
	}
	return workload.AimAtOne(Name, p, said)
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

// startedAt returns the bucket of a store that is started, at its address.
func startedAt(p workload.Params, address string, keys store.Keys) *endpoint {
	b := bucket{scheme: "http", host: address, name: ownBucket}
	if p.Bool(store.ParamTLS) {
		b.scheme = "https"
	}
	return newEndpoint(p, b, aws.Credentials{AccessKeyID: keys.Access, SecretAccessKey: keys.Secret})
}

// Start implements workload.Server: the store has an empty bucket then.
func (s *server) Start(ctx context.Context) (address string, err error) {
	if s.install, err = s.engine.Find(ctx, s.settings.Params); err != nil {
		return "", err
	}
	if s.settings.Scratch, err = workload.PlaceDataDir(Name, s.params.Text(paramPath), s.scratch); err != nil {
		return "", fmt.Errorf("%s: %w", Name, err)
	}
	if s.running, err = workload.StartEngine(ctx, s.engine, s.install, s.settings); err != nil {
		return "", fmt.Errorf("%s: %w", Name, err)
	}
	i := s.running.Instance.(*store.Instance)
	if s.secure, err = i.TLS(); err != nil {
		return "", fmt.Errorf("%s: %w", Name, err)
	}
	address = i.Addrs()[0]
	c := newClient(startedAt(s.params, address, s.engine.Keys), s.secure, timeoutOf(s.params), 1)
	defer c.close()
	a, err := c.do(ctx, http.MethodPut, "", "", nil, sums{})
	if err == nil && a.status != http.StatusOK {
		err = c.refused("making a bucket", a)
	}
	if err != nil {
		return "", err
	}
	s.drive = loseOne(ctx, s.params, i.Drives())
	return address, nil
}

// erasureSet returns the data and parity shards of an object, as 2+2; "" without parity.
func (s *server) erasureSet() string {
	drives, parity := s.settings.Params.Int(store.ParamDrives), parityOf(s.settings.Params)
	if parity < 1 {
		return ""
	}
	return fmt.Sprintf("%d+%d", drives-parity, parity)
}

// parityOf returns the parity shards of an object.
func parityOf(p engine.Params) int {
	if n := p.Int(store.ParamParity); n >= 0 {
		return n
	}
	return store.UsualParity(p.Int(store.ParamDrives))
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

// Extra returns what a lost drive cost.
func (s *server) Extra(r load.Result) []record.Value { return s.drive.values(r) }

// Events returns the instant at which a drive was lost.
func (s *server) Events(load.Result) []record.Event { return s.drive.events() }

// Verify returns an error if the store ended before its run did.
func (s *server) Verify(context.Context) error { return s.running.Ended(Name + ": the store") }

// Close stops the store. It may be called more than once.
func (s *server) Close() error {
	s.drive.close()
	return s.running.Close()
}
