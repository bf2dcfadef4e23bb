package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// imported is how many runs an import has that is killed: it takes about as long as a session of commands.
const imported = 10_000

// killImport kills an import at an instant: half of it counts for nothing, what the session had before is kept, and the
// same import is then whole.
func killImport(ctx context.Context, t *trial) outcome {
	good, took, err := t.importedWhole(ctx)
	if err != nil {
		return outcome{broken: text(err)}
	}
	if _, err = t.importTo(ctx, t.session, "few.csv"); err != nil {
		return outcome{broken: text(err)}
	}
	first, err := os.ReadFile(t.session)
	if err != nil {
		return outcome{broken: text(err)}
	}
	r, err := t.command(ctx, t.importing(t.session, "many.csv"))
	if err != nil {
		return outcome{broken: text(err)}
	}
	if t.random.IntN(4) == 0 {
		time.Sleep(t.instant(took))
	} else { // it reads for long, and writes for a moment
		t.grows(r, int64(len(first)))
		time.Sleep(t.instant(took / 8))
	}
	_ = r.cmd.Process.Kill()
	hit := r.wait() != 0
	half, err := os.ReadFile(t.session)
	if err == nil && !strings.HasPrefix(string(half), string(first)) {
		err = errors.New("what the session had before is not kept")
	}
	c, cerr := readSession(t.session)
	if err = errors.Join(err, cerr, t.deserted()); err == nil && (len(half) == len(first) || c.torn || !c.ended) {
		err = t.importedAgain(ctx, strings.Count(string(first), `{"kind":"trial"`))
	}
	if err == nil {
		err = t.likewise(ctx, good)
	}
	return outcome{hit: hit && len(half) > len(first), broken: text(errors.Join(err, t.tidy()))}
}

// grows waits until the session has more bytes than some, or nobody writes to it any more.
func (t *trial) grows(r *running, than int64) {
	for !r.over() {
		if st, err := os.Stat(t.session); err != nil || st.Size() > than {
			return
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// importedWhole makes two tables, imports both undisturbed, and returns what is shown of them, and how long the second
// took.
func (t *trial) importedWhole(ctx context.Context) (string, time.Duration, error) {
	for name, n := range map[string]int{"few.csv": 4, "many.csv": imported} {
		var rows strings.Builder
		rows.WriteString("machine,workload,replicate,load,load_kind,metric,value,unit\n")
		for i := range n {
			fmt.Fprintf(&rows, "m%d,%s,%d,1,clients,throughput,%d,op/s\n", i%2, strings.TrimSuffix(name, ".csv"), i/2,
				1000+t.random.IntN(20))
		}
		if err := os.WriteFile(filepath.Join(t.dir, name), []byte(rows.String()), 0o600); err != nil {
			return "", 0, err
		}
	}
	good := filepath.Join(t.dir, "good.plimsoll.jsonl")
	if _, err := t.importTo(ctx, good, "few.csv"); err != nil {
		return "", 0, err
	}
	took, err := t.importTo(ctx, good, "many.csv")
	if err != nil {
		return "", 0, err
	}
	text, err := t.showing(ctx, good)
	return text, took, err
}

func (t *trial) importing(to, table string) []string {
	return []string{t.program, "import", "--format", "csv", filepath.Join(t.dir, table), "-o", to}
}

// importTo imports a table, and returns how long that took.
func (t *trial) importTo(ctx context.Context, to, table string) (time.Duration, error) {
	began := time.Now()
	r, err := t.command(ctx, t.importing(to, table))
	if err != nil {
		return 0, err
	}
	if code := r.wait(); code != 0 {
		return 0, fmt.Errorf("the import of %s ends with %d: %s", table, code, r.text.String())
	}
	return time.Since(began), nil
}

// importedAgain checks that half an import does not count, and imports it once more.
func (t *trial) importedAgain(ctx context.Context, before int) error {
	shown, err := t.showing(ctx, t.session)
	if err == nil && (before == 0 || strings.Contains(shown, "many")) {
		err = errors.New("half an import counts: " + shown)
	}
	if err == nil {
		_, err = t.importTo(ctx, t.session, "many.csv")
	}
	return err
}

// likewise checks that what is shown of the session is what is shown of one that was not killed.
func (t *trial) likewise(ctx context.Context, good string) error {
	shown, err := t.showing(ctx, t.session)
	if err == nil && shown != good {
		err = fmt.Errorf("after the same import it shows %q and not %q", shown, good)
	}
	return err
}

// showing returns what show prints of a session, without its name.
func (t *trial) showing(ctx context.Context, path string) (string, error) {
	r, err := t.command(ctx, []string{t.program, "show", path})
	if err != nil {
		return "", err
	}
	if code := r.wait(); code != 0 {
		return "", fmt.Errorf("show ends with %d: %s", code, r.text.String())
	}
	text, err := os.ReadFile(r.out.Name())
	return strings.ReplaceAll(string(text), filepath.Base(path), "FILE"), err
}
