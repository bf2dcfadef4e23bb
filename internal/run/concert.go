package run

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/run/agent/joint"
)

// concert carries out an order with a target, which serves, and the hosts that load it. If the target is a cluster of
// several hosts, the others are its members.
type concert struct {
	loop     *Loop
	order    record.Order
	said     chan heard
	commands []chan string // commands to each player

	start  time.Time
	clocks []hostClock // by player
	target record.Trial
	parts  []part          // by source
	others []member        // of the target's cluster
	series []record.Series // of the target
	events []record.Event  // of the target

	together []record.Series // of all parts
	load     joint.Loaded    // by all parts
	combined bool            // the above are complete
	held     int             // bytes of series
	playing  int
	loaded   bool // the sources were started
	ready    int
	settled  []bool           // by server
	overdue  <-chan time.Time // ticks if they have not, long after the load ended
	begun    bool
	ended    []bool // by source

	key    string   // by which its hosts prove their addresses to each other
	places []string // of the servers, as far as they have told; doors and serve likewise
	doors  []uint16
	serve  []agent.Serving
	failed error
	void   string
	away   bool // void because a host was lost

	regulation *record.Regulation // of the load of all sources together; nil: unknown
}

// part is a source's part of the load.
type part struct {
	trial  record.Trial
	info   *joint.Part // its times are the target's, once aligned
	series []record.Series
	clock  record.SourceClock
}

// member is a further host of a target that is a cluster.
type member struct {
	trial  record.Trial
	series []record.Series
	disk   []record.Series // the timeline of its disk
	events []record.Event  // on its clock
	clock  record.SourceClock
}

// heard is a message of one player, or its end.
type heard struct {
	player int           // 0: the target; i: source i−1; behind these the other members of its cluster
	at     time.Duration // since the concert began
	msg    agent.Message
	over   bool
	err    error
}

// most is the maximum number of commands to one player.
const most = 16

// maxHeld bounds the bytes of series kept until they can be merged.
const maxHeld = 32 << 20

// played is the result of a concert: one trial, and its series and events.
type played struct {
	trial  record.Trial
	series []record.Series
	events []record.Event
}

// inConcert has the target and its sources carry out an order together, and merges their measurements into one trial.
func (l *Loop) inConcert(ctx context.Context, o record.Order) (played, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	players := 1 + len(o.Sources) + len(o.Cluster)
	c := &concert{loop: l, order: o, start: time.Now(), said: make(chan heard), parts: make([]part, len(o.Sources)),
		ended:  make([]bool, len(o.Sources)),
		clocks: make([]hostClock, players), others: make([]member, len(o.Cluster)),
		places: make([]string, 1+len(o.Cluster)), doors: make([]uint16, 1+len(o.Cluster)),
		serve: make([]agent.Serving, 1+len(o.Cluster)), settled: make([]bool, 1+len(o.Cluster)), key: rand.Text()}
	for range players {
		c.commands = append(c.commands, make(chan string, most))
	}
	machine := l.Machines[o.Host]
	for i, player := range c.servers() {
		own := memberOf(o, i)
		there := l.Machines[own.Host]
		c.play(ctx, player, own.Host, agent.Request{Do: agent.DoServe, Order: &own, Machine: &there,
			Tune: c.loop.Tune})
	}
	for c.playing > 0 {
		select {
		case h := <-c.said:
			c.take(ctx, h, stop)
		case <-c.overdue:
			last := c.name(c.servers()[slices.Index(c.settled, false)])
			c.voidFor(fmt.Sprintf("%s: it had not recovered %v after the load ended", last, c.patience()))
			stop()
		}
	}
	if c.failed != nil {
		return played{}, c.failed
	}
	if c.void == "" && !c.combined {
		c.voidFor("the target: it exited before the load was gone")
	}
	var out played
	if c.void == "" {
		var err error
		if out.trial, err = c.merged(); err == nil {
			err = session.CheckTrial(out.trial)
		}
		out.series, out.events = slices.Concat(c.kept(), c.series), c.events
		for _, m := range c.others {
			out.series = append(out.series, m.series...)
		}
		if err != nil {
			c.voidFor(err.Error())
		}
	}
	if c.void != "" {
		out = played{trial: agent.Blank(o, 0, machine)} // drop the data, which may be the cause
		out.trial.Void, out.trial.Away = c.void, c.away
	}
	return out, nil
}

func (c *concert) play(ctx context.Context, player int, host string, req agent.Request) {
	c.playing++
	req.Commands, req.Key = c.commands[player], c.key
	go func() {
		err := c.loop.Agents[host].Do(ctx, req, func(m agent.Message) error {
			c.said <- heard{player: player, at: time.Since(c.start), msg: m}
			return nil
		})
		c.said <- heard{player: player, over: true, err: err}
	}()
}

// take handles a message.
func (c *concert) take(ctx context.Context, h heard, stop func()) {
	switch {
	case h.over:
		c.playing--
		if h.err == nil && c.left(h.player) {
			stop()
		}
		if h.err != nil {
			c.lose(h)
			stop()
		}
		if c.isSource(h.player) && c.playing == len(c.servers()) {
			c.leave()
		}
	case h.msg.Trial != nil && c.isMember(h.player):
		c.others[h.player-1-len(c.parts)].trial = *h.msg.Trial
		c.endEarly(h, stop)
	case h.msg.Trial != nil && h.player == 0:
		c.target = *h.msg.Trial
		c.endEarly(h, stop)
	case h.msg.Trial != nil:
		c.parts[h.player-1].trial, c.parts[h.player-1].info = *h.msg.Trial, h.msg.Part
	case h.msg.Event != nil && h.player == 0:
		c.events = append(c.events, *h.msg.Event)
	case h.msg.Event != nil && c.isMember(h.player):
		m := &c.others[h.player-1-len(c.parts)]
		m.events = append(m.events, *h.msg.Event)
	case h.msg.Series != nil:
		if c.held += len(h.msg.Series.Data); c.held > maxHeld {
			c.voidFor(fmt.Sprintf("%s: its series exceed the total of %d MiB", c.name(h.player), maxHeld>>20))
			stop()
			return
		}
		c.keep(h.player, *h.msg.Series)
	case h.msg.Kind == agent.KindPlaced:
		if err := c.placed(h); err != nil {
			c.voidFor(err.Error())
			stop()
		}
	case h.msg.Kind == agent.KindServing:
		c.serving(ctx, h)
	case h.msg.Kind == agent.KindClock:
		c.heardClock(h)
	default:
		c.cue(h.player, h.msg.Kind)
	}
}

// left reports whether a player finished too early, which voids the trial.
func (c *concert) left(player int) bool {
	switch {
	case c.isSource(player) && !c.ended[player-1]:
		c.voidFor(c.name(player) + ": " + cmp.Or(c.parts[player-1].trial.Void, "it exited before the load had ended"))
	case !c.isSource(player) && (!c.loaded || slices.Contains(c.ended, false)):
		c.voidFor(c.name(player) + ": " + cmp.Or(c.served(player).Void, "it exited before it was loaded"))
	case !c.isSource(player) && slices.Contains(c.settled, false): // which the generators wait for
		c.voidFor(c.name(player) + ": " + cmp.Or(c.served(player).Void, "it exited before the load was gone"))
	default:
		return false
	}
	return true
}

func (c *concert) startLoad(ctx context.Context) {
	c.loaded = true
	for i, host := range c.order.Sources {
		part, machine := partOf(c.order, i), c.loop.Machines[host]
		c.play(ctx, i+1, host, agent.Request{Do: agent.DoTrial, Order: &part, Machine: &machine,
			Servers: c.serve})
	}
}

// cue sends the players the commands that follow from a player's message.
func (c *concert) cue(player int, kind string) {
	switch kind {
	case agent.KindReady:
		c.askClock(player)
	case agent.KindBegun:
		if !c.begun {
			c.begun = true
			c.tellServers(agent.WordBegin)
		}
	case agent.KindEnded:
		if !c.isSource(player) || c.ended[player-1] {
			return // nobody is told twice
		}
		c.askClock(player)
		if c.ended[player-1] = true; !slices.Contains(c.ended, false) {
			c.tellServers(agent.WordEnd)
			c.overdue = time.After(c.patience())
			for _, server := range c.servers() {
				c.askClock(server)
			}
		}
	case agent.KindSettled:
		at := slices.Index(c.servers(), player)
		if at < 0 || c.settled[at] {
			return // likewise
		}
		if c.settled[at] = true; !slices.Contains(c.settled, false) {
			c.overdue = nil
			for i := range c.order.Sources {
				c.commands[i+1] <- agent.WordSettled
			}
		}
	}
}

// mostSettling is how long servers may take after the load until what happened to them is over, besides the time for
// which one is kept down: to start, to join, and to have all of what others have, each up to three minutes.
const mostSettling = 10 * time.Minute

// patience returns how long the servers of the order may take after the load.
func (c *concert) patience() time.Duration {
	down, _ := record.ParseDuration(c.order.Sides[0].Params[record.ParamFaultDown])
	return cmp.Or(c.loop.settling, mostSettling) + time.Duration(down*float64(time.Second))
}

// askClock asks for a reading of a player's clock.
func (c *concert) askClock(player int) {
	clock := &c.clocks[player]
	if clock.asking { // an answer to the earlier question would count for this one
		return
	}
	clock.asked = time.Since(c.start)
	select {
	case c.commands[player] <- agent.WordClock:
		clock.asking = true
	default: // it has not read the last ones: the estimate does without
	}
}

// heardClock takes a reading of a player's clock. A source is ready when its clock has been read often enough.
func (c *concert) heardClock(h heard) {
	clock := &c.clocks[h.player]
	if !clock.asking {
		return
	}
	clock.asking = false
	clock.take(h.msg.MonoNs, h.at)
	if clock.heard < readings {
		c.askClock(h.player)
		return
	}
	if !c.isSource(h.player) || clock.heard > readings {
		return
	}
	if c.ready++; c.ready == len(c.order.Sources) {
		for i := range c.order.Sources {
			c.commands[i+1] <- agent.WordStart
		}
	}
}

// leave gives each server its last command: the load that it served, on its own clock, unless that failed.
func (c *concert) leave() {
	if c.void == "" && c.failed == nil {
		if err := c.combine(); err != nil {
			c.voidFor(err.Error())
		}
	}
	for i, server := range c.servers() {
		word := agent.WordLeave
		if c.combined {
			load := c.load
			if i > 0 {
				shift, bound := c.clocks[server].onto(c.clocks[0])
				c.others[i-1].clock = record.SourceClock{OffsetS: float64(shift) * 1e-9, ErrorS: float64(bound) * 1e-9}
				load.StartNs, load.EndNs = load.StartNs-shift, load.EndNs-shift
			}
			var err error
			if word, err = joint.Told(agent.WordLeave, load); err != nil {
				c.voidFor(err.Error())
				word = agent.WordLeave
			}
		}
		c.commands[server] <- word
	}
}

// lose records a player that failed: the first failure causes those of the others.
func (c *concert) lose(h heard) {
	if c.failed != nil || c.void != "" {
		return
	}
	var lost agent.Lost
	var fault *agent.Fault
	if errors.As(h.err, &lost) || errors.As(h.err, &fault) {
		c.voidFor(c.name(h.player) + ": " + h.err.Error())
		c.away = lost.Gone
		return
	}
	c.failed = h.err
}

func (c *concert) name(player int) string {
	switch {
	case player == 0:
		return "the target"
	case c.isMember(player):
		return fmt.Sprintf("the target's host %q", c.order.Cluster[player-1-len(c.order.Sources)])
	}
	return fmt.Sprintf("generator %q", c.order.Sources[player-1])
}

func (c *concert) voidFor(why string) {
	if c.void == "" {
		c.void = why
	}
}

// partOf returns the part of an order for source i: an equal share of the load, on its own schedule.
func partOf(o record.Order, i int) record.Order {
	part := o
	part.Host, part.Seed, part.Part = o.Sources[i], o.Seed+uint64(i), i+1
	// Agents on one host identify their files and processes by it.
	part.ID = fmt.Sprintf("%s-s%d", o.ID, part.Part)
	part.Sides = append([]record.Side(nil), o.Sides...)
	for s := range part.Sides {
		part.Sides[s].Load = shareOf(part, part.Sides[s].Load)
	}
	return part
}

func shareOf(part record.Order, l record.LoadPoint) record.LoadPoint {
	if l.Kind == record.Open {
		l.Level /= float64(len(part.Sources))
		return l
	}
	l.Level = float64(part.Share(int(l.Level)))
	return l
}
