package main

import (
	"os"
	"os/exec"
	"path/filepath"
)

// ansibleDir is where scripts/python-tools installs Ansible's programs.
func ansibleDir() string {
	return filepath.Join(filepath.Dir(filepath.Dir(pythonTools())), "test-ansible", "bin")
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
