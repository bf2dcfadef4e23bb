package run

import "plimsoll/internal/record"

// stampSecrets adds to a trial's keys a digest of each variable that its parameters refer to, by which one knows that it was another one.
// It makes no other cell: tokens are renewed, and what they open is the same. What a file holds is in the parameter itself.
func (l *Loop) stampSecrets(s record.Side, keys map[string]string) {
	for name, digest := range l.Secrets.Digests(s.Params) {
		keys[record.SecretPrefix+name] = digest
	}
}
