package detached

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// RelayVerb is the hidden verb that carries out a command line which arrives on its input: arguments would pass through
// one shell or two, by what carries them.
const RelayVerb = "relay"

// maxRelayed bounds a command line on its way.
const maxRelayed = 256 << 10

// graceToLeave is how long a carrier has to end after SIGTERM.
const graceToLeave = 5 * time.Second

// Relay has plimsoll carry out a command line elsewhere, through a command such as "ssh host", without an input. It
// ends what is silent for 20 s, and what says more than 64 MiB. The error is Elsewhere if it failed there.
func Relay(ctx context.Context, on string, args []string, stdout, stderr io.Writer) error {
	return relay{silence: silence, most: maxWords}.do(ctx, on, args, stdout, stderr)
}

// relay has the limits of what answers.
type relay struct {
	silence time.Duration
	most    int64 // bytes; 0: any number
}

func (r relay) do(ctx context.Context, on string, args []string, stdout, stderr io.Writer) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	w := &watched{end: end, silence: r.silence, most: r.most}
	go w.watch(ctx)
	line, err := json.Marshal(args)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", on+" plimsoll "+RelayVerb)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(string(line)+"\n"), w.writer(stdout, false), w.writer(stderr,
		true)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGTERM) }
	cmd.WaitDelay = graceToLeave
	err = cmd.Run()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("through %q: %w", on, context.Cause(ctx))
	case errors.As(err, &ended) && ended.Exited():
		if code := ended.ExitCode(); code != noCommand && code != noCarrier {
			return Elsewhere{code}
		}
		return fmt.Errorf("cannot reach plimsoll through %q\nhint: %s plimsoll version must work there without a prompt", on,
			on)
	}
	return err
}

// The exit codes of a shell that finds no command, and of ssh that reaches no host.
const (
	noCommand = 127
	noCarrier = 255
)

// Relayed returns the command line that arrived.
func Relayed(in io.Reader) (args []string, err error) {
	line, err := bufio.NewReaderSize(in, maxRelayed).ReadSlice('\n')
	if err != nil {
		return nil, fmt.Errorf("no command line arrived: %w", err)
	}
	if err := json.Unmarshal(line, &args); err != nil || len(args) == 0 || args[0] == RelayVerb {
		return nil, fmt.Errorf("the text that arrived isn't a command line: %.100q", line)
	}
	return args, nil
}

// Elsewhere is the error of a command line that failed where it was carried out, and has said there why.
type Elsewhere struct{ Code int }

func (e Elsewhere) Error() string { return fmt.Sprintf("exit code %d there", e.Code) }
