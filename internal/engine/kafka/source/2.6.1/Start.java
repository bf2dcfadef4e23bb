import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kafka.metrics.KafkaMetricsReporter$;
import kafka.server.KafkaConfig;
import kafka.server.KafkaServer;
import kafka.utils.VerifiableProperties;
import org.apache.kafka.common.utils.Time;

/** How a broker is started that keeps its metadata in ZooKeeper. */
final class Start {
	private Start() {}

	/** Makes a keystore of the key and its certificates: this release reads no PEM (KIP-651). */
	static void prepare(String properties, String cluster) throws Exception {
		Properties p = load(properties);
		String to = p.getProperty("ssl.keystore.location");
		if (to == null) {
			return;
		}
		byte[] key = null;
		List<Certificate> chain = new ArrayList<>();
		byte[] pem = Files.readAllBytes(Paths.get(to.replace(".p12", ".pem")));
		Matcher block = Pattern.compile("-----BEGIN ([A-Z ]+)-----([^-]+)-----END").matcher(new String(pem, StandardCharsets.US_ASCII));
		while (block.find()) {
			byte[] content = Base64.getMimeDecoder().decode(block.group(2));
			if (block.group(1).equals("CERTIFICATE")) {
				chain.add(CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(content)));
			} else if (block.group(1).equals("PRIVATE KEY")) {
				key = content;
			}
		}
		PrivateKey secret = KeyFactory.getInstance(chain.get(0).getPublicKey().getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(key));
		char[] password = p.getProperty("ssl.keystore.password").toCharArray();
		KeyStore store = KeyStore.getInstance("PKCS12");
		store.load(null, null);
		store.setKeyEntry("broker", secret, password, chain.toArray(new Certificate[0]));
		try (OutputStream out = Files.newOutputStream(Paths.get(to))) {
			store.store(out, password);
		}
	}

	static void run(String properties) throws Exception {
		Properties p = load(properties);
		KafkaServer server = new KafkaServer(KafkaConfig.fromProps(p), Time.SYSTEM, scala.Option.empty(), KafkaMetricsReporter$.MODULE$.startReporters(new VerifiableProperties(p)));
		try {
			server.startup();
		} catch (Throwable t) {
			t.printStackTrace();
			Runtime.getRuntime().halt(1);
		}
		Thread early = new Thread(() -> retain(server, Long.parseLong(p.getProperty("log.retention.check.interval.ms"))));
		early.setDaemon(true);
		early.start();
		server.awaitShutdown();
	}

	/** Does what the broker's own task does, but from the start on: it first looks after 30 s, when a disk may be full. */
	private static void retain(KafkaServer server, long everyMs) {
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(server.logManager().InitialTaskDelayMs());
		try {
			while (System.nanoTime() < end) {
				Thread.sleep(everyMs);
				server.logManager().cleanupLogs();
			}
		} catch (InterruptedException e) {
			Thread.currentThread().interrupt();
		}
	}

	private static Properties load(String path) throws IOException {
		Properties p = new Properties();
		try (InputStream in = Files.newInputStream(Paths.get(path))) {
			p.load(in);
		}
		return p;
	}
}
