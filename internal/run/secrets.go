package run

import "plimsoll/internal/record"

// stampSecrets adds to a trial's keys a digest of each variable that its parameters refer to, which shows if it
// changed. It does not distinguish cells: tokens are renewed, and give access to the same thing. Contents of files are
// in the parameter itself.
func (l *Loop) stampSecrets(s record.Side, keys map[string]string) {
	for name, digest := range l.Secrets.Digests(s.Params) {
		keys[record.SecretPrefix+name] = digest
	}
}
