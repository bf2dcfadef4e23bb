package secret

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

func TestReferences(t *testing.T) {
	v := Values{"A": []byte("one"), "B_2": []byte("two ${A}"), "@f": []byte("held\n"), "@a b#c": []byte("odd")}
	for _, tc := range []struct {
		value string
		lines bool
		want  string
	}{
		{"x ${A}-${B_2}", false, "x one-two ${A}"}, {"$A $${A} ${} ${A:-x} ${NONE}", false, "$A ${A} ${} ${A:-x} ${NONE}"},
		{"@f", false, "held\n"}, {"@f#1a2", false, "held\n"}, {"@a b#c", false, "odd"}, {"@none", false, "@none"},
		{"@@f", false, "@f"}, {"x @f", false, "x @f"},
		{"H: ${A}\n@f\n@@x", true, "H: one\nheld\n\n@x"}, {"H: ${A}\n@f", false, "H: one\n@f"}, {"", false, ""},
		{"@", false, "@"},
	} {
		if got := v.Resolve(tc.value, tc.lines); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.value, got, tc.want)
		}
	}
	if got := Names("${A} $${C} ${B}${A} $D ${1}"); !slices.Equal(got, []string{"A", "B"}) {
		t.Errorf("%q", got)
	}
	path, digest, ok := File(WithDigest("dir/f", []byte("x")))
	if path != "dir/f" || digest != Digest([]byte("x")) || len(digest) != 3 || !ok {
		t.Errorf("%q, %q, %t", path, digest, ok)
	}
	if got := Unquoted("a ${A} $${B}"); got != `a '"${A}"' $${B}` {
		t.Errorf("%q", got)
	}
}

func TestAssigned(t *testing.T) {
	for text, want := range map[string]bool{
		"P=1; echo ${P}": true, "for P in 1 2; do echo ${P}; done": true, "while read a P; do echo ${P}; done": true,
		"f() { echo ${P}; }; P=x f": true, "export P=$(date); echo ${P}": true, "env P=one sh -c 'echo ${P}'": true,
		"env P=${P} psql": false, `export P="${P}"; curl ${P}`: false, "P=$P; curl ${P}": false, "P=${P}:/x a ${P}": false,
		"P='a b'${P}; echo ${P}": false, "for P in ${P}; do curl ${P}; done": false, "curl ${P}": false,
		"P=${PQ}; echo ${P}": true, "PATH_P=1; echo ${P}": false,
	} {
		if got := Assigned(text, "P"); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

func TestMask(t *testing.T) {
	v := Values{"T": []byte("Bearer s3cr3t/+value"), "P": []byte("hunt"), "N": []byte("10"), "HOME": []byte("/root/me"),
		"@f": []byte("user: me\nkey: a-long-one\n")}
	for text, want := range map[string]string{
		"got Bearer s3cr3t/+value here":    "got *** here",
		"only s3cr3t/+value":               "only ***",
		"?t=s3cr3t%2F%2Bvalue&n=10":        "?t=***&n=10",
		"hunter":                           "***er",
		"/root/me/x":                       "/root/me/x",
		"the line key: a-long-one says me": "the line *** says me",
		"":                                 "",
	} {
		if got := v.Mask(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	got := v.Without([]string{"T=1", "HOME=2", "X=3", "P=4"}, "ssh -o SendEnv=P h")
	if !slices.Equal(got, []string{"HOME=2", "X=3", "P=4"}) {
		t.Errorf("%q", got)
	}
}

// TestMaskTransformed: a value is found in what programs make of it.
func TestMaskTransformed(t *testing.T) {
	for _, held := range []string{"s3cr3t-of-mine", "hunter22", "pass5", "a@b/c%d e'f", "aüb~x??>>"} {
		v := Values{"PW": []byte(held)}
		std, uri := base64.StdEncoding, base64.RawURLEncoding
		for name, text := range map[string]string{
			"base64": std.EncodeToString([]byte(held)), "echo": std.EncodeToString([]byte(held + "\n")),
			"user":  std.EncodeToString([]byte("bob:" + held)),
			"user2": std.EncodeToString([]byte("al:" + held)), "user3": std.EncodeToString([]byte("carol:" + held + "\n")),
			"url": uri.EncodeToString([]byte("x:" + held)), "hex": hex.EncodeToString([]byte(held)),
			"HEX":    strings.ToUpper(hex.EncodeToString([]byte(held))),
			"colour": held[:2] + "\x1b[31m" + held[2:4] + "\x1b[0m\x00" + held[4:], "title": "\x1b]0;x\a" + held,
			"percent": percent(held, ""), "shell": strings.ReplaceAll(held, "'", `'\''`), "json": jsonText(held),
		} {
			got := v.Mask("before " + text + " after")
			if !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") || !strings.Contains(got, Masked) ||
				len(got) > len("before "+Masked+" after")+len(std.EncodeToString([]byte("carol:")))+2 {
				t.Errorf("%s of %q: %q", name, held, got)
			}
		}
	}
	if got := (Values{"PW": []byte("hunter22")}).Mask("aHVudGVyMjI= \x1b[31mred\x1b[0m"); got != "*** red" {
		t.Errorf("%q", got)
	}
}

func TestLiteral(t *testing.T) {
	for text, want := range map[string]string{
		"Authorization: Bearer abc":                         "Authorization",
		"accept: x\nauthorization: Basic abc":               "authorization",
		"Proxy-Authorization:x":                             "Proxy-Authorization",
		"Cookie: a=b":                                       "Cookie",
		"X-Api-Key: 1":                                      "X-Api-Key",
		"X-Auth-Token: 1x":                                  "X-Auth-Token",
		"Private-Token: abc":                                "Private-Token",
		`curl -H "Authorization: Bearer abc" http://h`:      "Authorization",
		`curl -H 'X-Api-Key: abc' http://h`:                 "X-Api-Key",
		"http://h/p?a=b&token=abc":                          "token",
		"/p?key=abc":                                        "key",
		"http://h/?X-Amz-Signature=abc":                     "X-Amz-Signature",
		"http://h/?access_token=abc http://h/":              "access_token",
		"postgres://me:abc@h/db":                            "password of a URL",
		"postgresql://me@h/db?sslpassword=abc":              "sslpassword",
		"host=h password=abc":                               "password",
		"java -Daws.secretKey=abc":                          "Daws.secretKey",
		"engine.conninfo=password=abc":                      "password",
		"host=h,password=abc":                               "password",
		"host=h password = 'abc'":                           "password",
		"env GITHUB_TOKEN=abc ssh h":                        "GITHUB_TOKEN",
		"PGPASSWORD=abc pgbench":                            "PGPASSWORD",
		"AWS_SECRET_ACCESS_KEY=abc x":                       "AWS_SECRET_ACCESS_KEY",
		"x --api-key abc":                                   "api-key",
		"x --password=abc":                                  "--password",
		"-Djavax.net.ssl.keyStorePassword=abc":              "-Djavax.net.ssl.keyStorePassword",
		"sshpass -p abc ssh h":                              "sshpass -p",
		"ab -n 9 -C session=abc1 http://h/":                 "cookie",
		"curl --pass abc1 --cert c.pem https://h":           "curl --pass",
		"curl -E c.pem:abc1 https://h":                      "curl --cert",
		"sshpass -v -pabc ssh h":                            "sshpass -p",
		"mysqladmin -h h -pabc status":                      "mysql -p",
		"/usr/bin/mysql -p'abc' -e 1":                       "mysql -p",
		"redis-cli -h h -a abc ping":                        "redis-cli -a",
		"redis-benchmark --pass abc -n 10":                  "redis-cli -a",
		"curl -s -u me:abc http://h":                        "curl -u",
		`{"user":"me","password":"abc"}`:                    "password",
		"ghp_abcdefghijklmnopqrstuvwx":                      "token",
		"x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc":    "token",
		"-----BEGIN RSA PRIVATE KEY-----":                   "private key",
		"X: bearer abcdefgh":                                "bearer",
		"-o sasl.password=abc":                              "sasl.password",
		"curl https://Tok3nOfMine@h/":                       "user of a URL",
		"git clone https://ghx_notaknownprefix@h/r.git":     "user of a URL",
		"curl --cookie 'session=abc' http://h":              "cookie",
		"curl -b session=abc http://h":                      "cookie",
		"curl -b \"a=1; sid=xyz\" http://h":                 "cookie",
		"curl https://hooks.slack.com/services/T0/B0/xy":    "webhook",
		"curl https://discord.com/api/webhooks/123/abc":     "webhook",
		"https://x.webhook.office.com/webhookb2/a@b/I/c":    "webhook",
		"https://api.telegram.org/bot123:abc/sendMessage":   "webhook",
		"https://hooks.zapier.com/hooks/catch/1/abc/":       "webhook",
		"https://maker.ifttt.com/trigger/x/with/key/abc":    "webhook",
		"https://hc-ping.com/0e1f-22":                       "webhook",
		"openssl enc -aes-256-cbc -k abc -in f":             "openssl -k",
		"openssl enc -d -K 00ff -iv 0":                      "openssl -k",
		"openssl rsa -passin pass:abc -in k":                "openssl pass:",
		"curl -u :abc http://h":                             "curl -u",
		"curl -ume:abc http://h":                            "curl -u",
		"http -a me:abc h/x":                                "http -a",
		"hey -a me:abc http://h":                            "http -a",
		"ab -A me:abc http://h/":                            "http -a",
		"wget --http-password=abc http://h":                 "--http-password",
		"docker login -u me -p abc":                         "docker login -p",
		"mongosh -u me -p abc h":                            "mongosh -p",
		"zip -P abc x.zip f":                                "zip -P",
		"7z a -pabc x.7z f":                                 "7z -p",
		"ldapsearch -D x -w abc":                            "ldapsearch -w",
		"MYSQL_PWD=abc mysql":                               "MYSQL_PWD",
		"REDISCLI_AUTH=abc redis-cli":                       "REDISCLI_AUTH",
		"SSHPASS=abc sshpass -e ssh h":                      "SSHPASS",
		"ASIAABCDEFGHIJKLMNOP":                              "token",
		"github_pat_11ABCDEFGHIJKLMNOPQR":                   "token",
		"npm_abcdefghijklmnopqrstuvwxyz":                    "token",
		"sk_live_abcdefghijklmnopqrst":                      "token",
		"AIzaSyAbcdefghijklmnopqrstuvwxyz0123456":           "token",
		"Ocp-Apim-Subscription-Key: abc":                    "Ocp-Apim-Subscription-Key",
		"memtier_benchmark -s h -a abc":                     "memtier_benchmark -a",
		"memtier_benchmark --authenticate=me:abc":           "memtier_benchmark -a",
		"oha -a me:abc http://h/":                           "http -a",
		"x --pass abc":                                      "pass",
		"x --pw=abc":                                        "pw",
		"Server=h;Uid=me;Pwd=abc;":                          "Pwd",
		"DB_PASS=abc x":                                     "DB_PASS",
		"sqlcmd -S h -U sa -P abc":                          "-P",
		"mosquitto_pub -h h -P abc -t t":                    "-P",
		"cqlsh -u me -p abc h":                              "cqlsh -p",
		"lftp -u me,abc h":                                  "lftp -u",
		"smbclient -U me%abc //h/s":                         "smbclient -U",
		"curl -U me:abc -x h http://h/":                     "curl -u",
		"x sk-ant-abcdefghijklmnop":                         "token",
		"x sk-abcdefghijklmnopqrstuv":                       "token",
		`x "sasl.jaas.config=L required password=\"abc\";"`: "password",
	} {
		if got := NewLiterals().In(text); got != want && strings.TrimLeft(want, "-") != got {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{
		"", "Accept: */*", "Authorization: ${TOKEN}", "Authorization: Bearer ${TOKEN}", "Cookie: a=${A}; b=c",
		`curl -H "Authorization: $T" x`, "http://h/?token=${T}&a=b",
		"http://h/p?a=b", "postgres://me@h/db", "postgres://me:${PW}@h/db", "host=h password=${PW}", "env A=b ssh h",
		"TOKEN=$T ssh h", "env PATH=/bin ssh h",
		"ssh -i key.pem h", "x --max-token=128", "x --max-tokens 128", "x --password-file=f", "TOKEN_FILE=/f x",
		"sort -k 2 key=3", "sshpass -e ssh h", "curl -u me http://h", "curl --cert c.pem https://h",
		"ab -c 8 -C $C http://h/",
		"docker run -u 1:1 x", `token=(\d+)`, "a {token}", "x --token {token}", "x --token=`cat f`", "redis-benchmark -t set",
		"redis-benchmark -a $REDIS -n 1", "mysql -p -P 3306 -e 1", "mysqlslap -p$PW", "ssh db-mysql -p2222",
		"ssh mysql1 -p2222", "docker run --name mysql -p3306:3306 x", "tar -C mysql -pxf x", "echo mysql; x -pa",
		"Idempotency-Key: 1", `{"id":1,"name":"x"}`,
		"select 1 from t where a = 2", "git log --author=me", "partition_key=3", "/items?page=2", "tokenizer=bpe",
		"http://[::1]:80/", "kubectl exec -i pod --",
		"ssh://git@h/r", "git clone https://git@h/r", "curl https://bob@h/", "curl https://${TOKEN}@h/",
		"curl -b jar.txt http://h",
		"curl -b \"session=$S\" h", "curl https://hooks.slack.com/services/${HOOK}", "http://127.0.0.1:8080/webhooks/push",
		"openssl enc -kfile f", "openssl speed -evp aes", "openssl rsa -passin env:PW", "ab -A $AUTH http://h/",
		"sort -k 2", "zip -r x.zip f",
		"7z a x.7z f", "docker run -p 80:80 x", "curl -u : --negotiate h",
		"wrk -a", "sk-limit", "sk-learn-benchmarks-of-mine",
		"x --pass 2", "x --pass", "first_pass=1 x", "cd /a;PWD=/b x", "x --pw=$PW", "Uid=me;Pwd=${PW};", "sqlcmd -P $P",
		"memtier_benchmark -a $REDIS", "memtier_benchmark -t 4", `x "password=\"$PW\";"`, "cqlsh h", "lftp -u me h",
		"ls -w 80", "http -v h",
	} {
		if got := NewLiterals().In(text); got != "" {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestNamed(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"password", "abc", "password"}, {"db_password", "abc", "db_password"}, {"token", "abc", "token"},
		{"password", "${PW}", ""}, {"password", "{pw}", ""}, {"password", "@file", ""}, {"password_file", "abc", ""},
		{"max_token", "128", ""}, {"password", "", ""}, {"repo", "https://x:abc@h/", "password of a URL"},
	} {
		if got := NewLiterals().Named(c.name, c.value); got != c.want {
			t.Errorf("%s=%s: %q, want %q", c.name, c.value, got, c.want)
		}
	}
}

func TestOnCommandLine(t *testing.T) {
	for text, want := range map[string]string{
		"env TOKEN=$T ssh h": "TOKEN", "sshpass -p $P ssh h": "-p", "A=b env X=y PASSWORD=$P ssh h": "PASSWORD",
		"TOKEN=$T ssh h": "", "A=b TOKEN=\"$T x\" ssh h": "", "sshpass -e ssh h": "", "ssh -o SendEnv=TOKEN h": "",
		"env A=b ssh h": "",
	} {
		if got := OnCommandLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzResolve: any value is parsed without a panic, and resolved text contains no references of its own.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{"${A}", "@f", "@@", "$${A}", "a\n@f", "Authorization: x", "sshpass -p", "'", "${",
		"@f#123"} {
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, value string, lines bool) {
		v := Values{"A": []byte("marker-of-a"), "@f": []byte("marker-of-f")}
		got := v.Resolve(value, lines)
		if masked := v.Mask(got); strings.Contains(masked, "marker-of-a") {
			t.Errorf("%q: %q", value, masked)
		}
		NewLiterals().In(value)
		OnCommandLine(value)
		Unquoted(value)
	})
}
