package database

import (
	"fmt"
	"syscall"

	"plimsoll/internal/host/account"
	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/workload"
)

// ParamDiskRate is the most that a server which is started reads, and writes, on the disks below its data: bytes a second.
const ParamDiskRate = "disk_rate"

// diskRate is 0 where nothing is held back.
func diskRate(p workload.Params) int64 { return int64(p.Number(ParamDiskRate)) }

// held is a server's processes whose disk is held back.
type held struct {
	*account.DiskRate
	err error // why its first process could not be put under the limit
}

// hold has the server that is about to start read and write no faster than it may. What it starts follows it.
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

// checkRate says on the host whether what is written in a directory can be held back there; nothing is left of it.
func checkRate(name, dir string, rate int64) error {
	if rate == 0 {
		return nil
	}
	limit, err := account.NewDiskRate(hostfs.System(), dir, rate)
	if err != nil {
		return fmt.Errorf("%s=%d: %w\nhint: without --set %s.%s nothing is held back", ParamDiskRate, rate, err, name, ParamDiskRate)
	}
	return limit.Close()
}
