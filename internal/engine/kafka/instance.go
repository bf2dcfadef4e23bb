package kafka

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
)

// Instance is a running cluster, mostly of one broker. A broker that ends by itself ends all.
type Instance struct {
	java    engine.Install
	dir     string // of the release
	brokers []*running
	keeper  *keeper // nil: the brokers are their own controllers
	nodes   int     // of them that are started at first
	members int     // brokers of the cluster by then, here and elsewhere
	facts   Facts

	mu      sync.Mutex
	living  int   // brokers whose processes are there, and ZooKeeper
	why     error // why the first one ended by itself
	stopped bool
	over    sync.Once
	done    chan struct{} // closed when nothing is left
	cancel  context.CancelFunc
}

// running is a broker of an Instance.
type running struct {
	node
	settings engine.Settings
	server   *engine.Server // the last one started
	down     bool           // it was killed, and may be started again
	port     netip.AddrPort
}

var (
	_ engine.Instance  = (*Instance)(nil)
	_ engine.Encrypted = (*Instance)(nil)
)

// Start implements engine.Engine. The Instance is a *Instance.
func (e Engine) Start(ctx context.Context, in engine.Install, s engine.Settings) (engine.Instance, error) {
	i, err := e.prepare(in, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err = i.launch(ctx); err != nil {
		_ = i.Stop(context.WithoutCancel(ctx))
		return nil, err
	}
	if i.nodes == 0 { // it joins later
		return i, nil
	}
	if i.facts, err = readFacts(filepath.Join(i.brokers[0].settings.Scratch, factsFile)); err == nil {
		err = i.accepts(ctx)
	}
	if err != nil {
		_ = i.Stop(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return i, nil
}

// prepare gives each broker its place.
func (e Engine) prepare(in engine.Install, s engine.Settings) (*Instance, error) {
	java, err := jvm.Of(in)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.EvalSymlinks(in.Path) // the archive of classes is for exactly one class path
	if err != nil {
		return nil, err
	}
	if e.Layout != nil {
		b, err := e.placed(s)
		i := &Instance{java: java, dir: dir, brokers: []*running{b}, nodes: 1, members: len(e.Layout.Places) - e.Layout.Spare,
			done: make(chan struct{})}
		if e.Layout.Self > i.members {
			i.nodes = 0
		}
		return i, err
	}
	n := max(e.Nodes, 1)
	l, err := newLayout(n, e.Spare)
	if err != nil {
		return nil, err
	}
	k, s, err := keep(s, l)
	if err != nil {
		return nil, err
	}
	if err := l.share(s, s.Host); err != nil {
		return nil, err
	}
	i := &Instance{java: java, dir: dir, keeper: k, nodes: n, members: n, done: make(chan struct{})}
	for id := 1; id <= n+e.Spare; id++ {
		own, err := e.member(s, l, id)
		if err != nil {
			return nil, err
		}
		i.brokers = append(i.brokers, &running{node: node{layout: l, id: id, rack: e.Rack(id)}, settings: own})
	}
	return i, nil
}

// launch starts all brokers at once: none answers before most controllers are there.
func (i *Instance) launch(ctx context.Context) error {
	ctx, i.cancel = context.WithCancel(ctx)
	if err := i.launchKeeper(ctx); err != nil {
		return err
	}
	errs := make([]error, len(i.brokers))
	var all sync.WaitGroup
	for at, b := range i.brokers[:i.nodes] {
		all.Go(func() {
			if errs[at] = i.begin(ctx, b, first); errs[at] != nil {
				i.cancel() // the others would wait for it
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// begin starts one broker, for the first time or again.
func (i *Instance) begin(ctx context.Context, b *running, how launching) error {
	v, err := engine.Launch(ctx, b.settings, func(at netip.AddrPort) (engine.Command, error) {
		c, err := command(i.java, i.dir, b.settings, at, b.node, how)
		if err != nil {
			return c, fmt.Errorf("%s: %w", name, err)
		}
		b.settings.Host, b.port = at.Addr().String(), at
		return c, nil
	})
	if err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.stopped {
		return errors.Join(i.why, errStopped, v.Stop(ctx))
	}
	b.server = v
	b.settings.Port = int(b.port.Port()) // clients know it by that
	what := ""
	if len(i.brokers) > 1 {
		what = fmt.Sprintf("broker %d: ", b.id)
	}
	i.living++
	go i.watch(what, v)
	return nil
}

var errStopped = errors.New(name + ": the cluster was stopped meanwhile")

// watch waits for the end of a broker, or of ZooKeeper; one that nobody has asked for ends all.
func (i *Instance) watch(what string, v *engine.Server) {
	err := v.Wait()
	i.mu.Lock()
	i.living--
	if err != nil && i.why == nil && !i.stopped {
		i.why = fmt.Errorf("%s%w", what, err)
	}
	failed := i.why != nil && !i.stopped
	i.endIfOver()
	i.mu.Unlock()
	if failed {
		_ = i.Stop(context.Background())
	}
}

// Wait implements engine.Instance.
func (i *Instance) Wait() error {
	<-i.done
	return i.why
}

// Stop implements engine.Instance.
func (i *Instance) Stop(ctx context.Context) error {
	i.mu.Lock()
	i.stopped = true
	i.mu.Unlock()
	err := i.each(func(v *engine.Server) error { return v.Stop(ctx) })
	if i.cancel != nil {
		i.cancel()
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.endIfOver()
	return err
}

// endIfOver lets Wait return once no broker lives, or may be started again after its kill. The caller holds the lock.
func (i *Instance) endIfOver() {
	down := slices.ContainsFunc(i.brokers, func(b *running) bool { return b.down })
	if i.living == 0 && (!down || i.stopped || i.why != nil) {
		i.over.Do(func() { close(i.done) })
	}
}

// each calls a function for all that have been started, at once.
func (i *Instance) each(do func(*engine.Server) error) error {
	started := i.started()
	errs := make([]error, len(started))
	var all sync.WaitGroup
	for at, v := range started {
		all.Go(func() { errs[at] = do(v) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// started returns the brokers that have been started, and then ZooKeeper.
func (i *Instance) started() []*engine.Server {
	out := i.servers()
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.keeper != nil && i.keeper.server != nil {
		out = append(out, i.keeper.server)
	}
	return out
}

// servers returns the brokers that have been started.
func (i *Instance) servers() []*engine.Server {
	i.mu.Lock()
	defer i.mu.Unlock()
	var out []*engine.Server
	for _, b := range i.brokers {
		if b.server != nil {
			out = append(out, b.server)
		}
	}
	return out
}

// Addrs implements engine.Instance.
func (i *Instance) Addrs() []string {
	var out []string
	for _, v := range i.servers() {
		out = append(out, v.Addrs()...)
	}
	return out
}

// Roots implements engine.Instance.
func (i *Instance) Roots() []int {
	var out []int
	for _, v := range i.started() {
		out = append(out, v.Roots()...)
	}
	return out
}

// Certificate implements engine.Encrypted.
func (i *Instance) Certificate() string {
	if all := i.servers(); len(all) > 0 {
		return all[0].Certificate()
	}
	return ""
}

// Broker is one of the brokers, as others see it.
type Broker struct {
	ID            int
	PID           int // of the last process; it may have ended
	Client, Peers uint16
}

// Brokers returns all that have been started.
func (i *Instance) Brokers() []Broker {
	i.mu.Lock()
	defer i.mu.Unlock()
	var out []Broker
	for _, b := range i.brokers {
		if b.server == nil {
			continue
		}
		one := Broker{ID: b.id, PID: b.server.Roots()[0], Client: b.port.Port()}
		if !b.alone() {
			one.Peers = b.peers[b.id-1].Port()
		}
		out = append(out, one)
	}
	return out
}

// Kill kills a broker, and returns once nothing is left of it but its files. The others go on.
func (i *Instance) Kill(ctx context.Context, id int) error {
	i.mu.Lock()
	b := i.broker(id)
	b.down = true
	v := b.server
	i.mu.Unlock()
	return v.StopBy(ctx, unix.SIGKILL, killing)
}

// Start starts a killed broker again in its place, or a spare one, until ctx ends, and returns once it listens. Its
// process is made first, and becomes the broker when await returns.
func (i *Instance) Start(ctx context.Context, id int, await func(context.Context) error) error {
	i.mu.Lock()
	b := *i.broker(id)
	i.mu.Unlock()
	b.settings.Await = await
	how := again
	if b.server == nil {
		how = first
	}
	if err := i.begin(ctx, &b, how); err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	b.down = false
	*i.broker(id) = b
	if i.facts.Heap == "" {
		i.facts, _ = readFacts(filepath.Join(b.settings.Scratch, factsFile)) // they only describe it
	}
	return nil
}

// broker returns one of the brokers here.
func (i *Instance) broker(id int) *running {
	return i.brokers[slices.IndexFunc(i.brokers, func(b *running) bool { return b.id == id })]
}

// killing bounds the end of a killed broker.
const killing = 10 * time.Second

// Facts returns the properties of the first broker's runtime.
func (i *Instance) Facts() Facts {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.facts
}
