package engine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/kballard/go-shellquote"
	"golang.org/x/sys/unix"

	"plimsoll/internal/list"
)

// Package is one package of an operating system, by its names in the package managers.
type Package struct {
	Apt, Dnf, Apk string
}

// manager is a known package manager.
type manager struct {
	program string
	install []string
	name    func(Package) string
}

func managers() []manager {
	return []manager{
		{"apt-get", []string{"apt-get", "install", "-y", "-q", "--no-install-recommends"}, func(p Package) string { return p.Apt }},
		{"dnf", []string{"dnf", "install", "-y"}, func(p Package) string { return p.Dnf }},
		{"apk", []string{"apk", "add"}, func(p Package) string { return p.Apk }},
	}
}

// InstallPackages returns the steps that install packages here. Only Debian's and Ubuntu's package manager is run by
// plimsoll; for others the error has the command.
func InstallPackages(engine string, packages ...Package) ([]Step, error) {
	for _, m := range managers() {
		if _, err := exec.LookPath(m.program); err != nil {
			continue
		}
		install := m.install
		for _, p := range packages {
			install = append(install, m.name(p))
		}
		if m.program != "apt-get" {
			return nil, fmt.Errorf("%s: plimsoll installs packages only with apt-get, but this machine has "+
				"%s\nhint: sudo %s", engine, m.program, strings.Join(install, " "))
		}
		return []Step{
			{Does: "update the package lists", Command: []string{"apt-get", "update", "-q"}, Root: true},
			{Does: "install " + strings.Join(install[len(m.install):], ", ") + " (a server in it may be started by the system)", Command: install,
				Env: []string{"DEBIAN_FRONTEND=noninteractive"}, Root: true, Whole: true},
		}, nil
	}
	names := list.Map(packages, func(p Package) string { return p.Apt })
	return nil, fmt.Errorf("%s: this machine has none of apt-get, dnf and apk\nhint: install the packages that "+
		"Debian calls %s", engine, strings.Join(names, " and "))
}

// stepGrace is the time that an interrupted step has to end by itself.
const stepGrace = 30 * time.Second

// Step is one step of a setup.
type Step struct {
	Does    string                      // description
	Command []string                    // its program is looked up in PATH when the step runs
	Dir     string                      // working directory; "": here
	Env     []string                    // NAME=VALUE, beside this process's own environment
	Root    bool                        // requires root
	Whole   bool                        // not interruptible once begun: half of it would be worse
	Do      func(context.Context) error // instead of Command
}

// Line returns the step's command as shell text; "" if there is none.
func (s Step) Line() string { return shellquote.Join(s.Command...) }

// Run runs the step. Its error has the command's last lines of output.
func (s Step) Run(ctx context.Context) error {
	if s.Do != nil {
		return s.Do(ctx)
	}
	var out Output
	cmd := exec.CommandContext(ctx, s.Command[0], s.Command[1:]...)
	if s.Whole {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		cmd = exec.Command(s.Command[0], s.Command[1:]...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal's Ctrl-C is for its foreground group
	}
	cmd.Dir, cmd.Env = s.Dir, append(os.Environ(), s.Env...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if !s.Whole {
		cmd.Cancel = func() error { return cmd.Process.Signal(unix.SIGTERM) }
		cmd.WaitDelay = stepGrace
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w%s", s.Line(), err, out.Last())
	}
	return context.Cause(ctx)
}
