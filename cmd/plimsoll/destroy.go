package main

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/run/carry"
	"plimsoll/internal/workload/disk"
)

const (
	diskPath    = disk.Name + "." + disk.ParamPath
	diskDestroy = disk.Name + "." + disk.ParamDestroy
)

// asked stands for --destroy-data without a name: prompt for the name.
const asked = "?"

// consent notes which devices the user gives up. A suite cannot: only the flag sets the parameter.
func (a *app) consent(ctx context.Context, o runOptions, req *plan.Request, secrets secret.Values) error {
	if len(valuesAsked(req, disk.ParamDestroy)) > 0 {
		return usagef("%s cannot be set: only --destroy-data=DEVICE permits overwriting a device", diskDestroy)
	}
	if len(o.destroy) == 0 {
		return nil
	}
	via, err := carry.Hosts(o.carry, o.binaries, a.stderr)
	if err != nil {
		return err
	}
	measured := devices(valuesAsked(req, disk.ParamPath))
	for _, name := range measured {
		if slices.Contains(o.destroy, name) || slices.Contains(o.destroy, asked) {
			a.sayLost(ctx, via.With(secrets), name, req.Hosts)
		}
	}
	names, err := a.givenUp(o.destroy, measured)
	if err != nil {
		return err
	}
	return req.Set(diskDestroy, strings.Join(names, " "), a.declarations())
}

// sayLost prints the contents of the devices on every host where they will be destroyed.
func (a *app) sayLost(ctx context.Context, via agent.Hosts, name string, hosts []string) {
	if len(hosts) == 0 {
		hosts = []string{thisHost}
	}
	for _, h := range hosts {
		err := via.Carry(ctx, h)
		var d record.Device
		if err == nil {
			d, err = via.On(h).Device(ctx, disk.Name, name)
		}
		if err != nil {
			continue // planning fails too, with the reason
		}
		fmt.Fprintf(a.stderr, "plimsoll: all data will be destroyed on %s%s\n", d, atHost(h))
	}
}

func atHost(command string) string {
	if command == thisHost {
		return " (on this host)"
	}
	return fmt.Sprintf(" (on the host behind %q)", command)
}

// devicesOf returns the current state of the devices that a plan destroys.
func devicesOf(ctx context.Context, p record.Plan, via agent.Hosts) ([]record.Device, error) {
	var out []record.Device
	seen := map[[2]string]bool{}
	for _, c := range p.Cells {
		path := c.Params[disk.ParamPath]
		at := [2]string{c.Host, path}
		if c.Workload != disk.Name || seen[at] || !slices.Contains(strings.Fields(c.Params[disk.ParamDestroy]), path) {
			continue
		}
		seen[at] = true
		d, err := via.On(c.Host).Device(ctx, disk.Name, path)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// sameDevices rejects a name that has come to refer to another device. Leftovers of our own trials do not matter.
func sameDevices(ctx context.Context, p record.Plan, path string, via agent.Hosts) error {
	now, err := devicesOf(ctx, p, via)
	if err != nil {
		return err
	}
	for _, was := range p.Devices {
		for _, is := range now {
			if is.Host == was.Host && is.Path == was.Path && (is.ID != was.ID || is.Bytes != was.Bytes) {
				return usagef("%s%s is another device than the one given up in %s: it was %.2f GB, and its %s differs; now it is "+
					"%s\nhint: plimsoll run -o FILE starts a session with the intended device",
					was.Path, atHost(was.Host), path, float64(was.Bytes)/1e9, was.By, is)
			}
		}
	}
	return nil
}

// givenUp returns the devices named by the flag, each of which must be measured, or typed by the user.
func (a *app) givenUp(given, measured []string) ([]string, error) {
	var out []string
	for _, name := range given {
		if name == asked {
			typed, err := a.typed(measured)
			if err != nil {
				return nil, err
			}
			out = append(out, typed...)
			continue
		}
		if !slices.Contains(measured, name) {
			return nil, usagef("--destroy-data=%s: nothing is measured on it\nhint: --set %s=%s", name, diskPath, name)
		}
		out = append(out, name)
	}
	return out, nil
}

// typed prompts for the name of every device that is measured.
func (a *app) typed(measured []string) ([]string, error) {
	if len(measured) == 0 {
		return nil, usagef("--destroy-data: no device is measured\nhint: --set %s=/dev/NAME", diskPath)
	}
	in, ok := a.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return nil, usagef("--destroy-data needs the device's name, since there is no terminal to type it on\nhint: "+
			"--destroy-data=%s", measured[0])
	}
	lines := bufio.NewScanner(in)
	for _, name := range measured {
		fmt.Fprintf(a.stderr, "All data on %s will be destroyed. Type its name to continue: ", name)
		if !lines.Scan() || strings.TrimSpace(lines.Text()) != name {
			return nil, usagef("%s was not typed: nothing has been touched", name)
		}
	}
	return measured, nil
}

// valuesAsked returns all values of a parameter of the workload disk in a request.
func valuesAsked(req *plan.Request, param string) []string {
	key := disk.Name + "." + param
	var out []string
	levels := func(factors []plan.Factor) {
		for _, f := range factors {
			for _, l := range f.Levels {
				if v, ok := l.Set[key]; ok {
					out = append(out, v)
				}
			}
		}
	}
	levels(req.Factors)
	for _, ask := range req.Measure {
		if ask.Workload != disk.Name {
			continue
		}
		if v, ok := ask.Set[param]; ok {
			out = append(out, v)
		}
		for _, axis := range ask.Sweep {
			if axis.Param == param {
				out = append(out, axis.Values...)
			}
		}
		levels(ask.Vary)
	}
	return out
}

// devices returns the paths that are not directories, without repeats.
func devices(paths []string) []string {
	found := map[string]bool{}
	for _, p := range paths {
		if strings.HasPrefix(p, "/dev/") {
			found[p] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// stillConsented asks for consent again when a plan is resumed: its file may come from anywhere.
func (o runOptions) stillConsented(p record.Plan, path string) error {
	if o.tidies {
		return nil // it destroys nothing
	}
	for _, c := range p.Cells {
		if c.Workload != disk.Name {
			continue
		}
		for _, name := range strings.Fields(c.Params[disk.ParamDestroy]) {
			if !slices.Contains(o.destroy, name) {
				return usagef("the plan in %s destroys all data on %s\nhint: --destroy-data=%s permits it again", path, name, name)
			}
		}
	}
	return nil
}
