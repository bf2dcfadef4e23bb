package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// The files of sshd and ssh, with what differs from host to host left open.
const (
	sshdConfig = `Port 22
HostKey %[1]s/hostkey
AuthorizedKeysFile %[1]s/id.pub
StrictModes no
UsePAM no
PidFile none
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
Subsystem sftp internal-sftp
SetEnv PATH=%[2]s TMPDIR=%[3]s
`
	sshConfig = `Host *
  User root
  IdentityFile %[1]s/id
  IdentitiesOnly yes
  UserKnownHostsFile %[1]s/known_hosts
  GlobalKnownHostsFile none
  StrictHostKeyChecking yes
  HostKeyAlias host
  BatchMode yes
  LogLevel ERROR
`
)

// sshd HOST... starts OpenSSH's server on each of these hosts of the network, the first of which it gives one CPU only.
// `ssh -F ssh/config ADDRESS` reaches it from the network's hosts. It ends with the script. Where ENTER names a script,
// `sh $ENTER HOST COMMAND...` starts it.
func sshd(ts *testscript.TestScript, neg bool, hosts []string) {
	if neg || len(hosts) == 0 {
		ts.Fatalf("usage: sshd HOST...")
	}
	dir := ts.MkAbs("ssh")
	ts.Check(os.MkdirAll(dir, 0o700))
	ts.Check(os.MkdirAll("/run/sshd", 0o755)) // a package's boot script makes it, and there may have been no boot
	for _, key := range []string{"hostkey", "id"} {
		out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, key)).
			CombinedOutput()
		if err != nil {
			ts.Fatalf("ssh-keygen: %v: %s", err, out)
		}
	}
	public, err := os.ReadFile(filepath.Join(dir, "hostkey.pub"))
	ts.Check(err)
	for name, text := range map[string]string{
		"known_hosts": "host " + string(public), "config": fmt.Sprintf(sshConfig, dir),
		"sshd_config": fmt.Sprintf(sshdConfig, dir, ts.Getenv("PATH"), ts.Getenv("TMPDIR")),
	} {
		ts.Check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	program, err := exec.LookPath("sshd")
	if err != nil {
		program = "/usr/sbin/sshd" // where it is, and not in every user's PATH
	}
	for i, h := range hosts {
		args := []string{ts.MkAbs("on.sh"), h}
		if i == 0 {
			args = append(args, "taskset", "-c", firstCPU(ts))
		}
		if enter := ts.Getenv("ENTER"); enter != "" {
			args = append(args, "sh", enter, h)
		}
		args = append(args, program, "-D", "-e", "-f", filepath.Join(dir, "sshd_config"))
		listen(ts, h, exec.Command("sh", args...))
	}
}

// firstCPU is one that we may use.
func firstCPU(ts *testscript.TestScript) string {
	out, err := exec.Command("taskset", "-cp", fmt.Sprint(os.Getpid())).Output()
	ts.Check(err)
	list := strings.TrimSpace(string(out[strings.LastIndex(string(out), ":")+1:]))
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '-' })[0]
}

// listen starts a server on a host and waits until it has its title, which it takes when it listens.
func listen(ts *testscript.TestScript, host string, server *exec.Cmd) {
	server.Env = append(os.Environ(), "NETNS="+ts.Getenv("NETNS"))
	log := &strings.Builder{}
	server.Stderr = log
	ts.Check(server.Start())
	ended := make(chan struct{})
	go func() {
		_ = server.Wait()
		close(ended)
	}()
	ts.Defer(func() {
		_ = server.Process.Kill()
		<-ended
	})
	until(ts, "sshd on "+host, func() bool {
		select {
		case <-ended:
			ts.Fatalf("sshd on %s has ended: %s", host, log)
		default:
		}
		return strings.Contains(title(server.Process.Pid), "[listener]")
	})
}

// hangup HOST kills all of sshd on a host, as a host that goes away does to those who are logged in.
func hangup(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hangup HOST")
	}
	for _, pid := range inside(ts.Getenv("NETNS") + args[0]) {
		if strings.HasPrefix(title(pid), "sshd") {
			ts.Check(syscall.Kill(pid, syscall.SIGKILL))
		}
	}
}
