package session

import (
	"fmt"
	"slices"
	"sync"

	"plimsoll/internal/record"
)

// mostFrames bounds the frames of the decoded profiles that a log keeps: some 50 bytes each.
const mostFrames = 1 << 19

// profiles keeps decoded profiles: an analysis asks for each several times, and decoding takes the longest of it.
type profiles struct {
	mu     sync.Mutex
	kept   map[seriesRef]record.Profile
	frames int
}

func (k *profiles) get(at seriesRef) (record.Profile, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, ok := k.kept[at]
	return p, ok
}

func (k *profiles) put(at seriesRef, p record.Profile) {
	frames := 0
	for _, s := range p.Stacks {
		frames += len(s.Frames)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.frames+frames > mostFrames {
		return
	}
	if k.kept == nil {
		k.kept = map[seriesRef]record.Profile{}
	}
	k.kept[at], k.frames = p, k.frames+frames
}

// Profile reads a profile of a trial, by its series; false if it has none. What it returns is not to be changed.
func (l *Log) Profile(trialID, name string) (record.Profile, bool, error) {
	refs, ok := l.refsOf(trialID)
	if !ok {
		return record.Profile{}, false, fmt.Errorf("no run %s in the session", trialID)
	}
	at := slices.IndexFunc(refs, func(r seriesRef) bool { return r.name == name })
	if at < 0 {
		return record.Profile{}, false, nil
	}
	if p, ok := l.kept.get(refs[at]); ok {
		return p, true, nil
	}
	s, err := l.load(refs[at])
	if err == nil && s.Enc != record.EncProfile {
		return record.Profile{}, false, nil
	}
	var p record.Profile
	if err == nil {
		p, err = DecodeProfile(s.Data)
	}
	if err != nil {
		return record.Profile{}, false, fmt.Errorf("series %s of run %s of %s: %w", name, trialID, l.files[refs[at].file],
			err)
	}
	l.kept.put(refs[at], p)
	return p, true, nil
}
