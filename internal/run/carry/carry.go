// Package carry brings this program to a host that a command reaches, by the host's architecture, and proves by its
// SHA-256 that it arrived before anything of it runs there.
package carry

import (
	"context"
	"crypto/rand"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	shellquote "github.com/kballard/go-shellquote"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// Brought is where the program is on a host.
type Brought struct {
	Program string // its path there
	Arch    string // as Go names it
	Sent    int    // bytes sent; 0: an equal one was there
}

// host is one that a command reaches.
type host struct {
	on       string
	env      []string      // of the command; nil: that of this process
	parses   bool          // a shell there parses the command's words once more, as ssh has it
	patience time.Duration // bounds one exchange; 0: 10 min
	grace    time.Duration // that a command has to end when it is interrupted; 0: none
}

// Bring returns the path of an equal program on a host, and sends it there unless there is one. The error is the user's
// if there is no program for the host's architecture. The command has the environment env.
func Bring(ctx context.Context, on string, env []string, from Binaries) (Brought, error) {
	return (&host{on: on, env: env}).bring(ctx, from)
}

func (h *host) bring(ctx context.Context, from Binaries) (Brought, error) {
	b, err := h.found(ctx, from)
	if err != nil {
		return b, fmt.Errorf("carrying plimsoll through %q: %w", h.on, err)
	}
	return b, nil
}

func (h *host) found(ctx context.Context, from Binaries) (Brought, error) {
	if err := h.probe(ctx); err != nil {
		return Brought{}, err
	}
	there, err := h.look(ctx)
	if err != nil {
		return Brought{}, err
	}
	b := Brought{Arch: there.arch}
	program, err := from.program(there.arch)
	if err != nil {
		return b, err
	}
	for _, c := range there.programs {
		if c.sum == program.sum {
			b.Program = c.path
			return b, nil
		}
	}
	b.Program, b.Sent = path.Join(there.dir, "plimsoll-"+program.sum[:16], "plimsoll"), len(program.data)
	return b, h.send(ctx, b.Program, program)
}

// probe finds out whether a shell at the far end parses words once more.
func (h *host) probe(ctx context.Context) error {
	out, err := h.run(ctx, shellquote.Join("echo", "a  b"), nil, func(string) bool { return true })
	switch got := strings.TrimSpace(out); {
	case err != nil:
		return err
	case got == "a  b":
	case got == "a b":
		h.parses = true
	default:
		return usage.With(fmt.Errorf("it printed %.80q instead of what it was told to echo", got),
			"the command must print nothing of its own")
	}
	return nil
}

// found is what a host has.
type found struct {
	arch, dir string
	programs  []candidate
}

type candidate struct{ sum, path string }

// lookScript prints the machine's architecture, the first directory that is this user's alone, and the sums of
// programs. A link in TMPDIR may be another user's, who could lead it elsewhere once the program has been verified.
const lookScript = `uname -m
own() { mkdir -p -m 700 "$1" 2>/dev/null && [ -O "$1" ] && [ -w "$1" ]; }
d="${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/plimsoll"
own "$d" || { d="${TMPDIR:-/tmp}/plimsoll-carried-$(id -u)"; own "$d" && [ ! -L "$d" ]; } || d=
echo "$d"
for f in "$(command -v plimsoll)" "$d"/plimsoll-*/plimsoll; do
	if [ -f "$f" ] && [ -x "$f" ]; then sha256sum "$f"; fi
done`

func (h *host) look(ctx context.Context) (found, error) {
	out, err := h.script(ctx, lookScript, nil)
	if err != nil {
		return found{}, err
	}
	return parseLook(out)
}

// parseLook reads what lookScript prints. A path with letters that a shell would read otherwise is not used.
func parseLook(out string) (found, error) {
	lines := strings.Split(out, "\n")
	if len(lines) < 2 {
		return found{}, fmt.Errorf("unexpected output: %.120q", out)
	}
	arch, ok := record.GoArch(lines[0])
	f := found{arch: arch, dir: lines[1]}
	if !ok {
		return f, usage.Errorf("unsupported architecture %.40q\nhint: there are programs for x86_64 and aarch64", lines[0])
	}
	if !plain(f.dir) {
		return f, usage.Errorf("no directory there is this user's own: %.80q\nhint: set HOME or TMPDIR there", f.dir)
	}
	for _, line := range lines[2:] {
		if sum, at, ok := strings.Cut(line, "  "); ok && len(sum) == sumDigits && plain(at) {
			f.programs = append(f.programs, candidate{sum, at})
		}
	}
	return f, nil
}

func plain(at string) bool { return regexp.MustCompile(`^/[A-Za-z0-9/._@+-]+$`).MatchString(at) }

// tries is how often a program is sent that did not arrive whole.
const tries = 3

// send sends a program until it has arrived whole. It is read by its length, since some streams never end, and the far
// end goes on to write, since some that are silent are closed.
func (h *host) send(ctx context.Context, to string, p program) error {
	// Hosts that share a home may all be sent it at once.
	script := fmt.Sprintf("command -v head >/dev/null || { echo 'it has no program head' >&2; exit 127; }; "+
		"umask 077; mkdir -p %[4]s; head -c %[1]d >%[5]s; chmod 755 %[5]s; "+
		"s=$(sha256sum <%[5]s); echo \"$s\"; "+
		"if [ \"${s%%%% *}\" = %[3]s ] && [ \"$(cat %[2]s 2>/dev/null | sha256sum)\" != \"$s\" ]; then mv %[5]s %[2]s; "+
		"else rm -f %[5]s; fi",
		len(p.data), to, p.sum, path.Dir(to), to+"."+rand.Text())
	var last error
	for range tries {
		out, err := h.script(ctx, script, p.data)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		sum, _, _ := strings.Cut(strings.TrimSpace(out), " ")
		if err == nil && sum == p.sum {
			return h.starts(ctx, to)
		}
		if last = err; err == nil {
			last = fmt.Errorf("what arrived has the SHA-256 %.64s instead of %s", sum, p.sum)
		}
	}
	return last
}

// starts returns an error if the program cannot run where it is, as on a file system that forbids it.
func (h *host) starts(ctx context.Context, program string) error {
	out, err := h.script(ctx, program+" version", nil)
	if err == nil && !strings.HasPrefix(out, "plimsoll") {
		err = fmt.Errorf("it printed %.80q", out)
	}
	if err != nil {
		return usage.With(fmt.Errorf("%s cannot run there: %w", program, err),
			"set HOME or TMPDIR there to a file system that allows programs")
	}
	return nil
}

// words returns a command that survives as many shells as there are on the way.
func (h *host) words(command ...string) string {
	quoted := shellquote.Join(command...)
	if h.parses {
		quoted = shellquote.Join(quoted)
	}
	return quoted
}

// script runs a shell script at the far end and returns what it prints.
func (h *host) script(ctx context.Context, text string, stdin []byte) (string, error) {
	out, err := h.run(ctx, h.words("sh", "-c", text+"\necho "+sentinel), stdin,
		func(line string) bool { return line == sentinel })
	if err != nil {
		return out, err
	}
	lines := strings.Split(out, "\n")
	if at := slices.Index(lines, sentinel); at >= 0 {
		return strings.Join(lines[:at], "\n"), nil
	}
	return out, fmt.Errorf("its output broke off after %.80q", out)
}
