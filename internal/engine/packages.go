package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/kballard/go-shellquote"
	"golang.org/x/sys/unix"

	"plimsoll/internal/base/list"
)

// Package is one package of an operating system, by its names in the package managers.
type Package struct {
	Apt, Dnf, Apk string
	Amazon        string // in Amazon Linux, whose package manager is dnf; "": as Dnf
}

// manager is a known package manager.
type manager struct {
	program string
	before  []Step // before the first package
	install []string
	name    func(p Package, system string) string
}

func managers() []manager {
	return []manager{
		{"apt-get", []Step{{Does: "update the package lists", Command: []string{"apt-get", "update", "-q"}, Root: true}},
			[]string{"apt-get", "install", "-y", "-q", "--no-install-recommends"}, func(p Package, _ string) string {
				return p.Apt
			}},
		{"dnf", nil, []string{"dnf", "install", "-y", "-q", "--setopt=install_weak_deps=False"},
			func(p Package, system string) string {
				if system == "amzn" {
					return cmp.Or(p.Amazon, p.Dnf)
				}
				return p.Dnf
			}},
		{"apk", nil, []string{"apk", "add"}, func(p Package, _ string) string { return p.Apk }},
	}
}

// System returns the operating system's name, as in os-release(5): debian, ubuntu, amzn.
func System() string {
	text, _ := os.ReadFile("/etc/os-release")
	for line := range strings.Lines(string(text)) {
		if id, ok := strings.CutPrefix(line, "ID="); ok {
			return strings.Trim(strings.TrimSpace(id), `"'`)
		}
	}
	return ""
}

// InstallPackages returns the steps that install packages here, by apt-get or dnf; for others the error has the
// command.
func InstallPackages(engine string, packages ...Package) ([]Step, error) {
	for _, m := range managers() {
		if _, err := exec.LookPath(m.program); err != nil {
			continue
		}
		install, system := m.install, System()
		for _, p := range packages {
			install = append(install, m.name(p, system))
		}
		if m.program == "apk" {
			return nil, fmt.Errorf("%s: plimsoll installs packages only with apt-get and dnf, but this machine has "+
				"%s\nhint: sudo %s", engine, m.program, strings.Join(install, " "))
		}
		return append(m.before, Step{
			Does: "install " + strings.Join(install[len(m.install):], ", ") +
				" (a server in it may be started by the system)", Command: install,
			Env: []string{"DEBIAN_FRONTEND=noninteractive"}, Root: true, Whole: true,
		}), nil
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

// BySudo returns the step as sudo runs it, which asks nothing.
func (s Step) BySudo() Step {
	by := []string{"sudo", "-n"}
	if len(s.Env) > 0 {
		by = slices.Concat(by, []string{"env"}, s.Env) // sudo itself passes on only what its rules name
	}
	s.Command = slices.Concat(by, s.Command)
	return s
}

// MaySudo returns an error if sudo is not here, or would ask for a password.
func MaySudo(ctx context.Context) error {
	if _, err := exec.LookPath("sudo"); err != nil {
		return errors.New("this user is not root, and there is no sudo")
	}
	_, err := Answer(ctx, "sudo", "sudo", "-n", "true")
	return err
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
