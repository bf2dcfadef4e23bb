package judge

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

// side is what a rule is asked of.
func factsWith(arch string, features []string, keys map[string]string, costs map[Category]float64, functions map[string]float64) sideFacts {
	f := sideFacts{workload: "kafka", keys: keys, machine: record.Machine{Arch: arch, CPU: record.CPU{Features: features}}}
	c := Costs{PerOp: 1, Samples: 1000, functions: map[Category]map[string]float64{Application: functions}}
	for category, share := range costs {
		c.Of = append(c.Of, Cost{Category: category, Share: share, PerOp: share})
	}
	f.costs = []costed{{cpu: &c}}
	return f
}

// TestKnownIssues: each rule where it must fire, and where it must not.
func TestKnownIssues(t *testing.T) {
	type keys = map[string]string
	tls := func(java, options, provider string) keys {
		return keys{"engine.java": java, "kafka.broker.tls": "true", "kafka.broker.java_options": options, "kafka.broker.provider": provider}
	}
	crypto := map[Category]float64{Crypto: .4}
	x86 := factsWith("amd64", []string{"aes", "vaes"}, keys{}, nil, nil)
	for _, c := range []struct {
		id   string
		does bool
		f    sideFacts
	}{
		{"jdk-aes-off", true, factsWith("amd64", nil, tls("21.0.4+7", "-XX:+UnlockDiagnosticVMOptions -XX:-UseAESIntrinsics", "jdk"), nil, nil)},
		{"jdk-aes-off", true, factsWith("amd64", []string{"aes"}, tls("21.0.4+7 JAVA_TOOL_OPTIONS=-XX:-UseAES", "", "jdk"), nil, nil)},
		{"jdk-aes-off", true, factsWith("amd64", []string{"aes"}, tls("21.0.4+7", "", "jdk"), crypto, map[string]float64{"com.sun.crypto.provider.AESCrypt.implEncryptBlock": .2})},
		{"jdk-aes-off", false, factsWith("amd64", []string{"aes"}, tls("21.0.4+7", "-XX:+UseAESIntrinsics", "jdk"), crypto, map[string]float64{"galoisCounterMode_AESCrypt": .2})},
		{"jdk-aes-arm", true, factsWith("arm64", []string{"aes"}, tls("11.0.13+8", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", true, factsWith("arm64", []string{"aes"}, tls("17.0.6+10-LTS", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", true, factsWith("arm64", []string{"aes"}, tls("1.8.0_402-b06", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", false, factsWith("arm64", []string{"aes"}, tls("17.0.7+7", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", false, factsWith("arm64", []string{"aes"}, tls("21.0.1+12", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", false, factsWith("arm64", []string{"aes"}, tls("11.0.14+9", "-XX:+UnlockDiagnosticVMOptions -XX:+UseAESCTRIntrinsics", "jdk"), nil, nil)},
		{"jdk-aes-arm", false, factsWith("arm64", []string{"aes"}, tls("11.0.13+8", "", "corretto"), nil, nil)},
		{"jdk-aes-arm", false, factsWith("amd64", []string{"aes"}, tls("11.0.13+8", "", "jdk"), nil, nil)},
		{"no-vaes", true, factsWith("amd64", []string{"aes", "avx2"}, keys{}, crypto, nil)},
		{"no-vaes", false, factsWith("amd64", []string{"aes", "vaes"}, keys{}, crypto, nil)},
		{"no-vaes", false, factsWith("amd64", []string{"aes", "avx2"}, keys{}, nil, nil)},
		{"vaes-unused", true, factsWith("amd64", []string{"aes", "vaes"}, tls("17.0.15+6-Debian-1deb12u1", "", "jdk"), crypto, nil)},
		{"vaes-unused", false, factsWith("amd64", []string{"aes", "vaes", "avx512f"}, tls("17.0.15+6-Debian-1deb12u1", "", "jdk"), crypto, nil)},
		{"vaes-unused", false, factsWith("amd64", []string{"aes", "vaes"}, tls("22.0.1+8", "", "jdk"), crypto, nil)},
		{"lse-unused", true, factsWith("arm64", []string{"atomics"}, keys{"engine.postgres": "15.4"}, map[Category]float64{Locks: .2}, map[string]float64{"s_lock": .2})},
		{"lse-unused", false, factsWith("arm64", []string{"atomics"}, keys{"engine.postgres": "15.4"}, map[Category]float64{Locks: .2}, map[string]float64{"__aarch64_cas4_acq": .1})},
		{"lse-unused", false, factsWith("arm64", nil, keys{"engine.postgres": "15.4"}, map[Category]float64{Locks: .2}, nil)},
		{"heap-small", true, factsWith("amd64", nil, keys{"kafka.broker.heap": "96MiB"}, map[Category]float64{Collection: .2}, nil)},
		{"heap-small", false, factsWith("amd64", nil, keys{"kafka.broker.heap": "96MiB"}, map[Category]float64{Collection: .01}, nil)},
		{"heap-small", false, factsWith("amd64", nil, keys{"kafka.broker.heap": "4GiB"}, map[Category]float64{Collection: .2}, nil)},
		{"flush-each", true, factsWith("amd64", nil, keys{"kafka.broker.settings": "num.io.threads=4\nlog.flush.interval.messages=1"}, nil, nil)},
		{"flush-each", false, factsWith("amd64", nil, keys{"kafka.broker.settings": "log.flush.interval.messages=1000000"}, nil, nil)},
		{"flush-each-cpu", true, factsWith("amd64", nil, keys{"kafka.broker.settings": "log.flush.interval.messages=1"}, nil, nil)},
		{"flush-each-cpu", false, factsWith("amd64", nil, keys{}, nil, nil)},
		{"socket-small", true, factsWith("amd64", nil, keys{"kafka.broker.settings": "socket.receive.buffer.bytes=2048"}, nil, nil)},
		{"socket-small", false, factsWith("amd64", nil, keys{"kafka.broker.settings": "socket.receive.buffer.bytes=-1"}, nil, nil)},
		{"broker-compresses", true, factsWith("amd64", nil, keys{"kafka.broker.settings": "compression.type=gzip", "kafka.codec": "none"}, nil, nil)},
		{"broker-compresses", false, factsWith("amd64", nil, keys{"kafka.broker.settings": "compression.type=gzip", "kafka.codec": "gzip"}, nil, nil)},
		{"still-compiling", true, factsWith("amd64", nil, keys{}, map[Category]float64{Compiling: .25}, nil)},
		{"still-compiling", false, factsWith("amd64", nil, keys{}, map[Category]float64{Compiling: .03}, nil)},
	} {
		fired := false
		for _, r := range issueRules() {
			fired = fired || r.id == c.id && r.holds(c.f, x86)
		}
		if fired != c.does {
			t.Errorf("%s fires: %t, want %t, of %v on %s with %v", c.id, fired, c.does, c.f.keys, c.f.machine.Arch, c.f.machine.CPU.Features)
		}
	}
}

// TestEveryIssueIsTested: a rule has both tests, a remedy and a source on the web.
func TestEveryIssueHasASource(t *testing.T) {
	for _, r := range issueRules() {
		if r.says == "" || r.remedy == "" || !strings.HasPrefix(r.source, "https://") || !allHas(r.category) {
			t.Errorf("%s: %q, %q, %q, %q", r.id, r.says, r.remedy, r.source, r.category)
		}
	}
}

func allHas(c Category) bool {
	for _, known := range allCategories() {
		if known == c {
			return true
		}
	}
	return false
}

// TestAKnownIssueIsTheCureWhereNothingWasMeasured, and none where the rules are left out.
func TestAKnownIssueIsTheCureWhereNothingWasMeasured(t *testing.T) {
	s := simulated(2, base(), but(base(), map[Category]float64{Crypto: 24e-6}))
	s.keysA = map[string]string{"kafka.broker.java_options": ""}
	s.keysB = map[string]string{"kafka.broker.java_options": "-XX:-UseAES"}
	x := s.explain(t, ExplainOptions{})
	if !strings.Contains(x.Says, "not measured here, but known: leave out the options") || len(x.KnownIssues) != 1 || x.KnownIssues[0].Side != "b" {
		t.Errorf("got %q, %+v", x.Says, x.KnownIssues)
	}
	if x = s.explain(t, ExplainOptions{NoKnownIssues: true}); len(x.KnownIssues) > 0 || strings.Contains(x.Says, "known") || x.Causes[0] != string(Crypto) {
		t.Errorf("without rules: got %q, %+v", x.Says, x.KnownIssues)
	}
}
