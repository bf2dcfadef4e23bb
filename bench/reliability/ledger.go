package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// entry is a line of the ledger: what came of a trial.
type entry struct {
	Program string `json:"program"` // SHA-256 of it and of this one, which tries it
	Part    string `json:"part"`
	Seed    uint64 `json:"seed"`
	Hit     bool   `json:"hit"`
	Broken  string `json:"broken,omitempty"`
	Figure  string `json:"figure,omitempty"`
}

func entryKey(part string, seed uint64) string { return fmt.Sprintf("%s:%d", part, seed) }

// readLedger returns the trials of a program that a campaign has behind it; none without a file. A torn last line is
// cut off.
func readLedger(path, program string) (map[string]entry, error) {
	done := map[string]entry{}
	if path == "" {
		return done, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return nil, err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if len(whole) < len(text) { // an interrupted append: the next one begins a line of its own
		err = os.Truncate(path, int64(len(whole)))
	}
	for i, line := range bytes.Split(whole, []byte("\n")) {
		var e entry
		if len(line) == 0 {
			continue
		}
		if json.Unmarshal(line, &e) != nil {
			return nil, fmt.Errorf("%s:%d: no line of a ledger", path, i+1)
		}
		if e.Program == program {
			done[entryKey(e.Part, e.Seed)] = e
		}
	}
	return done, err
}

// sumOf returns the SHA-256 of files, one behind the other.
func sumOf(paths ...string) (string, error) {
	h := sha256.New()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		h.Write(text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// add appends it to a ledger.
func (e entry) add(path string) error {
	if path == "" {
		return nil
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// count adds what came of a trial.
func (r *row) count(e entry) {
	r.tried++
	if e.Hit {
		r.hit++
	}
	if e.Broken != "" {
		r.failed++
	}
}
