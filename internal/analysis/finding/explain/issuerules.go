package explain

import (
	"slices"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/issue"
	"plimsoll/internal/record"
)

// Thresholds of the known issues.
const (
	issueShare   = .05       // of the CPU time, from which a category is worth mentioning
	smallHeap    = 512 << 20 // bytes
	smallBuffer  = 64 << 10  // bytes: Kafka's default is 100 KiB
	manyMessages = 1000      // messages per flush below which flushing is frequent
	warmingShare = .1        // of the CPU time: a warmed-up runtime spends less on compiling
)

// issueRules returns the known issues, each with its source.
func issueRules() []issueRule {
	return []issueRule{
		{
			id: "jdk-aes-off", category: category.Crypto,
			holds: func(f, _ sideFacts) bool {
				return f.hasJavaOption("-UseAES", "-UseAESIntrinsics", "-UseAESCTRIntrinsics", "-UseGHASHIntrinsics") ||
					f.feature("aes") && f.function("com.sun.crypto.provider.AESCrypt.*",
						"com.sun.crypto.provider.AES_Crypt.*") >= issueShare
			},
			says:   "the JDK encrypts by Java code: its AES intrinsics are off",
			remedy: "leave out the options that turn UseAES, UseAESIntrinsics, UseAESCTRIntrinsics or UseGHASHIntrinsics off",
			source: "https://openjdk.org/jeps/164",
		},
		{
			id: issue.JDKAES().ID, category: category.Crypto, versions: issue.JDKAES().Versions,
			holds: func(f, _ sideFacts) bool {
				return f.machine.Arch == "arm64" && f.encrypts() && f.param("broker.provider") != "corretto" &&
					!f.hasJavaOption("+UseAESCTRIntrinsics")
			},
			says:   issue.JDKAES().Says,
			remedy: issue.JDKAES().Remedy,
			source: issue.JDKAES().Source,
		},
		{
			id: "no-vaes", category: category.Crypto,
			holds: func(f, other sideFacts) bool {
				return f.machine.Arch == "amd64" && f.feature("aes") && !f.feature("vaes") &&
					f.share(category.Crypto) >= issueShare &&
					(f.hasVAESCode() && other.hasVAESCode() && other.feature("vaes") && other.feature("avx512f") ||
						other.function(vaesFunctions()...) > 0)
			},
			says: "this CPU has AES-NI and no VAES: one block of 16 bytes an instruction, while the other side encrypts up " +
				"to four at once by VAES",
			remedy: "a CPU with VAES and AVX-512 (Ice Lake or Zen 4, and later)",
			source: "https://github.com/openjdk/jdk/pull/4019 (JDK-8267125: 1.5 to 2 times for messages of 8 KiB and more), " +
				"https://github.com/aws/aws-lc/pull/692",
		},
		{
			id: "vaes-unused", category: category.Crypto, versions: issue.Versions{Of: "java", From: "8", Fixed: []string{"22"}},
			holds: func(f, _ sideFacts) bool {
				return f.machine.Arch == "amd64" && f.feature("vaes") && f.share(category.Crypto) >= issueShare && f.encrypts() &&
					f.param("broker.provider") != "corretto" && !f.feature("avx512f")
			},
			says:   "this CPU has VAES without AVX-512, and the JDK before 22 interleaves AES-GCM by AVX-512 alone",
			remedy: "JDK 22 or newer, or the Corretto crypto provider (broker.provider=corretto)",
			source: "https://github.com/openjdk/jdk/pull/15410 (JDK-8314901)",
		},
		{
			id: "lse-unused", category: category.Locks,
			holds: func(f, _ sideFacts) bool {
				return f.machine.Arch == "arm64" && f.feature("atomics") && f.keys[record.EnginePrefix+"postgres"] != "" &&
					f.share(category.Locks) >= issueShare &&
					f.function(lockInternals()...) > 0 && f.function("__aarch64_*") == 0
			},
			says: "this CPU has LSE atomics, and the server may be built without them: its internal functions have names, " +
				"and none of GCC's helpers (__aarch64_...) is seen; inlined atomics, as by -march=armv8.1-a, have no symbols",
			remedy: "if objdump -d shows no cas, swp or ldadd in the server: a build by GCC 10.1 or newer, or with " +
				"-moutline-atomics or -march=armv8.1-a",
			source: "https://gcc.gnu.org/onlinedocs/gcc/AArch64-Options.html, https://github.com/mysql/mysql-server/pull/302",
		},
		{
			id: "heap-small", category: category.Collection,
			holds: func(f, _ sideFacts) bool {
				n := f.size("broker.heap")
				return n > 0 && n < smallHeap && f.share(category.Collection) >= issueShare
			},
			says:   "the Java heap is under 512 MiB, and garbage collection takes 5% of the CPU time or more",
			remedy: "a larger heap (broker.heap)",
			source: "https://kafka.apache.org/documentation/#java",
		},
		{
			id: "flush-each", category: category.WaitingDisk,
			holds: func(f, _ sideFacts) bool { return f.below("log.flush.interval.messages", manyMessages) },
			says:  "the broker flushes its log to disk after every few records",
			remedy: "leave log.flush.interval.messages out: replication makes records durable, and the system flushes in " +
				"the background",
			source: "https://kafka.apache.org/documentation/#topicconfigs_flush.messages",
		},
		{
			id: "flush-each-cpu", category: category.KernelDisk,
			holds:  func(f, _ sideFacts) bool { return f.below("log.flush.interval.messages", manyMessages) },
			says:   "the broker flushes its log after every few records, which costs CPU time too",
			remedy: "leave log.flush.interval.messages out",
			source: "https://kafka.apache.org/documentation/#topicconfigs_flush.messages",
		},
		{
			id: "socket-small", category: category.KernelNetwork,
			holds: func(f, _ sideFacts) bool {
				return slices.ContainsFunc([]string{"socket.send.buffer.bytes", "socket.receive.buffer.bytes"},
					func(s string) bool { return f.below(s, smallBuffer) })
			},
			says:   "the broker's socket buffers are under 64 KiB: a batch crosses the kernel in small pieces",
			remedy: "socket.send.buffer.bytes and socket.receive.buffer.bytes of 100 KiB (Kafka's default) or -1 (the system's)",
			source: "https://kafka.apache.org/documentation/#brokerconfigs_socket.receive.buffer.bytes",
		},
		{
			id: "broker-compresses", category: category.Compression,
			holds: func(f, _ sideFacts) bool {
				codec := f.setting("compression.type")
				return codec != "" && codec != "producer" && codec != "uncompressed" && codec != f.param("codec")
			},
			says:   "the broker recompresses records that clients send with another codec",
			remedy: "compression.type=producer, and the codec set on the producer",
			source: "https://kafka.apache.org/documentation/#brokerconfigs_compression.type",
		},
		{
			id: "still-compiling", category: category.Compiling,
			holds: func(f, _ sideFacts) bool { return f.share(category.Compiling) >= warmingShare },
			says: "the runtime spends 10% of the CPU time or more on compiling: it was measured before warm-up ended, " +
				"which inflates the cost per operation",
			remedy: "a longer heat (heat), until show reports that a fresh server was steady",
			source: "https://doi.org/10.1145/3133876 (Barrett et al., Virtual Machine Warmup Blows Hot and Cold)",
		},
	}
}

func (f sideFacts) encrypts() bool { return f.param("broker.tls") == "true" }

// hasVAESCode reports whether the crypto library is known to have VAES code, used on CPUs with AVX-512: the JDK since
// 17 (counter mode; all of Galois/counter mode since 18), and AWS-LC in Corretto. The JDK's AVX2 code, since 22, uses
// AES-NI on one block at a time. Go has none.
func (f sideFacts) hasVAESCode() bool {
	if f.keys[record.EnginePrefix+"java"] == "" || !f.encrypts() {
		return false
	}
	if f.param("broker.provider") == "corretto" {
		return true
	}
	return f.affected(issue.Versions{Of: "java", From: "17"}) &&
		!f.hasJavaOption("-UseAES", "-UseAESIntrinsics", "-UseAESCTRIntrinsics", "UseAVX=0", "UseAVX=1", "UseAVX=2")
}

// vaesFunctions returns the VAES functions of OpenSSL and its forks (AWS-LC, BoringSSL) and of Linux, if a library has
// symbols for them.
func vaesFunctions() []string { return []string{"*aes_gcm_*_avx512", "*aes_gcm_*_vaes_*"} }

// lockInternals returns internal lock functions of PostgreSQL. If these have names, the server has all of its symbols,
// including GCC's helpers; the exported s_lock and LWLockAcquire prove nothing.
func lockInternals() []string {
	return []string{"LWLockAttemptLock*", "LWLockQueueSelf*", "LWLockDequeueSelf*", "LWLockWaitListLock*", "LWLockWakeup*"}
}
