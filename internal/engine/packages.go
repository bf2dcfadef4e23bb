package engine

import (
	"fmt"
	"os/exec"
	"strings"
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
	var names []string
	for _, p := range packages {
		names = append(names, p.Apt)
	}
	return nil, fmt.Errorf("%s: this machine has none of apt-get, dnf and apk\nhint: install the packages that "+
		"Debian calls %s", engine, strings.Join(names, " and "))
}
