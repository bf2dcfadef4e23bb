package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"plimsoll/internal/record"
)

// accept adds a valid line to the log.
func (s *scan) accept(l *parsed) error {
	if l.err != nil {
		return l.err
	}
	var err error
	switch l.kind {
	case kindMachine:
		err = s.machine(l.rawLine)
	case kindPlan:
		err = s.plan(l.rawLine)
	case kindSeries:
		err = s.series(l.rawLine)
	case kindEvent:
		err = s.event(l.rawLine)
	case kindTrial:
		err = s.trial(l)
	case kindEnd:
		err = s.end(l.rawLine)
	default:
		s.merge(l.rawLine, fmt.Sprintf("kind %q is unknown to this build: skipped", l.kind))
	}
	if err == nil {
		s.good++
	}
	return err
}

func decode[T any](l rawLine) (rec T, err error) {
	if err = json.Unmarshal(l.text, &rec); err != nil {
		err = fmt.Errorf("cannot be decoded: %w", err)
	}
	return rec, err
}

func (s *scan) machine(l rawLine) error {
	m, err := decode[record.Machine](l)
	format := m.Format
	if err != nil { // a newer format may differ in anything but its number
		v, _ := decode[struct{ Format int }](l)
		format = v.Format
	}
	if format > record.Format {
		return fmt.Errorf("%w (format %d, this build reads up to %d)", ErrNewer, format, record.Format)
	}
	if err != nil {
		return err
	}
	s.closeSegment()
	s.named[m.Name] = m.ID
	clear(s.keys)
	who := identity{m.Name, m.ID}
	if s.machines[who] {
		return nil
	}
	if err := s.keep(l); err != nil {
		return err
	}
	s.machines[who] = true
	s.log.Machines = append(s.log.Machines, m)
	return nil
}

// keep counts the objects of a plan or a machine that is kept.
func (s *scan) keep(l rawLine) error {
	if s.has += objects(l.text) + ofRecord; s.has > s.objects {
		return fmt.Errorf("the plans and machines of this file have over %d objects", s.objects)
	}
	return nil
}

// closeSegment updates this segment's events to the IDs that their trials have in the log. Joined files may repeat an
// ID, so this cannot wait for the end of the file.
func (s *scan) closeSegment() {
	for i := s.segment; i < len(s.log.Events); i++ {
		if to, ok := s.renamed[s.log.Events[i].Trial]; ok {
			s.log.Events[i].Trial = to
		}
	}
	s.segment = len(s.log.Events)
	clear(s.renamed)
	clear(s.pending)
}

func (s *scan) plan(l rawLine) error {
	p, err := decode[record.PlanLine](l)
	if _, known := s.plans[p.Hash]; err == nil && !known {
		if err := s.keep(l); err != nil {
			return err
		}
		s.plans[p.Hash] = s.path
		s.log.Plans = append(s.log.Plans, p)
	}
	return err
}

func (s *scan) event(l rawLine) error {
	e, err := decode[record.Event](l)
	if err == nil && !s.events[e] {
		s.events[e] = true
		s.log.Events = append(s.log.Events, e)
	}
	return err
}

func (s *scan) end(l rawLine) error {
	e, err := decode[record.End](l)
	if err == nil {
		s.log.Ends = append(s.log.Ends, e)
	}
	return err
}

// series indexes a series. Of two with the same name the later one counts: the earlier is left from an attempt that was
// cut short.
func (s *scan) series(l rawLine) error {
	trial, name, ok := seriesHead(l.text)
	if !ok {
		rec, err := decode[record.Series](l)
		if err != nil {
			return err
		}
		trial, name = rec.Trial, rec.Name
	}
	ref := seriesRef{name: s.word(name), offset: l.offset, length: int32(len(l.text)), file: int32(len(s.log.files) - 1)}
	refs := s.pending[trial]
	for i := range refs {
		if refs[i].name == name {
			refs[i] = ref
			return nil
		}
	}
	if len(refs) == maxSeries {
		return fmt.Errorf("run %s has over %d series", clip(trial, shortText), maxSeries)
	}
	s.pending[trial] = append(refs, ref)
	return nil
}

// seriesHead extracts trial and name from a series' line as a Writer formats it; other lines have to be decoded.
func seriesHead(line []byte) (trial, name string, ok bool) {
	rest, ok1 := bytes.CutPrefix(line, []byte(opening+kindSeries+`","trial":"`))
	t, rest, ok2 := bytes.Cut(rest, []byte(`"`))
	rest, ok3 := bytes.CutPrefix(rest, []byte(`,"name":"`))
	n, _, ok4 := bytes.Cut(rest, []byte(`"`))
	plain := !bytes.ContainsRune(t, '\\') && !bytes.ContainsRune(n, '\\')
	return string(t), string(n), ok1 && ok2 && ok3 && ok4 && plain
}

func (s *scan) trial(l *parsed) error {
	if err := s.share(l); err != nil {
		return err
	}
	t := &l.trial
	if t.ID == "" {
		return errors.New("a run without an id")
	}
	refs := s.pending[t.ID]
	delete(s.pending, t.ID)
	line := trialLine{l.sum, int32(len(l.text))}
	if s.copied(t.ID, line) {
		s.merge(l.rawLine, "a run that was already read: counted once")
		return nil
	}
	s.identify(t, l.rawLine, line)
	s.log.refer(t.ID, refs)
	s.grow(l.rawLine)
	s.log.Trials = append(s.log.Trials, *t)
	return nil
}

// copied reports whether a line was read before.
func (s *scan) copied(id string, line trialLine) bool {
	at, ok := s.log.runs[id]
	if !ok {
		return false
	}
	return at.trialLine == line || s.later[laterLine{id, line}]
}

// grow makes room for as many trials as the rest of the file may hold by the size of those read so far: doubling the
// room takes three times the memory of a million trials. The rest may be anything, a hole of a sparse file, too: it
// makes at most five times the room.
func (s *scan) grow(l rawLine) {
	const few, mostGrowth = 1024, 4
	n := len(s.log.Trials)
	if n < few || n < cap(s.log.Trials) || s.size <= l.next {
		return
	}
	read := n - s.before + 1
	left := float64(s.size-l.next) / float64(l.next) * float64(read)
	more := int(min(1.02*left, mostGrowth*float64(n))) + few
	s.log.Trials = slices.Grow(s.log.Trials, more)
	runs := make(map[string]run, len(s.log.runs)+more)
	maps.Copy(runs, s.log.runs)
	s.log.runs = runs
}

// identify makes a trial's ID unique: one plan run twice, for example on two machines, gives the same IDs to different
// trials. On one machine only an edited file can, which is reported as a problem.
func (s *scan) identify(t *record.Trial, l rawLine, line trialLine) {
	who := s.who(*t)
	id := t.ID
	first, again := s.log.runs[id]
	if !again {
		s.log.runs[id] = run{trialLine: line, owner: who, uses: 1}
		return
	}
	s.later[laterLine{id, line}] = true
	for taken := true; taken; _, taken = s.log.runs[t.ID] {
		first.uses++
		t.ID = fmt.Sprintf("%s~%d", id, first.uses)
	}
	s.log.runs[id], s.log.runs[t.ID] = first, run{uses: 1, owner: none}
	s.renamed[id] = t.ID
	if first.owner == who {
		s.merge(l, fmt.Sprintf("a second run has the id %s on %s but different content: both are used", id,
			t.Keys[record.KeyMachine]))
	}
}

// none is the owner of a run whose ID was given to it here.
const none = -1

// who returns the number of a trial's machine.
func (s *scan) who(t record.Trial) int32 {
	is := trialIdentity(t)
	n, ok := s.owners[is]
	if !ok {
		n = int32(len(s.owners))
		s.owners[is] = n
	}
	return n
}

// share gives a trial the keys and strings that other trials have, so that a million of them fit in memory.
func (s *scan) share(l *parsed) (err error) {
	t := &l.trial
	if l.keys != nil {
		if t.Keys, err = s.keysIn(l.keys); err == nil {
			return nil
		}
		if *t, err = decode[record.Trial](l.rawLine); err != nil {
			return err
		}
	}
	t.Keys = s.ownOnce(t)
	t.Plan = s.word(t.Plan)
	for i := range t.Values {
		v := &t.Values[i]
		v.Name, v.Unit, v.Better = s.word(v.Name), s.word(v.Unit), record.Better(s.word(string(v.Better)))
	}
	return nil
}

// keysIn returns the keys that a line states: one map for all trials of a segment that have the same, which nobody
// changes but for all of them.
func (s *scan) keysIn(raw []byte) (map[string]string, error) {
	if keys, ok := s.keys[string(raw)]; ok {
		return keys, nil
	}
	var keys map[string]string
	if err := json.Unmarshal(raw, &keys); err != nil {
		return nil, err
	}
	keys = s.own(keys)
	s.keys[string(raw)] = keys
	return keys, nil
}

// own completes a trial's keys by the machine's ID, if that is missing, and the file's name, and returns them with
// strings that trials share.
func (s *scan) own(keys map[string]string) map[string]string {
	s.complete(keys)
	out := make(map[string]string, len(keys))
	for k, v := range keys {
		out[s.word(k)] = s.word(v)
	}
	return out
}

func (s *scan) complete(keys map[string]string) {
	name := keys[record.KeyMachine]
	if id := s.named[name]; id != "" && keys[record.KeyMachineID] == "" && name != "" {
		keys[record.KeyMachineID] = id
	}
	delete(keys, record.KeyFile)
	if s.file != "" {
		keys[record.KeyFile] = s.file
	}
}

// ownOnce is own for trials of plans: those of a cell mostly have equal keys, and then share one map, which nobody
// changes but for all of them.
func (s *scan) ownOnce(t *record.Trial) map[string]string {
	if t.Keys == nil {
		t.Keys = map[string]string{}
	}
	s.complete(t.Keys)
	at := keyed{t.Plan, t.Cell}
	if before, ok := s.latest[at]; ok && maps.Equal(before, t.Keys) {
		return before
	}
	s.latest[at] = s.own(t.Keys)
	return s.latest[at]
}

// keyed is a cell of a plan, whose trials mostly have equal keys.
type keyed struct {
	plan string
	cell int
}

func (s *scan) word(w string) string {
	if old, ok := s.words[w]; ok {
		return old
	}
	s.words[w] = w
	return w
}
