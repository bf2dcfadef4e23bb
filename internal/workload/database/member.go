package database

import (
	"context"
	"encoding/json"
	"fmt"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database/standby"
)

// member is what one of the two hosts of a cluster knows: the first has the server, the second its standby.
type member struct {
	self       int // from 1 on; 0: there is no cluster
	own, other postgres.Place
	secret     string // by which the standby follows the server
}

var _ workload.Member = (*Server)(nil)

// Place implements workload.Member.
func (s *Server) Place(ctx context.Context) (string, error) {
	_, err := s.find(ctx)
	if err == nil {
		s.member.own, s.member.secret, err = postgres.NewPlace(s.settings)
	}
	if err != nil {
		return "", err
	}
	s.settings.Port = s.member.own.Port()
	text, err := json.Marshal(s.member.own)
	return string(text), err
}

// Join implements workload.Member.
func (s *Server) Join(at workload.Places) error {
	if len(at.All) != 2 || at.Self < 1 || at.Self > 2 {
		return fmt.Errorf("%s: a server and its standby are two, not %d of %d", s.set.Name, at.Self, len(at.All))
	}
	s.member.self = at.Self
	if err := json.Unmarshal([]byte(at.All[2-at.Self]), &s.member.other); err != nil {
		return fmt.Errorf("%s: read where the other server is: %w", s.set.Name, err)
	}
	return s.member.other.Check()
}

// StandsBy reports whether this host has a cluster's standby, or would have it.
func (s *Server) StandsBy() bool { return s.member.self == 2 }

// standBy starts the standby of the other host's server, if it is to have one, and returns at which address.
func (s *Server) standBy(ctx context.Context) (string, error) {
	at := s.member.own.Address
	if !hasStandby(s.params) || s.standby != nil {
		return at, nil
	}
	primary := postgres.Primary{Address: s.member.other.Address, User: postgres.StandbyRole, Secret: s.member.secret}
	in, err := s.find(ctx)
	if err == nil {
		s.settings.Scratch, err = s.place(s.env.Scratch)
	}
	if err == nil {
		s.settings.Scratch, err = beneath(s.settings.Scratch, standbyDir)
	}
	if err == nil {
		err = standby.Reach(ctx, primary)
	}
	if err == nil {
		if s.standby, err = standby.StartCopy(ctx, primary, in, s.settings); err != nil {
			err = s.full(err, s.settings.Scratch)
		}
	}
	if err == nil {
		err = syncAll(s.settings.Scratch) // later writeback would fall into the measured time
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.set.Name, err)
	}
	return at, nil
}

// find returns the programs of the server's engine.
func (s *Server) find(ctx context.Context) (engine.Install, error) {
	var err error
	if s.install.Path == "" {
		s.install, err = finder(s.params).Find(ctx, s.settings.Params)
	}
	return s.install, err
}
