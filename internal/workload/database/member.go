package database

import (
	"context"
	"encoding/json"
	"fmt"

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
	err := s.find(ctx)
	if err != nil {
		return "", err
	}
	if s.member.own, s.member.secret, err = postgres.NewPlace(s.settings); err != nil {
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
	if hasStandby(s.params) && s.standby == nil {
		if err := s.startStandby(ctx); err != nil {
			return "", fmt.Errorf("%s: %w", s.set.Name, err)
		}
	}
	return s.member.own.Address, nil
}

func (s *Server) startStandby(ctx context.Context) error {
	err := s.find(ctx)
	if err != nil {
		return err
	}
	dir, err := s.place(s.env.Scratch)
	if err != nil {
		return err
	}
	if s.settings.Scratch, err = beneath(dir, standbyDir); err != nil {
		return err
	}
	primary := postgres.Primary{Address: s.member.other.Address, User: postgres.StandbyRole, Secret: s.member.secret}
	if err := standby.Reach(ctx, primary); err != nil {
		return err
	}
	if s.standby, err = standby.StartCopy(ctx, primary, s.install, s.settings); err != nil {
		return s.full(err, s.settings.Scratch)
	}
	return syncAll(s.settings.Scratch) // later writeback would fall into the measured time
}

// find looks for the programs of the server's engine, once.
func (s *Server) find(ctx context.Context) (err error) {
	if s.install.Path == "" {
		s.install, err = finder(s.params).Find(ctx, s.settings.Params)
	}
	return err
}
