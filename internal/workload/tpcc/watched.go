package tpcc

import (
	"plimsoll/internal/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Timeline is as workload.Timeliner has it: what the server did in each second.
func (d *driver) Timeline(r load.Result) []workload.Track { return d.server.Timeline(r) }

// Events is as workload.Eventer has it: the server's checkpoints and autovacuum.
func (d *driver) Events(r load.Result) []record.Event { return d.server.Events(r) }
