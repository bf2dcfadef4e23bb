package database

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"

	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/workload"
)

// aimed returns workload.Spec's Aim of the workload: what a target says is the address, the role, its password and the
// database of the server that it has started. The DSN of a server that is there is the user's, and the name of our
// database on it follows from the session (New).
func aimed(name string) func(workload.Params, []string) (workload.Aim, error) {
	return func(p workload.Params, said []string) (workload.Aim, error) {
		aim := workload.Aim{At: make([]netip.AddrPort, len(said))}
		if len(said) == 0 {
			return aim, fmt.Errorf("%s: no server has told its address", name)
		}
		aim.Target = said[0] // the second is its standby, to which no generator sends anything
		if p.Text(ParamServer) == ServerDSN {
			return aim, nil
		}
		text, err := postgres.AddressIn(said[0])
		if err == nil {
			aim.At[0], err = workload.AimAt(p, text)
		}
		if err != nil {
			return aim, fmt.Errorf("%s: %w", name, err)
		}
		aim.At[0] = workload.ToProve(p, aim.At[0])
		return aim, nil
	}
}

// reached returns the DSN of the database on the user's server that a target has made or prepared.
func (s *Server) reached() (string, error) {
	base := s.base()
	if s.set.Existing {
		return base, nil
	}
	if s.env.Session == "" {
		return "", errors.New("no session, which names the database")
	}
	return withDatabase(base, nameOf(s.set.Name, s.env.Session))
}

// At implements workload.Member.
func (s *Server) At(place string) (netip.Addr, error) {
	var p postgres.Place
	if err := json.Unmarshal([]byte(place), &p); err != nil {
		return netip.Addr{}, fmt.Errorf("%s: read where the other server is: %w", s.set.Name, err)
	}
	return p.At()
}
