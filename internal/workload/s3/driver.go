package s3

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"golang.org/x/sync/errgroup"

	"plimsoll/internal/base/list"
	"plimsoll/internal/client/httpload"
	"plimsoll/internal/client/load"
	store "plimsoll/internal/engine/minio"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/eventloops"
)

// driver loads a store: its own, one on the target, or an existing one.
type driver struct {
	env    workload.Env
	params workload.Params
	own    *server // nil: the store is elsewhere, or exists
	client *client
	shared *shared
	target *httpload.Target
	filled bool  // objects may be in the store
	left   error // why objects could not be removed from an existing store
	loops  eventloops.Loops
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	if isExternal(p) || env.Target != "" {
		return &driver{env: env, params: p}, nil
	}
	if err := checkHosts(p, 1); err != nil {
		return nil, err
	}
	env.Key = rand.Text()
	own, err := newServer(env, p)
	return &driver{env: env, params: p, own: own}, err
}

// connections returns the number of connections of the load.
func connections(p workload.Params) int {
	if n := p.Int(record.ParamClients); n > 0 {
		return n
	}
	return p.Int(paramConnections)
}

// Prepare starts the store or finds it, checks that the bucket is open to us, and writes the objects that are read.
func (d *driver) Prepare(ctx context.Context) error {
	if d.target != nil {
		return nil
	}
	at, secure, err := d.reach(ctx)
	if err != nil {
		return err
	}
	d.client = newClient(at, secure, timeoutOf(d.params), fillers)
	if err := d.share(at); err != nil {
		return err
	}
	if err := d.open(ctx); err != nil {
		return err
	}
	d.filled = true
	if d.shared.mix.reads() {
		if err := d.fill(ctx); err != nil {
			return err
		}
	}
	d.target, err = httpload.New(httpload.Config{
		Requests: list.Map(d.shared.order, func(k kind) httpload.Request {
			return httpload.Request{Name: k.String(), Method: methodOf(k), URL: at.url("", "").String()}
		}),
		Timeout: timeoutOf(d.params), TLS: secure, Script: d.shared.script,
		// A generator goes on at the server behind the last one of the generator before it.
		Addresses: turned(at.servers, d.env.Part*connections(d.params)),
	})
	return err
}

// turned returns a list with so many of its elements moved from its beginning to its end, around and around.
func turned(list []string, by int) []string {
	if len(list) == 0 {
		return nil
	}
	by %= len(list)
	return slices.Concat(list[by:], list[:by])
}

func timeoutOf(p workload.Params) time.Duration {
	return time.Duration(p.Number(paramTimeout) * float64(time.Second))
}

// reach starts the store, or returns the one that the target has started, or that exists.
func (d *driver) reach(ctx context.Context) (*endpoint, *tls.Config, error) {
	p := d.params
	if isExternal(p) {
		return existing(p)
	}
	if d.own != nil {
		address, err := d.own.Start(ctx)
		return startedAt(p, address, d.own.engine.Keys), d.own.secure, err
	}
	keys, err := keysOf(d.env.Key)
	if err != nil {
		return nil, nil, err
	}
	var secure *tls.Config
	if p.Bool(store.ParamTLS) { // its certificate was made for this run, and requests contain no secret
		secure = &tls.Config{InsecureSkipVerify: true}
	}
	return startedAt(p, d.env.Target, keys), secure, nil
}

// existing returns the bucket of a URL.
func existing(p workload.Params) (*endpoint, *tls.Config, error) {
	b, err := bucketIn(p.Text(paramURL))
	if err != nil {
		return nil, nil, err
	}
	keys := aws.Credentials{AccessKeyID: p.Text(paramAccess), SecretAccessKey: p.Text(paramSecret),
		SessionToken: p.Text(paramToken)}
	if keys.AccessKeyID == "" || strings.ContainsAny(keys.AccessKeyID+keys.SessionToken, " \r\n") {
		return nil, nil, fmt.Errorf("%s: the access key or the session token is empty, or has a space\nhint: export "+
			"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", Name)
	}
	var secure *tls.Config
	if p.Bool(paramInsecure) {
		secure = &tls.Config{InsecureSkipVerify: true}
	}
	return newEndpoint(p, b, keys), secure, nil
}

// prefix begins the names of all that is written.
const prefix = "plimsoll-"

// share makes what all lanes have in common.
func (d *driver) share(at *endpoint) error {
	s := &shared{endpoint: at, prefix: prefix + strings.ToLower(rand.Text()) + "/", lanes: max(d.env.Lanes, 1),
		rangeLen: int64(d.params.Number(paramRange)), partLen: int64(d.params.Number(paramPart)),
		seed: d.env.Seed + uint64(d.env.Part)} // generators draw differently
	clock, err := load.NewClock()
	if err != nil {
		return err
	}
	s.now = clock.Now
	if s.mix, err = parseMix(d.params.Text(paramOps)); err != nil {
		return err
	}
	if s.sizes, err = parseSizes(d.params.Text(paramSize)); err != nil {
		return err
	}
	if s.choice, err = parseChoice(d.params.Text(paramKeys)); err != nil {
		return err
	}
	s.order = s.mix.kinds()
	signed, part := at.payload == "", int64(0)
	if signed && s.mix.has(multipart) {
		part = s.partLen
	}
	s.content = newContent(s.seed, s.sizes.all, signed, part)
	s.objects = newObjects(s.sizes.draw(d.params.Int(paramObjects), mathrand.New(mathrand.NewPCG(s.seed, 0))))
	d.shared = s
	return nil
}

// open checks that the bucket is open to us.
func (d *driver) open(ctx context.Context) error {
	page, err := d.client.page(ctx, d.shared.prefix, "", 1)
	if err != nil {
		return err
	}
	if len(page.Contents) > 0 {
		return fmt.Errorf("%s: the endpoint lists an object %s that doesn't have the prefix asked for, or is somebody else's"+
			"\nhint: is this an S3 endpoint?", Name, quoted(page.Contents[0].Key))
	}
	return nil
}

// fillers is the number of requests at once before and after the load.
const fillers = 16

// fill writes all objects.
func (d *driver) fill(ctx context.Context) error {
	s := d.shared
	return each(ctx, len(s.objects.all), func(ctx context.Context, k int) error {
		state, _ := s.objects.begin(k, false)
		size := s.objects.sizes[k]
		v := variantOf(k, state)
		ctx, cancel := finishing(ctx)
		defer cancel()
		err := d.client.put(ctx, s.keyOf(k), s.content.of(v, s.sizes.all[size]), s.content.sums[size][v])
		s.objects.end(k, state, err == nil)
		if err != nil {
			return fmt.Errorf("writing the objects before the load: %w", err)
		}
		return nil
	})
}

// finishes is for how long a request that is in flight may go on after an interrupt.
const finishes = 2 * time.Second

// finishing returns a context that ends later than ctx: a store may keep an object whose request was cut off, after a
// listing that looked for leftovers.
func finishing(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(finishes, cancel) })
	return out, func() {
		stop()
		cancel()
	}
}

// each calls do for each of n numbers, fillers at once, until one fails. It returns the first error.
func each(ctx context.Context, n int, do func(context.Context, int) error) error {
	all, within := errgroup.WithContext(ctx)
	all.SetLimit(fillers)
	for k := 0; k < n && within.Err() == nil; k++ {
		all.Go(func() error { return do(within, k) })
	}
	if err := all.Wait(); ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}

// Lane makes event loop i with its share of the connections.
func (d *driver) Lane(i int) (workload.Lane, error) {
	ctx, cancel := context.WithTimeout(context.Background(), httpload.DefaultTimeout)
	defer cancel()
	n, lanes := connections(d.params), max(d.env.Lanes, 1)
	loop, err := d.target.NewLane(ctx, n*(i+1)/lanes-n*i/lanes)
	if err != nil {
		return nil, err
	}
	if i == 0 && d.own != nil {
		loop.Began = d.own.Begin
	}
	return d.loops.Lane(loop), nil
}

// forget removes the run's objects from an existing store.
func (d *driver) forget() {
	if isExternal(d.params) && d.filled {
		d.filled = false
		d.left = d.removeAll()
	}
}

// Close removes what a run that was ended early has written, stops the store and closes all connections.
func (d *driver) Close() error {
	d.loops.Close()
	d.forget()
	if d.client != nil {
		d.client.close()
	}
	if d.own != nil {
		return d.own.Close()
	}
	return d.left
}

// Keys returns the generator's code path, and the store's version.
func (d *driver) Keys() map[string]string {
	keys := map[string]string{record.KeyPath: d.target.Path()}
	if d.own != nil {
		maps.Copy(keys, d.own.Keys())
	}
	return keys
}

// Extra returns the bytes moved each way, and what a lost drive cost.
func (d *driver) Extra(r load.Result) []record.Value {
	in, out := 0., 0.
	for i, s := range d.loops.Spots() {
		switch d.shared.order[i] {
		case put, multipart:
			in += float64(s.Bytes)
		case get, ranged:
			out += float64(s.Bytes)
		}
	}
	var all []record.Value
	add := func(name string, bytes float64) {
		if bytes > 0 && r.Bytes > 0 {
			all = append(all, record.Value{Metric: record.Metric{Name: name, Unit: "B/s", Better: record.Higher},
				Value: r.BytesPerSecond * bytes / float64(r.Bytes)})
		}
	}
	add(metricIngest, in)
	add(metricEgress, out)
	if d.own != nil {
		all = append(all, d.own.Extra(r)...)
	}
	return all
}

// Events implements workload.Eventer.
func (d *driver) Events(r load.Result) []record.Event {
	if d.own == nil {
		return nil
	}
	return d.own.Events(r)
}

// kinds returns the counts of each kind of operation, if there are several.
func (d *driver) kinds() []httpload.Spot {
	if len(d.shared.order) < 2 {
		return nil
	}
	return d.loops.Spots()
}

// Answers returns the measured answers by status, and the operations by kind.
func (d *driver) Answers() workload.Answers { return eventloops.Answers(d.loops.Stats(), d.kinds()) }

// Shared implements workload.Sharer: the percentiles of a kind are of the operations of all generators.
func (d *driver) Shared() workload.Shared { return eventloops.Shared(d.kinds()) }

// First returns the error of the first failed operation.
func (d *driver) First() error { return d.loops.Stats().First }

// Cause implements workload.Causer: whether the store has ended.
func (d *driver) Cause(error) error {
	if d.own == nil {
		return nil
	}
	return d.own.Verify(context.Background())
}

// Settle implements workload.Settler.
func (d *driver) Settle(ctx context.Context) error {
	if d.own == nil {
		return nil
	}
	return d.own.Settle(ctx)
}

// Doubts returns warnings about the run.
func (d *driver) Doubts() []string {
	s := d.loops.Stats()
	var out []string
	if s.First != nil {
		out = append(out, "first failed operation: "+s.First.Error())
	}
	if s.Reconnects > 0 {
		out = append(out, fmt.Sprintf("%d connections were reopened during the load", s.Reconnects))
	}
	if d.left != nil {
		out = append(out, d.left.Error())
	}
	return out
}

// errMissing is the error of an object that was acknowledged and isn't there.
var errMissing = errors.New("it was acknowledged, and isn't there")
