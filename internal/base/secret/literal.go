package secret

import (
	"regexp"
	"strings"
)

// strong matches the end of names whose value is always a secret.
const strong = `(?:token|secret(?:[_-]?key)?|password|passwd|passphrase|api[_-]?key|access[_-]?key|credentials?)`

// Literals finds secrets that are written out.
type Literals struct {
	places []place
	named  *regexp.Regexp // names whose value is a secret
}

// place is a pattern for secrets: the first group is its name, the second its value.
type place struct {
	pattern string
	name    string // if the pattern has no group for it
	is      *regexp.Regexp
}

// NewLiterals returns a finder.
func NewLiterals() Literals {
	l := Literals{places(), regexp.MustCompile(`(?i)` + strong + `$`)}
	for i := range l.places {
		l.places[i].is = regexp.MustCompile(l.places[i].pattern)
	}
	return l
}

// webhook matches addresses of which a part of the path is all that one needs to know.
const webhook = `(?i)\bhttps?://(?:hooks\.slack\.com/(?:services|workflows|triggers)/|` +
	`discord(?:app)?\.com/api/webhooks/|` +
	`[\w.-]*webhook\.office\.com/|outlook\.office(?:365)?\.com/webhook/|api\.telegram\.org/bot|` +
	`hooks\.zapier\.com/hooks/|maker\.ifttt\.com/trigger/[^/\s]+/(?:json/)?with/key/|hc-ping\.com/|` +
	`hooks\.chime\.aws/incomingwebhooks/|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/)([^\s"'?]+)`

func places() []place {
	return []place{
		// A header: its value extends to the end of the line or quotation.
		{pattern: `(?im)(?:^|[\s"'])((?:proxy-)?authorization|(?:set-)?cookie|[\w-]*` + strong +
			`|x-auth[\w-]*|[\w-]*(?:subscription|functions)-key)[ \t]*:[ \t]*([^\s"'][^\n"']*)`},
		{pattern: `(?i)\b(bearer)\s+(\S{8,})`},
		// JSON.
		{pattern: `(?i)"([\w-]*` + strong + `)"\s*:\s*"([^"]+)"`},
		// A URL's query, and its user.
		{pattern: `(?i)[?&]((?:[\w.-]*` + strong + `)|key|sig|[\w.-]*signature|pwd|auth|jwt|session_?id)=([^&#\s"']+)`},
		{pattern: `(?i)\b[a-z][a-z0-9+.-]*://[^/\s:@"']*:([^/\s"']+)@`, name: "password of a URL"},
		// Connection strings, environments, and options.
		// A name alone is a user; with a capital or a digit, or long, it is a token, as Git and others take it.
		{pattern: `(?i:\bhttps?)://((?:[^/\s:@"'?#]*[A-Z0-9][^/\s:@"'?#]*|[^/\s:@"'?#]{13,}))@`, name: "user of a URL"},
		{pattern: webhook, name: "webhook"},
		{pattern: `(?i)(?:^|[\s"',;{])((?:ssl)?password)\s*=\s*([^\s,;]+)`},
		{pattern: `(?i)(?:^|[\s"',;{=])([\w.-]*` + strong + `)=('[^']*'|"[^"]*"|[^\s,;&|]+)`},
		{pattern: `(?i)(?:^|\s)(--?[\w-]*` + strong + `)\s+([^\s-]\S*)`},
		{pattern: `(?:^|[\s"',;{=])([A-Za-z]\w*_(?:pass|PASS))=('[^']*'|"[^"]*"|[^\s,;&|]+)`},
		{pattern: `(?i);\s*(pwd)\s*=\s*([^\s;"'/][^;"']*)`}, // a shell's PWD is a path
		{pattern: `\bsshpass\s(?:[^|;&]*\s)?-p\s*(\S+)`, name: "sshpass -p"},
		{
			pattern: `(?:^|[;|&(/"']\s*)(?:mysql|mariadb)(?:-?(?:admin|dump|slap|import|check|show|binlog|pump))?\s(?:[^|;&]*\s)?-p(['"]?[^\s"']\S*)`, name: "mysql -p"},
		{pattern: `\bmemtier_benchmark\s(?:[^|;&]*\s)?(?:-a|--authenticate)[\s=]+(\S+)`, name: "memtier_benchmark -a"},
		{pattern: `\b(?:sqlcmd|mosquitto_(?:pub|sub|rr))\s(?:[^|;&]*\s)?-P\s*(\S+)`, name: "-P"},
		{pattern: `\bcqlsh\s(?:[^|;&]*\s)?-p\s+(\S+)`, name: "cqlsh -p"},
		{pattern: `\blftp\s(?:[^|;&]*\s)?-u\s+[^\s,]+,(\S+)`, name: "lftp -u"},
		{pattern: `\bsmbclient\s(?:[^|;&]*\s)?-U\s*[^\s%]+%(\S+)`, name: "smbclient -U"},
		{pattern: `\bredis-(?:cli|benchmark)\s(?:[^|;&]*\s)?(?:-a|--pass)\s+(\S+)`, name: "redis-cli -a"},
		{pattern: `\bcurl\b[^|;]*\s(?:-u|-U|--user|--proxy-user)[\s=]*['"]?[^\s:'"]*:([^\s'"]+)`, name: "curl -u"},
		{pattern: `\b(?:curl\b[^|;]*?\s(?:-b|--cookie)|ab\s(?:[^|;&]*\s)?-C)[\s=]*['"]?([^\s'"=]+=[^'"|]+)`, name: "cookie"},
		{pattern: `\bcurl\b[^|;]*\s--(?:proxy-)?pass[\s=]+(\S+)`, name: "curl --pass"},
		{pattern: `\bcurl\b[^|;]*\s(?:-E|--(?:proxy-)?cert)[\s=]*['"]?[^\s:'"]+:([^\s'"]+)`, name: "curl --cert"},
		{pattern: `\b(?:https?|xhs?|hey|oha|ab)\s(?:[^|;&]*\s)?(?:-[aA]|--auth)[\s=]+['"]?[^\s:'"]*:([^\s'"]+)`, name: "http -a"},
		{pattern: `\bopenssl\s(?:[^|;&]*\s)?-[kK]\s+(\S+)`, name: "openssl -k"},
		{pattern: `\bopenssl\s(?:[^|;&]*\s)?-pass(?:in|out)?\s+['"]?pass:([^\s'"]+)`, name: "openssl pass:"},
		{pattern: `\bdocker\s+login\s(?:[^|;&]*\s)?-p\s*(\S+)`, name: "docker login -p"},
		{pattern: `\bmongo(?:sh|dump|restore|import|export)?\s(?:[^|;&]*\s)?-p\s+([^\s-]\S*)`, name: "mongosh -p"},
		{pattern: `\b(?:un)?zip\s(?:[^|;&]*\s)?-P\s*(\S+)`, name: "zip -P"},
		{pattern: `\b7z[ar]?\s(?:[^|;&]*\s)?-p(\S+)`, name: "7z -p"},
		{pattern: `\bldap(?:search|add|modify|delete|whoami|passwd)\s(?:[^|;&]*\s)?-w\s+(\S+)`, name: "ldapsearch -w"},
		{pattern: `(?:^|\s)(--(?:pass|pw|pwd))[\s=]+([^\s-]\S*)`},
		{pattern: `(?:^|[\s"',;{=])(MYSQL_PWD|REDISCLI_AUTH|SSHPASS)=('[^']*'|"[^"]*"|[^\s,;&|]+)`},
		// Recognisable secrets.
		{pattern: `\b((?:gh[pousr]_|github_pat_|glpat-|npm_|dop_v1_|hf_|shp(?:at|ss)_|` +
			`[sr]k_(?:live|test)_|xox[abeprs]-|AKIA|ASIA|AIza|` +
			`sk-(?:ant|proj|svcacct|or)-)[A-Za-z0-9_-]{12,}|sk-[A-Za-z0-9]{20,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)`,
			name: "token"},
		{pattern: `(-----BEGIN [A-Z ]*PRIVATE KEY)`, name: "private key"},
	}
}

// In returns the name of the first secret written out in a text; "" if none is recognised by name or format.
func (l Literals) In(text string) string {
	for _, p := range l.places {
		for _, m := range p.is.FindAllStringSubmatch(text, -1) {
			name, value := p.name, m[len(m)-1]
			if name == "" {
				name = strings.TrimLeft(m[1], "-")
			}
			if writtenOut(name, value) {
				return name
			}
		}
	}
	return ""
}

// Named is like In for the value of something that has a name, such as a parameter: its name may show that all of the
// value is a secret.
func (l Literals) Named(name, value string) string {
	if l.named.MatchString(name) && !strings.HasPrefix(value, "@") && writtenOut(name, value) {
		return name
	}
	return l.In(value)
}

// longestScheme bounds the name of a way to authorize, such as Bearer.
const longestScheme = 10

// writtenOut reports whether a value is literal, rather than from a variable, a parameter, another command, or, for
// a pattern, from the input.
func writtenOut(name, value string) bool {
	value = strings.Trim(strings.NewReplacer(`\"`, `"`, `\'`, `'`).Replace(value), `"'`)
	if value == "" || strings.ContainsAny(value, "$`") || strings.ContainsAny(value[:1], `{(<[\%:*`) {
		return false
	}
	if scheme, _, ok := strings.Cut(value, " {"); ok && !strings.ContainsAny(scheme, " =") &&
		len(scheme) <= longestScheme {
		return false // such as Bearer {token}
	}
	counted := strings.Trim(value, "0123456789.") == "" || value == "true" || value == "false"
	name = strings.ToLower(name)
	counts := strings.Contains(name, "token") || name == "pass" || strings.HasSuffix(name, "_pass")
	return !counted || !counts // --max-token=128, --pass 2
}

// OnCommandLine returns the name of a secret that a command exposes in the process list, wherever its value comes
// from: an argument of a program, such as of env; "" if there is none. A variable set before the program is in its
// environment, not an argument.
func OnCommandLine(command string) string {
	for rest := strings.TrimSpace(command); ; {
		m := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=("[^"]*"|\S*)\s+`).FindString(rest)
		if m == "" {
			command = rest
			break
		}
		rest = strings.TrimPrefix(rest, m)
	}
	for _, pattern := range []string{`\bsshpass\s(?:[^|;&]*\s)?(-p)`, `(?i)\s["']?([\w.-]*` + strong + `)=\S`} {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(command); m != nil {
			return m[1]
		}
	}
	return ""
}
