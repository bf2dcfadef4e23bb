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
	Program string `json:"program"` // SHA-256
	Part    string `json:"part"`
	Seed    uint64 `json:"seed"`
	Hit     bool   `json:"hit"`
	Broken  string `json:"broken,omitempty"`
}

func entryKey(part string, seed uint64) string { return fmt.Sprintf("%s:%d", part, seed) }

// readLedger returns the trials of a program that a campaign has behind it; none without a file. A torn last line is cut off.
func readLedger(path, program string) (map[string]entry, error) {
	done := map[string]entry{}
	if path == "" {
		return done, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return done, nil
	}
	for i, line := range bytes.Split(text, []byte("\n")) {
		var e entry
		if len(line) == 0 {
			continue
		}
		if json.Unmarshal(line, &e) != nil {
			if i < bytes.Count(text, []byte("\n")) {
				return nil, fmt.Errorf("%s:%d: no line of a ledger", path, i+1)
			}
			// An interrupted append: the next one begins a line of its own.
			return done, os.Truncate(path, int64(len(text)-len(line)))
		}
		if e.Program == program {
			done[entryKey(e.Part, e.Seed)] = e
		}
	}
	return done, err
}

// sumOf returns the SHA-256 of a program.
func sumOf(path string) (string, error) {
	text, err := os.ReadFile(path)
	return fmt.Sprintf("%x", sha256.Sum256(text)), err
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
