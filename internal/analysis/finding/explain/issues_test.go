package explain

import (
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/record"
)

// factsWith are what a rule is asked of.
func factsWith(arch string, features []string, keys map[string]string, costs map[category.Name]float64,
	functions map[string]float64) sideFacts {
	f := sideFacts{workload: "kafka", keys: keys, machine: record.Machine{Arch: arch, CPU: record.CPU{Features: features}}}
	c := category.Costs{PerOp: 1, Samples: 1000,
		Functions: map[category.Name]map[string]float64{category.Application: functions}}
	for name, share := range costs {
		c.Each = append(c.Each, category.Cost{Category: name, Share: share, PerOp: share})
	}
	f.costs = []profiledTrial{{cpu: &c}}
	return f
}

// tls are the keys of a broker that encrypts.
func tls(java, options, provider string) map[string]string {
	return map[string]string{"engine.java": java, "kafka.broker.tls": "true", "kafka.broker.java_options": options,
		"kafka.broker.provider": provider}
}

// TestKnownIssues: each rule where it must fire, and where it must not.
func TestKnownIssues(t *testing.T) {
	type keys = map[string]string
	crypto := map[category.Name]float64{category.Crypto: .4}
	for _, c := range []struct {
		id   string
		does bool
		f    sideFacts
	}{
		{"jdk-aes-off", true,
			factsWith("amd64", nil, tls("21.0.4+7", "-XX:+UnlockDiagnosticVMOptions -XX:-UseAESIntrinsics", "jdk"), nil, nil)},
		{"jdk-aes-off", true, factsWith("amd64", []string{"aes"}, tls("21.0.4+7 JAVA_TOOL_OPTIONS=-XX:-UseAES", "", "jdk"),
			nil, nil)},
		{"jdk-aes-off", true, factsWith("amd64", []string{"aes"}, tls("21.0.4+7", "", "jdk"), crypto,
			map[string]float64{"com.sun.crypto.provider.AESCrypt.implEncryptBlock": .2})},
		{"jdk-aes-off", false, factsWith("amd64", []string{"aes"}, tls("21.0.4+7", "-XX:+UseAESIntrinsics", "jdk"), crypto,
			map[string]float64{"galoisCounterMode_AESCrypt": .2})},
		{"jdk-aes-arm", true, factsWith("arm64", []string{"aes"}, tls("11.0.13+8", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", true, factsWith("arm64", []string{"aes"}, tls("17.0.6+10-LTS", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", true, factsWith("arm64", []string{"aes"}, tls("17+35", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", true, factsWith("arm64", []string{"aes"}, tls("11+28", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", false, factsWith("arm64", []string{"aes"}, tls("21+35", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", true, factsWith("arm64", []string{"aes"}, tls("1.8.0_402-b06", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", false, factsWith("arm64", []string{"aes"}, tls("17.0.7+7", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", false, factsWith("arm64", []string{"aes"}, tls("21.0.1+12", "", "jdk"), nil, nil)},
		{"jdk-aes-arm", false, factsWith("arm64", []string{"aes"},
			tls("11.0.14+9", "-XX:+UnlockDiagnosticVMOptions -XX:+UseAESCTRIntrinsics", "jdk"), nil, nil)},
		{"jdk-aes-arm", false, factsWith("arm64", []string{"aes"}, tls("11.0.13+8", "", "corretto"), nil, nil)},
		{"jdk-aes-arm", false, factsWith("amd64", []string{"aes"}, tls("11.0.13+8", "", "jdk"), nil, nil)},
		{"vaes-unused", true, factsWith("amd64", []string{"aes", "vaes"}, tls("17.0.15+6-Debian-1deb12u1", "", "jdk"), crypto,
			nil)},
		{"vaes-unused", false, factsWith("amd64", []string{"aes", "vaes", "avx512f"},
			tls("17.0.15+6-Debian-1deb12u1", "", "jdk"), crypto, nil)},
		{"vaes-unused", false, factsWith("amd64", []string{"aes", "vaes"}, tls("22.0.1+8", "", "jdk"), crypto, nil)},
		{"lse-unused", true, factsWith("arm64", []string{"atomics"}, keys{"engine.postgres": "15.4"},
			map[category.Name]float64{category.Locks: .2}, map[string]float64{"LWLockAttemptLock": .15, "s_lock": .05})},
		{"lse-unused", true, factsWith("arm64", []string{"atomics"}, keys{"engine.postgres": "15.4"},
			map[category.Name]float64{category.Locks: .2}, map[string]float64{"LWLockWaitListLock.constprop.0": .2})},
		{"lse-unused", false, factsWith("arm64", []string{"atomics"}, keys{"engine.postgres": "15.4"},
			map[category.Name]float64{category.Locks: .01}, map[string]float64{"LWLockAttemptLock": .01})},
		{"lse-unused", false, factsWith("arm64", []string{"atomics"}, keys{}, map[category.Name]float64{category.Locks: .2},
			map[string]float64{"LWLockAttemptLock": .2})},
		// a server without symbols
		{"lse-unused", false, factsWith("arm64", []string{"atomics"}, keys{"engine.postgres": "15.4"},
			map[category.Name]float64{category.Locks: .2}, map[string]float64{"s_lock": .1, "LWLockAcquire": .1})},
		{"lse-unused", false, factsWith("amd64", nil, keys{"engine.postgres": "15.4"},
			map[category.Name]float64{category.Locks: .2}, map[string]float64{"LWLockAttemptLock": .2})},
		{"lse-unused", false, factsWith("arm64", []string{"atomics"}, keys{"engine.postgres": "15.4"},
			map[category.Name]float64{category.Locks: .2},
			map[string]float64{"LWLockAttemptLock": .1, "__aarch64_cas4_acq": .1})},
		{"lse-unused", false, factsWith("arm64", nil, keys{"engine.postgres": "15.4"},
			map[category.Name]float64{category.Locks: .2}, map[string]float64{"LWLockAttemptLock": .2})},
		{"heap-small", true, factsWith("amd64", nil, keys{"kafka.broker.heap": "96MiB"},
			map[category.Name]float64{category.Collection: .2}, nil)},
		{"heap-small", false, factsWith("amd64", nil, keys{"kafka.broker.heap": "96MiB"},
			map[category.Name]float64{category.Collection: .01}, nil)},
		{"heap-small", false, factsWith("amd64", nil, keys{"kafka.broker.heap": "4GiB"},
			map[category.Name]float64{category.Collection: .2}, nil)},
		{"flush-each", true,
			factsWith("amd64", nil, keys{"kafka.broker.settings": "num.io.threads=4\nlog.flush.interval.messages=1"}, nil, nil)},
		{"flush-each", false, factsWith("amd64", nil, keys{"kafka.broker.settings": "log.flush.interval.messages=1000000"},
			nil, nil)},
		{"flush-each-cpu", true, factsWith("amd64", nil, keys{"kafka.broker.settings": "log.flush.interval.messages=1"}, nil,
			nil)},
		{"flush-each-cpu", false, factsWith("amd64", nil, keys{}, nil, nil)},
		{"socket-small", true, factsWith("amd64", nil, keys{"kafka.broker.settings": "socket.receive.buffer.bytes=2048"}, nil,
			nil)},
		{"socket-small", false, factsWith("amd64", nil, keys{"kafka.broker.settings": "socket.receive.buffer.bytes=-1"}, nil,
			nil)},
		{"broker-compresses", true, factsWith("amd64", nil,
			keys{"kafka.broker.settings": "compression.type=gzip", "kafka.codec": "none"}, nil, nil)},
		{"broker-compresses", false, factsWith("amd64", nil,
			keys{"kafka.broker.settings": "compression.type=gzip", "kafka.codec": "gzip"}, nil, nil)},
		{"still-compiling", true, factsWith("amd64", nil, keys{}, map[category.Name]float64{category.Compiling: .25}, nil)},
		{"still-compiling", false, factsWith("amd64", nil, keys{}, map[category.Name]float64{category.Compiling: .03}, nil)},
	} {
		fired := false
		for _, r := range issueRules() {
			fired = fired || r.id == c.id && r.applies(c.f, sideFacts{})
		}
		if fired != c.does {
			t.Errorf("%s fires: %t, want %t, of %v on %s with %v", c.id, fired, c.does, c.f.keys, c.f.machine.Arch,
				c.f.machine.CPU.Features)
		}
	}
}

// TestNoVAES: that a CPU has no VAES is a reason only where the other side encrypts by software that uses it there.
func TestNoVAES(t *testing.T) {
	type keys = map[string]string
	old, ice, zen3 := []string{"aes", "avx2"}, []string{"aes", "avx2", "avx512f", "vaes"}, []string{"aes", "avx2", "vaes"}
	side := func(features []string, keys map[string]string, functions map[string]float64) sideFacts {
		return factsWith("amd64", features, keys, map[category.Name]float64{category.Crypto: .4}, functions)
	}
	jdk17, corretto, nginx := tls("17.0.15+6", "", "jdk"), tls("11.0.13+8", "", "corretto"), keys{"engine.nginx": "1.22.1"}
	plain := tls("17.0.15+6", "", "jdk")
	plain["kafka.broker.tls"] = "false"
	goKernel := side(old, keys{"path": "aes-ni+pclmulqdq"}, nil)
	goKernel.workload = "aes-gcm"
	goOther := side(ice, keys{"path": "aes-ni+pclmulqdq"},
		map[string]float64{"crypto/internal/fips140/aes/gcm.gcmAesEnc": .9})
	goOther.workload = "aes-gcm"
	arm := side(old, jdk17, nil)
	arm.machine.Arch = "arm64"
	for _, c := range []struct {
		name     string
		does     bool
		f, other sideFacts
	}{
		{"the JDK with AVX-512", true, side(old, jdk17, nil), side(ice, jdk17, nil)},
		{"a newer JDK with AVX-512", true, side(old, tls("25.0.1+8-LTS", "", "jdk"), nil),
			side(ice, tls("25.0.1+8-LTS", "", "jdk"), nil)},
		{"Corretto's provider with AVX-512", true, side(old, corretto, nil), side(ice, corretto, nil)},
		{"OpenSSL whose functions have names", true, side(old, nginx, nil),
			side(ice, nginx, map[string]float64{"ossl_aes_gcm_encrypt_avx512": .3})},
		{"BoringSSL without AVX-512", true, side(old, nginx, nil),
			side(zen3, nginx, map[string]float64{"aes_gcm_enc_update_vaes_avx2": .3})},
		{"OpenSSL of which nothing is known", false, side(old, nginx, nil), side(ice, nginx, nil)},
		{"OpenSSL by AES-NI", false, side(old, nginx, nil), side(ice, nginx, map[string]float64{"aesni_gcm_encrypt": .3})},
		{"the JDK without AVX-512", false, side(old, jdk17, nil), side(zen3, jdk17, nil)},
		{"a newer JDK without AVX-512", false, side(old, tls("22.0.1+8", "", "jdk"), nil),
			side(zen3, tls("22.0.1+8", "", "jdk"), nil)},
		{"Corretto's provider without AVX-512", false, side(old, corretto, nil), side(zen3, corretto, nil)},
		{"an old JDK", false, side(old, tls("11.0.13+8", "", "jdk"), nil), side(ice, tls("11.0.13+8", "", "jdk"), nil)},
		{"an old JDK here alone", false, side(old, tls("11.0.13+8", "", "jdk"), nil), side(ice, jdk17, nil)},
		{"AVX-512 is off there", false, side(old, jdk17, nil), side(ice, tls("17.0.15+6", "-XX:UseAVX=2", "jdk"), nil)},
		{"nothing is encrypted", false, side(old, plain, nil), side(ice, plain, nil)},
		{"Go", false, goKernel, goOther},
		{"little is encrypted", false, factsWith("amd64", old, jdk17, map[category.Name]float64{category.Crypto: .01}, nil),
			side(ice, jdk17, nil)},
		{"this CPU has VAES", false, side(ice, jdk17, nil), side(ice, jdk17, nil)},
		{"neither CPU has VAES", false, side(old, jdk17, nil), side(old, jdk17, nil)},
		{"Arm", false, arm, side(ice, jdk17, nil)},
	} {
		at := slices.IndexFunc(issueRules(), func(r issueRule) bool { return r.id == "no-vaes" })
		if fires := issueRules()[at].applies(c.f, c.other); fires != c.does {
			t.Errorf("%s: fires: %t, want %t", c.name, fires, c.does)
		}
	}
}

// TestEveryIssueIsTested: a rule has both tests, a remedy and a source on the web.
func TestEveryIssueHasASource(t *testing.T) {
	for _, r := range issueRules() {
		if r.says == "" || r.remedy == "" || !strings.HasPrefix(r.source, "https://") ||
			!slices.Contains(category.All(), r.category) {
			t.Errorf("%s: %q, %q, %q, %q", r.id, r.says, r.remedy, r.source, r.category)
		}
	}
}
