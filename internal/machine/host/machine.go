// Package host describes the machine that it runs on. The packages below it read one topic each; none of them needs
// this one.
package host

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/cloud"
	"plimsoll/internal/machine/host/cpuinfo"
	"plimsoll/internal/machine/host/fact"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/power"
	"plimsoll/internal/machine/host/storage"
	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
)

// Describe returns the fingerprint of a machine. It takes about 400 ms, in which it keeps one CPU
// busy to sample State. Sources that could not be read are named in Unknown, with the cause; an
// error means that there is no fingerprint.
func Describe(ctx context.Context, root hostfs.Root) (record.Machine, error) {
	d := description{root: root, m: record.Machine{Format: record.Format, Arch: runtime.GOARCH}}
	var err error
	if d.processors, err = hostfs.ReadParsed(root.ProcPath("cpuinfo"), cpuinfo.Parse); err != nil {
		d.note("cpuinfo", err)
	}
	d.identity()
	d.cpu()
	d.surroundings()
	d.facts()
	d.parts()
	d.state(ctx)
	if fact.HiddenThreads(d.m) {
		d.m.CPU.CoreCPUs = nil
	}
	if err := ctx.Err(); err != nil {
		return record.Machine{}, fmt.Errorf("describe this machine: %w", err)
	}
	if d.m.CPU.Threads == 0 && d.m.Memory == 0 {
		return record.Machine{}, fmt.Errorf("describe this machine: %w\nhint: is %s mounted?",
			errors.Join(d.causes...), root.Proc)
	}
	d.m.ID, err = fingerprint(root, d.m)
	if err != nil {
		d.m.Unknown = append(d.m.Unknown, "identity: "+err.Error())
	}
	d.name()
	d.m.Warnings = fact.Warnings(d.m)
	return d.m, nil
}

type description struct {
	root       hostfs.Root
	m          record.Machine
	processors []cpuinfo.Processor
	causes     []error
}

// note records that a source could not be read.
func (d *description) note(source string, err error) {
	if err == nil {
		return
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			d.note(source, one)
		}
		return
	}
	d.causes = append(d.causes, err)
	cause := err.Error()
	if hostfs.NotHere(err) {
		cause = "not here"
	}
	line := source + ": not readable: " + cause
	if !slices.Contains(d.m.Unknown, line) {
		d.m.Unknown = append(d.m.Unknown, line)
	}
}

func (d *description) identity() {
	var err error
	d.m.Host, err = hostfs.ReadText(d.root.ProcPath("sys/kernel/hostname"))
	d.note("host name", err)
	d.m.Kernel, err = hostfs.ReadText(d.root.ProcPath("sys/kernel/osrelease"))
	d.note("kernel", err)
	d.m.OS, err = osName(d.root)
	d.note("os-release", err)
	d.m.Software.Go = runtime.Version()
	if info, ok := debug.ReadBuildInfo(); ok {
		d.m.Software.Plimsoll = info.Main.Version
	}
}

// name sets the name of the machine in results: the instance type if the firmware has one, else the
// host.
func (d *description) name() {
	if d.m.Name = d.m.Cloud.Type; d.m.Name == "" {
		d.m.Name, d.m.Host = d.m.Host, ""
	}
}

func (d *description) cpu() {
	d.m.CPU = cpuinfo.Summarise(d.processors)
	t, err := topology.Read(d.root)
	d.note("topology", err)
	d.m.CPU.Sockets, d.m.CPU.Cores, d.m.CPU.ThreadsPerCore = len(t.Sockets), len(t.Cores), t.ThreadsPerCore
	d.m.CPU.SocketCPUs = topology.FormatLists(t.Sockets)
	if err == nil {
		d.m.CPU.CoreCPUs = topology.FormatLists(t.Cores)
	}
	d.m.CPU.Threads = max(t.Threads, len(d.processors))
	d.m.CPU.Allowed, err = topology.Allowed()
	d.note("affinity", err)
	d.m.CPU.Caches, err = topology.Caches(d.root)
	d.note("caches", err)
	if d.m.CPU.Caches == nil {
		d.m.CPU.Caches = []record.Cache{}
	}
	if mhz, ok := topology.MaxMHz(d.root); ok {
		d.m.CPU.MHz = mhz
	}
	d.m.CPU.SVEBits, err = cpuinfo.SVEBits(d.root)
	d.note("sve", err)
}

func (d *description) surroundings() {
	var err error
	d.m.Memory, err = hostfs.MemoryBytes(d.root)
	d.note("memory", err)
	d.nodes()
	d.m.Virt, err = cpuinfo.Hypervisor(d.root)
	d.note("dmi", err)
	d.m.Cgroup, err = account.Limits(d.root)
	d.note("cgroup", err)
	d.m.Emulated = cpuinfo.Emulator(d.root, d.m.Virt, d.processors)
	if d.m.Emulated == cpuinfo.QEMUUser {
		d.hideHost()
	}
}

func (d *description) nodes() {
	nodes, err := topology.OnlineNodes(d.root)
	d.note("numa", err)
	d.m.NUMA = topology.CountNodes(nodes, err)
	cpus, err := topology.NodeCPUs(d.root, nodes)
	if !hostfs.NotHere(err) {
		d.note("numa", err)
	}
	d.m.NodeCPUs = topology.FormatLists(cpus)
}

// facts reads the facts that can be read from files alone. One that a kernel or a virtual machine does not have is left
// out in silence: nobody can act on it.
func (d *description) facts() {
	for _, f := range fact.All() {
		if f.Read == nil {
			continue
		}
		if err := f.Read(d.root, &d.m); !hostfs.NotHere(err) {
			source, _, _ := strings.Cut(f.Key, ".")
			d.note(source, err)
		}
	}
	d.m.Settings.Swap = hostfs.SwapBytes(d.root)
}

func (d *description) parts() {
	d.m.Cloud = cloud.Of(d.root)
	d.m.Disks = storage.Disks(d.root)
	d.m.NICs = nics(d.root)
	d.m.Power = power.Domains(d.root)
}

// hideHost drops the data of the host's own CPU that qemu-user passes through.
func (d *description) hideHost() {
	if !slices.ContainsFunc(d.processors, func(p cpuinfo.Processor) bool { return p.Arch() != runtime.GOARCH }) {
		return
	}
	d.m.Unknown = append(d.m.Unknown, fmt.Sprintf("cpuinfo: not readable: it describes the host behind %s (%s)",
		cpuinfo.QEMUUser, d.m.CPU.Model))
	d.m.CPU.Vendor, d.m.CPU.Model, d.m.CPU.MHz = "", "", 0
	d.m.CPU.Core, d.m.CPU.Microcode = "", ""
	d.m.CPU.Features = cpuinfo.ArmFeatures()
}
