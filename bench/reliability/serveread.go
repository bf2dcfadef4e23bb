package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"
)

// list is the document of the explorer's table.
const list = "/api/sessions"

// serveReadError has a read of a file fail, or each after it too, while a request is answered from it: the answer says
// so, and holds nothing of the part that was read; when the disk is whole again, it is what it was before.
func serveReadError(ctx context.Context, t *trial) outcome {
	disk, err := t.cutDisk()
	if err != nil {
		return outcome{broken: text(err)}
	}
	var out outcome
	if err = t.filled(ctx, "compare"); err == nil {
		disk.pages = true
		s := &site{t: t, dir: filepath.Dir(t.session)}
		if err = s.start(ctx); err == nil {
			paths := []string{list, "/api/session?file=" + filepath.Base(t.session), "/report?file=" + filepath.Base(t.session),
				"/api/compare?file=" + filepath.Base(t.session) + "&file=" + filepath.Base(t.second())}
			path := paths[t.random.IntN(len(paths))]
			before := s.open()
			if out.hit, err = s.misread(disk, path); err != nil {
				err = fmt.Errorf("%s: %w", path, err)
			}
			err = errors.Join(err, s.quiet(before), s.end(), t.deserted())
		}
	}
	out.broken = text(errors.Join(err, disk.unmount()))
	return out
}

// misread counts the reads for an answer, asks for it while one of them fails, and once more on the whole disk.
func (s *site) misread(disk *cutDisk, path string) (bool, error) {
	if _, err := s.get(path); err != nil { // what is read at the start has been
		return false, err
	}
	disk.breaks(&ioFault{call: "read"})
	good, err := s.anew(path)
	n := disk.breaks(nil).calls
	if err == nil && (good.status != http.StatusOK || n < 2) {
		err = fmt.Errorf("after %d reads of a whole disk %s", n, good)
	}
	if err != nil {
		return false, err
	}
	// The list may read a file again before it is asked again.
	disk.breaks(&ioFault{call: "read", k: 2 + s.t.random.IntN(min(n-1, mostReads)), dead: s.t.random.IntN(2) == 0 ||
		path == list})
	got, err := s.anew(path)
	bad := disk.breaks(nil)
	hit := bad.calls >= bad.k
	switch {
	case err != nil:
	case hit:
		err = got.saysSo(s.dir)
	case !got.same(good):
		err = fmt.Errorf("no read failed, and it is answered otherwise: %s", got)
	}
	if err == nil && path != list {
		err = s.often(disk, path)
	}
	if err == nil {
		err = s.until(path, good)
	}
	if err != nil {
		err = fmt.Errorf("read %d of %d fails, dead %t: %w", bad.k, n, bad.dead, err)
	}
	return hit, err
}

// often has the same request fail more often than quiet takes open files for none.
func (s *site) often(disk *cutDisk, path string) error {
	defer disk.breaks(nil)
	for range 3 * few {
		disk.breaks(&ioFault{call: "read", k: 2})
		got, err := s.anew(path)
		if err == nil {
			err = got.saysSo(s.dir)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// until asks until the answer is the good one.
func (s *site) until(path string, good said) error {
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		again, err := s.get(path)
		if err != nil || again.same(good) {
			return err
		}
		if path != list || time.Now().After(deadline) {
			return fmt.Errorf("afterwards it is answered by %s", again)
		}
	}
}

// said is an answer: of the list its rows.
type said struct {
	status int
	body   string
	rows   []listed
}

// listed is a row of the list.
type listed struct {
	File, State, Plan string
	Runs              int
	Notes             []string
}

func (a said) String() string { return fmt.Sprintf("status %d, %.500s", a.status, a.body) }

// same reports whether two answers say the same of the sessions.
func (a said) same(b said) bool {
	if a.rows != nil || b.rows != nil {
		return a.status == b.status && reflect.DeepEqual(a.rows, b.rows)
	}
	return a.status == b.status && a.body == b.body
}

// saysSo checks that an answer for which a read failed names the file and the cause: in the list the row of the file
// does.
func (a said) saysSo(dir string) error {
	const cause = "input/output error"
	if a.rows == nil {
		lines := strings.Count(strings.TrimSpace(a.body), "\n") + 1
		if a.status != http.StatusInternalServerError || lines > 1 || !strings.Contains(a.body, cause) ||
			!strings.Contains(a.body, dir+"/") {
			return fmt.Errorf("it is answered by %s", a)
		}
		return nil
	}
	named := 0
	for _, r := range a.rows {
		switch {
		case r.State == "unreadable" && r.Runs == 0 && strings.Contains(strings.Join(r.Notes, "; "), cause):
			named++
		case r.State != "done" || r.Runs != ordered:
			return fmt.Errorf("the list has %+v", r)
		}
	}
	if named == 0 {
		return fmt.Errorf("no row of the list says so: %s", a)
	}
	return nil
}

// anew asks for what is read anew, since its files were touched; the list reads a file again after a rest.
func (s *site) anew(path string) (said, error) {
	if path == list {
		time.Sleep(time.Second)
	}
	for _, name := range []string{s.t.session, s.t.second()} {
		if err := os.Chtimes(name, time.Time{}, time.Now()); err != nil {
			return said{}, err
		}
	}
	return s.get(path)
}

// get asks for a page or document; for the list until all of its files have been read.
func (s *site) get(path string) (said, error) {
	at, err := s.address.Parse(path)
	if err != nil {
		return said{}, err
	}
	for {
		got, pending, err := s.once(at)
		if err != nil || pending == 0 {
			return got, err
		}
	}
}

// once asks one time. pending are the files that are still to be read.
func (s *site) once(at *url.URL) (got said, pending int, err error) {
	answer, err := s.client.Get(at.String())
	if err != nil {
		return got, 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	got.status, got.body = answer.StatusCode, string(text)
	if err != nil || at.Path != list || got.status != http.StatusOK {
		return got, 0, err
	}
	var doc struct {
		Pending int
		Rows    []listed
	}
	err = json.Unmarshal(text, &doc)
	got.rows = doc.Rows
	return got, doc.Pending, err
}
