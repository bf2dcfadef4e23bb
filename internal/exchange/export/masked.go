package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/secret"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// Masked returns a log without the secrets that are written out in it, and what they were, in words. Sessions of ours
// hold none: one that another program wrote, or an old one, may.
func Masked(log *session.Log) (*session.Log, []string, error) {
	m := secret.NewMasker()
	out := *log
	out.Trials = slices.Clone(log.Trials)
	var last *record.Trial
	for i := range out.Trials {
		t := &out.Trials[i]
		if last != nil && trialset.ShareKeys(&log.Trials[i], last) {
			t.Keys = out.Trials[i-1].Keys
		} else {
			t.Keys = maskedKeys(m, t.Keys)
		}
		last = &log.Trials[i]
		t.Void, t.Doubts = m.Text(t.Void), maskedTexts(m, t.Doubts)
	}
	out.Plans = make([]record.PlanLine, len(log.Plans))
	for i, p := range log.Plans {
		if err := maskedPlan(m, p, &out.Plans[i]); err != nil {
			return nil, nil, err
		}
	}
	return &out, slices.Sorted(maps.Keys(m.Found)), nil
}

// maskedKeys returns the keys of a trial; the same map if it has no secret.
func maskedKeys(m *secret.Masker, keys map[string]string) map[string]string {
	out, changed := keys, false
	for key, value := range keys {
		if strings.HasPrefix(key, record.SecretPrefix) { // a digest
			continue
		}
		_, name, _ := strings.Cut(key, ".")
		masked := m.Value(name, value)
		if masked == value {
			continue
		}
		if !changed {
			out, changed = maps.Clone(keys), true
		}
		out[key] = masked
	}
	return out
}

func maskedTexts(m *secret.Masker, texts []string) []string {
	if texts == nil {
		return nil
	}
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = m.Text(text)
	}
	return out
}

// maskedPlan masks every text of a plan, wherever it stands: parameters, commands that reach hosts, labels.
func maskedPlan(m *secret.Masker, p record.PlanLine, out *record.PlanLine) error {
	text, err := json.Marshal(p)
	var whole any
	if err == nil {
		in := json.NewDecoder(bytes.NewReader(text))
		in.UseNumber() // a seed has 64 bits
		err = in.Decode(&whole)
	}
	if err == nil {
		text, err = json.Marshal(walk(m, "", whole))
	}
	if err == nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil {
		return fmt.Errorf("masking the plan %s: %w", p.Hash, err)
	}
	return nil
}

// walk masks the texts of a JSON value; name is that of its key.
func walk(m *secret.Masker, name string, v any) any {
	switch v := v.(type) {
	case string:
		return m.Value(name, v)
	case []any:
		for i := range v {
			v[i] = walk(m, name, v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[m.Text(key)] = walk(m, key, value)
		}
		return out
	}
	return v
}
