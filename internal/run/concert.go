package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"plimsoll/internal/agent"
	"plimsoll/internal/record"
	"plimsoll/internal/session"
)

// concert is an order being carried out by a target, which serves, and the hosts that load it.
type concert struct {
	loop  *Loop
	order record.Order
	said  chan heard
	words []chan string // to each player

	target  record.Trial
	parts   []record.Trial // by source
	series  []record.Series
	events  []record.Event // the target's: other hosts have other clocks
	held    int            // bytes of series
	playing int
	loaded  bool // the sources were started
	ready   int
	begun   bool
	ended   []bool // by source
	failed  error
	void    string
}

// heard is a message of one player, or how it ended.
type heard struct {
	player int // 0: the target; i: source i−1
	msg    agent.Message
	over   bool
	err    error
}

// most is how many words a player is ever told.
const most = 4

// maxHeld is how many bytes of series are held until they can be added up.
const maxHeld = 32 << 20

// played is what came of a concert: one trial, and what belongs to it.
type played struct {
	trial  record.Trial
	series []record.Series
	events []record.Event
}

// inConcert has the order carried out by its target and its sources together, and
// puts what they measured into one trial.
func (l *Loop) inConcert(ctx context.Context, o record.Order) (played, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := &concert{loop: l, order: o, said: make(chan heard), parts: make([]record.Trial, len(o.Sources)), ended: make([]bool, len(o.Sources))}
	for range len(o.Sources) + 1 {
		c.words = append(c.words, make(chan string, most))
	}
	machine := l.Machines[o.Host]
	c.play(ctx, 0, o.Host, agent.Request{Do: agent.DoServe, Order: &o, Machine: &machine})
	for c.playing > 0 {
		c.take(ctx, <-c.said, stop)
	}
	if c.failed != nil {
		return played{}, c.failed
	}
	out := played{events: c.events}
	if c.void == "" {
		var err error
		if out.trial, out.series, err = merged(o, c.target, c.parts, c.series); err == nil {
			err = session.CheckTrial(out.trial)
		}
		if err != nil {
			c.voidFor(err.Error())
		}
	}
	if c.void != "" {
		out = played{trial: agent.Blank(o, 0, machine)} // without what may be the cause
		out.trial.Void = c.void
	}
	return out, nil
}

// play starts one player.
func (c *concert) play(ctx context.Context, player int, host string, req agent.Request) {
	c.playing++
	req.Commands = c.words[player]
	go func() {
		err := c.loop.Agents[host].Do(ctx, req, func(m agent.Message) error {
			c.said <- heard{player: player, msg: m}
			return nil
		})
		c.said <- heard{player: player, over: true, err: err}
	}()
}

// take goes on as a message asks for.
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
		if h.player > 0 && c.playing == 1 {
			c.words[0] <- agent.WordLeave
		}
	case h.msg.Trial != nil && h.player == 0:
		c.target = *h.msg.Trial
		if c.target.Void != "" && c.playing == 1 {
			c.voidFor(c.target.Void) // it could not even begin
		}
	case h.msg.Trial != nil:
		c.parts[h.player-1] = *h.msg.Trial
	case h.msg.Event != nil && h.player == 0:
		c.events = append(c.events, *h.msg.Event)
	case h.msg.Series != nil:
		if c.held += len(h.msg.Series.Data); c.held > maxHeld {
			c.voidFor(fmt.Sprintf("%s: with its series there are more than %d MiB of them", c.name(h.player), maxHeld>>20))
			stop()
			return
		}
		c.series = append(c.series, *h.msg.Series)
	case h.msg.Kind == agent.KindServing:
		c.load(ctx, h.msg.Address)
	default:
		c.cue(h.player, h.msg.Kind)
	}
}

// left says whether a player that is done was needed longer, which voids the trial.
func (c *concert) left(player int) bool {
	switch {
	case player > 0 && !c.ended[player-1]:
		c.voidFor(c.name(player) + ": " + cmp.Or(c.parts[player-1].Void, "it left before the load had ended"))
	case player == 0 && (!c.loaded || slices.Contains(c.ended, false)):
		c.voidFor(c.name(player) + ": " + cmp.Or(c.target.Void, "it left before it was loaded"))
	default:
		return false
	}
	return true
}

// load starts the sources.
func (c *concert) load(ctx context.Context, address string) {
	c.loaded = true
	for i, host := range c.order.Sources {
		part, machine := partOf(c.order, i), c.loop.Machines[host]
		c.play(ctx, i+1, host, agent.Request{Do: agent.DoTrial, Order: &part, Machine: &machine, Target: address})
	}
}

// cue tells the players what follows from what one of them has said.
func (c *concert) cue(player int, kind string) {
	switch kind {
	case agent.KindReady:
		if c.ready++; c.ready == len(c.order.Sources) {
			for _, w := range c.words[1:] {
				w <- agent.WordStart
			}
		}
	case agent.KindBegun:
		if !c.begun {
			c.begun = true
			c.words[0] <- agent.WordBegin
		}
	case agent.KindEnded:
		if c.ended[player-1] = true; !slices.Contains(c.ended, false) {
			c.words[0] <- agent.WordEnd
		}
	}
}

// lose takes note of a player that did not end well: the first one's end is the cause of the others'.
func (c *concert) lose(h heard) {
	if c.failed != nil || c.void != "" {
		return
	}
	var lost agent.Lost
	var fault *agent.Fault
	if errors.As(h.err, &lost) || errors.As(h.err, &fault) {
		c.voidFor(c.name(h.player) + ": " + h.err.Error())
		return
	}
	c.failed = h.err
}

func (c *concert) name(player int) string {
	if player == 0 {
		return "the target"
	}
	return fmt.Sprintf("generator %q", c.order.Sources[player-1])
}

func (c *concert) voidFor(why string) {
	if c.void == "" {
		c.void = why
	}
}

// partOf is what source i of an order does of its load: an equal share, by a schedule of its own.
func partOf(o record.Order, i int) record.Order {
	part := o
	part.Host, part.Seed, part.Part = o.Sources[i], o.Seed+uint64(i), i+1
	// Agents on one host know their own files and processes by this.
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
