package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// ansibleDir is where scripts/python-tools installs Ansible's programs.
func ansibleDir() string {
	return filepath.Join(filepath.Dir(filepath.Dir(pythonTools())), "test-ansible", "bin")
}

// kubernetesDir is where scripts/kubernetes-tools puts Kubernetes.
func kubernetesDir() string {
	return filepath.Join(filepath.Dir(filepath.Dir(pythonTools())), "test-kubernetes")
}

func hasAnsible() bool {
	_, err := os.Stat(filepath.Join(ansibleDir(), "ansible-lint"))
	return err == nil
}

// hasSlurm reports whether Slurm's daemons are here: /usr/sbin is not in every user's PATH.
func hasSlurm() bool {
	for _, name := range []string{"slurmctld", "slurmd", "munged"} {
		if _, err := os.Stat(filepath.Join("/usr/sbin", name)); err != nil && !has(name) {
			return false
		}
	}
	_, err := exec.LookPath("srun")
	return err == nil
}

// loopdisk SIZE VAR... puts the names of block devices of that size into the environment. They are there until the
// script ends.
func loopdisk(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: loopdisk SIZE VAR...")
	}
	for _, name := range args[1:] {
		file := ts.MkAbs(name + ".img")
		if out, err := exec.Command("truncate", "-s", args[0], file).CombinedOutput(); err != nil {
			ts.Fatalf("truncate: %v: %s", err, out)
		}
		out, err := exec.Command("losetup", "-f", "--show", file).Output()
		ts.Check(err)
		device := strings.TrimSpace(string(out))
		ts.Defer(func() { _ = exec.Command("losetup", "-d", device).Run() })
		ts.Setenv(name, device)
	}
}
