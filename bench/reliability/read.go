package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// readings are what reads files of a disk, by name: the arguments after the program, with the start of the name of a
// file that they write. A session of six runs takes four pages, so that each of them is some reads.
func (t *trial) readings(out string) map[string][]string {
	return map[string][]string{
		"show":    {"show", t.session},
		"compare": {"compare", t.session, t.second()},
		"report":  {"report", t.session, "-o", out + ".html"},
		"import":  {"import", "--format", "csv", t.table(), "-o", out + ".plimsoll.jsonl"},
		"guess":   {"import", t.table(), "-o", out + ".plimsoll.jsonl"},
		"resume":  {"run", "--resume", t.session},
	}
}

// mostReads is of how many reads, from the second on, one fails.
const mostReads = 8

func (t *trial) second() string {
	return filepath.Join(filepath.Dir(t.session), "second.plimsoll.jsonl")
}
func (t *trial) table() string { return filepath.Join(filepath.Dir(t.session), "table.csv") }

// readError has one read of a file fail, or each after it too: what reads it says so, and prints and writes nothing of
// the part that it got; when the disk is whole again, nothing is missing.
func readError(ctx context.Context, t *trial) outcome {
	disk, err := t.cutDisk()
	if err != nil {
		return outcome{broken: text(err)}
	}
	names := []string{"show", "compare", "report", "import", "guess", "resume"}
	name := names[t.random.IntN(len(names))]
	out := outcome{}
	if err = t.filled(ctx, name); err == nil {
		disk.pages = true
		out.hit, err = t.misread(ctx, disk, name)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	out.broken = text(errors.Join(err, disk.unmount()))
	return out
}

// filled makes the files of a reading.
func (t *trial) filled(ctx context.Context, name string) error {
	session := func() error {
		r, err := t.start(ctx, false)
		if err == nil && r.wait() != 0 {
			err = errors.New(r.text.String())
		}
		return err
	}
	if err := session(); err != nil {
		return err
	}
	switch name {
	case "compare":
		first := t.session
		t.session = t.second()
		err := session()
		t.session = first
		return err
	case "import", "guess":
		rows := "machine,workload,replicate,load,load_kind,metric,value,unit\n"
		for i := range 1000 {
			rows += fmt.Sprintf("m%d,work,%d,1,clients,throughput,%d,op/s\n", i%2, i/2, 1000+t.random.IntN(20))
		}
		return os.WriteFile(t.table(), []byte(rows), 0o600)
	case "resume":
		return t.halved()
	}
	return nil
}

// halved leaves the lines of a session up to its third run.
func (t *trial) halved() error {
	all, err := os.ReadFile(t.session)
	if err != nil {
		return err
	}
	var left []byte
	runs := 0
	for line := range bytes.Lines(all) {
		if left = append(left, line...); bytes.HasPrefix(line, []byte(`{"kind":"trial"`)) {
			runs++
		}
		if runs == ordered/2 {
			break
		}
	}
	return os.WriteFile(t.session, left, 0o600)
}

// misread counts the reads of a reading, repeats it with one that fails, and once more on the whole disk.
func (t *trial) misread(ctx context.Context, disk *cutDisk, name string) (bool, error) {
	before, err := os.ReadFile(t.session)
	if err != nil {
		return false, err
	}
	disk.breaks(&ioFault{call: "read"})
	good := t.reading(ctx, name, "good")
	n := disk.breaks(nil).calls
	if good.code != 0 || n < 2 {
		return false, fmt.Errorf("exit code %d after %d reads of a whole disk: %s", good.code, n, good.err)
	}
	if err := os.WriteFile(t.session, before, 0o600); err != nil { // --resume has written to it
		return false, err
	}
	disk.breaks(&ioFault{call: "read", k: 2 + t.random.IntN(min(n-1, mostReads)), dead: t.random.IntN(2) == 0})
	got := t.reading(ctx, name, "bad")
	bad := disk.breaks(nil)
	if bad.calls < bad.k {
		return false, nil // how often --resume reads is a matter of moments
	}
	err = errors.Join(t.saidSo(name, got), t.unharmed(name, before))
	if err == nil {
		err = t.again(ctx, name, good, got.reported())
	}
	if err != nil {
		err = fmt.Errorf("read %d of %d fails, dead %t: %w", bad.k, n, bad.dead, err)
	}
	return true, err
}

// unharmed checks that a reading has left what was in the session, to which only --resume adds.
func (t *trial) unharmed(name string, before []byte) error {
	after, err := os.ReadFile(t.session)
	if err == nil && (!bytes.HasPrefix(after, before) || name != "resume" && len(after) > len(before)) {
		err = fmt.Errorf("of %d bytes of the session others were made, %d", len(before), len(after))
	}
	return errors.Join(err, t.deserted())
}

// again repeats a reading on the whole disk: it finds what it found before the fault, and the runs that were reported
// with it.
func (t *trial) again(ctx context.Context, name string, good ended, said int64) error {
	if name == "resume" {
		before, err := t.kept(ordered/2 + said)
		if err == nil {
			err = t.whole(ctx, before)
		}
		return err
	}
	again := t.reading(ctx, name, "again")
	switch {
	case again.code != 0:
		return fmt.Errorf("afterwards it ends with %d: %s", again.code, again.err)
	case strings.ReplaceAll(again.out, "/again.", "/good.") != good.out:
		return errors.New("afterwards it prints something else")
	}
	return nil
}

// saidSo checks what a reading says, and leaves, that could not read on. A session that is continued may have been read
// by then, and is read again as it is written: what is safe in it is shown.
func (t *trial) saidSo(name string, got ended) error {
	written, _ := filepath.Glob(filepath.Join(t.dir, "bad*"))
	switch {
	case got.code != 1:
		return fmt.Errorf("the exit code is %d: %s%s", got.code, got.out, got.err)
	case got.out != "" && name != "resume":
		return errors.New("it prints all the same: " + got.out)
	case len(written) > 0:
		return fmt.Errorf("it leaves %s", written[0])
	case !strings.Contains(got.err, "input/output error"), !strings.Contains(got.err, filepath.Dir(t.session)+"/"):
		return errors.New("it does not name the file and the cause: " + got.err)
	}
	return nil
}

// ended is what came of a command.
type ended struct {
	code     int
	out, err string
}

// reported counts the runs that a command has reported.
func (e ended) reported() int64 {
	n, run := int64(0), reported()
	for line := range strings.Lines(e.err) {
		if run.MatchString(line) {
			n++
		}
	}
	return n
}

// reading carries a reading out, which ends.
func (t *trial) reading(ctx context.Context, name, out string) ended {
	return t.captured(ctx, t.readings(filepath.Join(t.dir, out))[name])
}

// captured carries a command of the program out, which ends.
func (t *trial) captured(ctx context.Context, args []string) ended {
	ctx, stop := context.WithTimeout(ctx, longest)
	defer stop()
	cmd := exec.CommandContext(ctx, t.program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = t.dir, t.environ(), &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		return ended{-1, "", text(err)}
	}
	return ended{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}
