// Package power meters the energy of parts of a machine.
package power

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/record"
)

// Power meters the energy of the parts of a machine. A part may hold another: "package" holds
// "core" and "uncore", and "psys" holds the packages and the memory, so that energies of unlike
// scopes do not add up.
//
// Read it at least every ten minutes, since a counter of a busy package wraps within half an hour
// and two wraps look like none, and every second if a domain's source is record.PowerWatts: such a
// sensor's energy is only as good as its samples are dense.
type Power struct {
	meters []*meter
	now    func() time.Time
}

// meter is one open counter or sensor.
type meter struct {
	domain record.Power
	file   *os.File
	wrap   uint64 // uJ; 0: the counter does not wrap
	last   uint64 // uJ of a counter, uW of a sensor of watts
	at     time.Time
	joules float64
}

// OpenPower opens all that can be metered here and starts counting. If nothing can, the error is
// one of hostfs.NotHere, or of permission if root could.
func OpenPower(root hostfs.Root) (*Power, error) { return openPower(root, time.Now) }

func openPower(root hostfs.Root, now func() time.Time) (*Power, error) {
	p := &Power{now: now}
	var faults []error
	for _, s := range powerSources(root) {
		m := &meter{domain: s.domain, wrap: s.wrap}
		var err error
		if m.file, err = os.Open(s.path); err == nil {
			if m.last, err = m.value(); err != nil {
				m.file.Close()
			}
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		m.at = now()
		p.meters = append(p.meters, m)
	}
	if len(p.meters) > 0 {
		return p, nil
	}
	if len(faults) == 0 {
		return nil, fmt.Errorf("power: no counter of energy: %w", fs.ErrNotExist)
	}
	return nil, fmt.Errorf("power: %w\nhint: run as root, or let this user read energy_uj", errors.Join(faults...))
}

// Domains lists the domains of Read, in its order.
func (p *Power) Domains() []record.Power {
	var out []record.Power
	for _, m := range p.meters {
		out = append(out, m.domain)
	}
	return out
}

// Read returns the joules of each domain since OpenPower. If one can no longer be read, its last
// known value comes with the error.
func (p *Power) Read() ([]float64, error) {
	var faults []error
	out := make([]float64, len(p.meters))
	for i, m := range p.meters {
		if err := m.advance(p.now()); err != nil {
			faults = append(faults, fmt.Errorf("power of %s: %w", m.domain.Name, err))
		}
		out[i] = m.joules
	}
	return out, errors.Join(faults...)
}

// Close closes the counters.
func (p *Power) Close() error {
	var faults []error
	for _, m := range p.meters {
		faults = append(faults, m.file.Close())
	}
	return errors.Join(faults...)
}

func (m *meter) advance(now time.Time) error {
	value, err := m.value()
	if err != nil {
		return err
	}
	if m.domain.Source == record.PowerWatts {
		m.joules += (float64(m.last) + float64(value)) / 2 / 1e6 * now.Sub(m.at).Seconds()
	} else {
		used, ok := energyBetween(m.last, value, m.wrap)
		if !ok {
			m.last = value
			return errors.New("its counter went back: some energy was not counted")
		}
		m.joules += float64(used) / 1e6
	}
	m.last, m.at = value, now
	return nil
}

// energyBetween returns the count of a counter that wraps after the value wrap; false if it went
// back and does not wrap.
func energyBetween(before, after, wrap uint64) (uint64, bool) {
	switch {
	case after >= before:
		return after - before, true
	case wrap < before:
		return 0, false
	}
	return wrap - before + after, true
}

func (m *meter) value() (uint64, error) {
	b := make([]byte, 32)
	n, err := m.file.ReadAt(b, 0)
	if n == 0 && err != nil {
		return 0, err
	}
	return parseMicro(b[:n])
}

// parseMicro reads a counter of uJ or a sensor of uW.
func parseMicro(b []byte) (uint64, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%.30q is not a number of millionths", b)
	}
	return n, nil
}

// Domains lists the parts that could be metered here, and whether this user may.
func Domains(root hostfs.Root) []record.Power {
	var out []record.Power
	for _, s := range powerSources(root) {
		f, err := os.Open(s.path)
		if s.domain.Readable = err == nil; err == nil {
			f.Close()
		}
		if !slices.Contains(out, s.domain) {
			out = append(out, s.domain)
		}
	}
	return out
}
