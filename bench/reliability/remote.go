package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"
)

// most bounds a session's memory and its file, whatever a remote says, in bytes.
const most = 256 << 20

// hostileRemote has a session reach its agent through a command that spoils what the agent says.
func hostileRemote(ctx context.Context, t *trial) outcome {
	self, err := os.Executable()
	if err != nil {
		return outcome{broken: text(err)}
	}
	ruined, seed := filepath.Join(t.dir, "ruined"), t.random.Uint64()
	_, how := drawn(rand.New(rand.NewPCG(seed, remotes)))
	for t.size.atOnce && how.waits {
		seed = t.random.Uint64()
		_, how = drawn(rand.New(rand.NewPCG(seed, remotes)))
	}
	t.limit, t.known.lies = how.limit, true
	on := fmt.Sprintf("h=%s remote %d %s", self, seed, ruined)
	t.replace = []string{"exec", "--set", "exec.command=true", "--replicates", "2", "--on", on}
	if t.random.IntN(2) == 0 {
		t.replace = []string{"aes-gcm", "--set", "aes-gcm.cpus=1", "--for", "200ms", "--warmup", "0s", "--replicates", "2",
			"--on", on}
	}
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	code := r.wait()
	_, missed := os.Stat(ruined)
	c, err := t.kept(r.said.Load())
	err = errors.Join(err, t.deserted(), r.harmless(code), t.shown(ctx))
	if c.damaged > 0 || c.torn {
		err = errors.Join(err, fmt.Errorf("%d damaged lines, the last one torn: %t", c.damaged, c.torn))
	}
	if st, serr := os.Stat(t.session); serr == nil && st.Size() > most {
		err = errors.Join(err, fmt.Errorf("the file has %d MiB", st.Size()>>20))
	}
	return outcome{hit: missed == nil, broken: text(err)}
}

// harmless checks what a session did that ended with an exit code: its memory, and what it said.
func (r *running) harmless(code int) error {
	said := r.text.String()
	results, err := os.ReadFile(r.out.Name())
	if err != nil {
		return err
	}
	if driven(results) || bytes.Contains(results, []byte("goroutine ")) {
		return fmt.Errorf("to standard output it prints control characters or panics: %.2000q", results)
	}
	kib := r.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	switch {
	case code == -2:
		return fmt.Errorf("it hangs for %v: %s", r.limit, said)
	case code != 0 && code != 1 && code != 3:
		return fmt.Errorf("exit code %d: %s", code, said)
	case kib > most>>10:
		return fmt.Errorf("it took %d MiB of memory: %s", kib>>10, said)
	case strings.Contains(said, "goroutine "), strings.Contains(said, "panic:"):
		return errors.New("it panics: " + said)
	case driven(r.text.Bytes()):
		return fmt.Errorf("it prints control characters: %.2000q", said)
	case code != 0 && len(strings.TrimSpace(said)) == 0:
		return fmt.Errorf("exit code %d without a word", code)
	}
	return nil
}

// driven reports whether bytes can move the cursor of a terminal, or the order of what it shows: a control character of
// any of the two sets, C1's also as bytes by themselves, or one of bidirectional text. Joiners control nothing.
func driven(said []byte) bool {
	return !utf8.Valid(said) || bytes.ContainsFunc(said, func(r rune) bool {
		return unicode.In(r, unicode.Cc, unicode.Cf) && !strings.ContainsRune("\n\u200c\u200d", r)
	})
}

// shown checks that what is in the file can be shown.
func (t *trial) shown(ctx context.Context) error {
	if _, err := os.Stat(t.session); err != nil {
		return nil // it ended before there was any
	}
	cmd := exec.CommandContext(ctx, t.program, "show", t.session)
	cmd.Env = t.environ()
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return err
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 3 || bytes.Contains(out, []byte("goroutine ")) {
		return fmt.Errorf("show ends with %d: %s", code, out)
	}
	if driven(out) {
		return fmt.Errorf("show prints control characters: %.2000q", out)
	}
	return nil
}

// remote is the command through which the agent is reached: SEED, a file that says it spoilt something, then the agent.
func remote(args []string, in io.Reader, out, aside io.Writer) error {
	if len(args) < 3 {
		return errors.New("usage: remote SEED FILE COMMAND [ARGUMENT]")
	}
	seed, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return err
	}
	cmd := exec.Command(args[2], args[3:]...)
	cmd.Stdin, cmd.Stderr = in, aside
	said, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, remotes))
	spoil(random, said, out, func() { _ = os.WriteFile(args[1], nil, 0o600) })
	_, _ = io.Copy(io.Discard, said)
	return cmd.Wait()
}

// remotes is the stream of random numbers that remotes draw from.
const remotes = 26

// The limits of a session of two runs whose remote spoils a line of each answer: docs/method.md#failed-runs and
// DESIGN.md, "Nothing waits forever". Each of the runs is tried four times at most. What is no message ends an agent at
// once; one that is silent is killed after 20 s, and it is asked once more for what it has finished; one that does not
// say that it is done has three minutes twice.
const (
	atOnce      = 5 * time.Minute // on a machine that has other things to do, ten times
	whileSilent = 2*4*2*(20+10)*time.Second + atOnce
)

// drawn draws which line is spoilt, and how.
func drawn(random *rand.Rand) (int, spoiling) {
	return random.IntN(12), spoilings()[random.IntN(len(spoilings()))]
}

// spoil passes on what an agent says, line by line, and spoils one line.
func spoil(random *rand.Rand, said io.Reader, out io.Writer, done func()) {
	which, how := drawn(random)
	lines := bufio.NewReader(said)
	for i := 0; ; i++ {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 && i == which {
			done()
			line = how.by(random, line)
		}
		if line == nil && err == nil { // it is spoilt for good
			_, _ = io.Copy(io.Discard, lines)
			return
		}
		if _, werr := out.Write(line); err != nil || werr != nil {
			return
		}
		if i == which && bytes.Equal(line, forever()) {
			for werr := error(nil); werr == nil; {
				_, werr = out.Write(line)
			}
		}
	}
}

// forever is a line that comes again and again.
func forever() []byte { return bytes.Repeat([]byte("{\"kind\":\"clock\",\"mono_ns\":1}\n"), 1000) }

// spoiling is what is done to a line, which ends with a newline, and how long the session may take then. No line is the
// stream's end.
type spoiling struct {
	limit time.Duration
	waits bool // the session waits for what does not come
	by    func(*rand.Rand, []byte) []byte
}

func spoilings() []spoiling {
	number, word := regexp.MustCompile(`-?\d+(\.\d+)?`), regexp.MustCompile(`"[^"]*"`)
	return []spoiling{
		{longest, false, func(r *rand.Rand, l []byte) []byte { l[r.IntN(len(l))] = byte(r.IntN(256)); return l }},
		{longest, true, func(*rand.Rand, []byte) []byte { return []byte{} }},
		{longest, false, func(_ *rand.Rand, l []byte) []byte { return append(l, l...) }},
		{whileSilent, true, func(*rand.Rand, []byte) []byte { return nil }},
		{atOnce, false, func(r *rand.Rand, l []byte) []byte { return append(l[:r.IntN(len(l))], '\n') }},
		{atOnce, false, func(r *rand.Rand, l []byte) []byte { return noise(r, append(l, make([]byte, r.IntN(1<<20))...)) }},
		{atOnce, false, func(r *rand.Rand, _ []byte) []byte { return bytes.Repeat([]byte{byte(r.IntN(256))}, 64<<20) }},
		{atOnce, false, func(*rand.Rand, []byte) []byte { return forever() }},
		{atOnce, false, func(*rand.Rand, []byte) []byte {
			return []byte(`{"kind":"fault","fault":{"message":"\u001b[2J\u202eno","usage":true}}` + "\n")
		}},
		{longest, false, func(r *rand.Rand, l []byte) []byte {
			return one(r, number, l, "-1", "1e999", "18446744073709551616", "1e308", "-9223372036854775808", "0", "null", `"7"`)
		}},
		{longest, false, func(r *rand.Rand, l []byte) []byte {
			return one(r, word, l, `"\u001b]0;owned\u0007"`, `"\u202e"`, "\"\x1b[2J\"", `""`, `"../../x"`, `null`, "7",
				`"`+strings.Repeat("x", 7<<20)+`"`)
		}},
		{atOnce, false, func(r *rand.Rand, l []byte) []byte { return one(r, word, l, strings.Repeat("[", 1<<20)) }},
		{longest, false, func(r *rand.Rand, l []byte) []byte {
			all := word.FindAll(l, -1)
			if len(all) == 0 {
				return l
			}
			return one(r, word, l, string(all[r.IntN(len(all))]))
		}},
	}
}

// one replaces one arbitrary match by one of the texts.
func one(r *rand.Rand, what *regexp.Regexp, line []byte, by ...string) []byte {
	all := what.FindAllIndex(line, -1)
	if len(all) == 0 {
		return line
	}
	at := all[r.IntN(len(all))]
	return append(append(bytes.Clone(line[:at[0]]), by[r.IntN(len(by))]...), line[at[1]:]...)
}

// noise fills a text with arbitrary bytes.
func noise(r *rand.Rand, l []byte) []byte {
	for i := range l {
		l[i] = byte(r.Uint32())
	}
	return l
}
