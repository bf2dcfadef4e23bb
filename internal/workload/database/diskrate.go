package database

import (
	"fmt"
	"syscall"

	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/workload"
)

// ParamDiskRate limits the reads, and the writes, of a started server on the disks of its data, in bytes/s each.
const ParamDiskRate = "disk_rate"

// diskRate returns the limit; 0 means none.
func diskRate(p workload.Params) int64 { return int64(p.Number(ParamDiskRate)) }

// held is a server's processes under a disk limit.
type held struct {
	*account.DiskRate
	err error // why its first process could not be put under the limit
}

// hold limits the disk rates of the server that is about to start, and of its children.
func (s *Server) hold(dir string) error {
	if s.rate == 0 {
		return nil
	}
	limit, err := account.NewDiskRate(hostfs.System(), dir, s.rate)
	if err != nil {
		return err
	}
	s.held = &held{DiskRate: limit}
	enter := s.settings.Enter
	s.settings.Enter = func(attr *syscall.SysProcAttr, start func() (int, error)) error {
		begin := func() (int, error) {
			pid, err := start()
			if err == nil {
				s.held.err = limit.Add(pid)
			}
			return pid, err
		}
		if enter == nil {
			_, err := begin()
			return err
		}
		return enter(attr, begin)
	}
	return nil
}

// release lifts the limit once the server has ended.
func (s *Server) release() error {
	if s.held == nil {
		return nil
	}
	err := s.held.Close()
	s.held = nil
	return err
}

// checkRate returns an error if writes to a directory cannot be limited on this host. It leaves nothing behind.
func checkRate(name, dir string, rate int64) error {
	if rate == 0 {
		return nil
	}
	limit, err := account.NewDiskRate(hostfs.System(), dir, rate)
	if err != nil {
		return fmt.Errorf("%s=%d: %w\nhint: without --set %s.%s there is no limit",
			ParamDiskRate, rate, err, name, ParamDiskRate)
	}
	return limit.Close()
}
