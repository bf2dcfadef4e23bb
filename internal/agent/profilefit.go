package agent

import (
	"fmt"

	"plimsoll/internal/record"
	"plimsoll/internal/session"
)

// keep records a profile as a series of the side. If it is too large, its rarest stacks lose their outer frames, which
// becomes a doubt.
func (p *sideProfile) keep(name, unit string, profile record.Profile) {
	data, err := session.EncodeProfile(profile)
	for _, less := range []struct {
		rare  int64
		depth int
	}{{1, 32}, {1, 16}, {3, 8}, {30, 8}, {1 << 62, 8}, {1 << 62, 2}} {
		if err == nil {
			break
		}
		short := profile.Shortened(less.rare, less.depth)
		if data, err = session.EncodeProfile(short); err == nil {
			p.doubt(fmt.Errorf("%s is too large: stacks seen at most %d times keep their innermost %d functions only", name, less.rare, less.depth))
		}
	}
	p.side.keep(record.Series{Name: name, Unit: unit, Enc: record.EncProfile, Data: data}, err)
}
