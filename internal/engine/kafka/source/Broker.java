import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Cipher;
import javax.net.ssl.SSLContext;

/**
 * A broker that says what it runs on before it begins: in the very runtime that will encrypt, not in one like it.
 * Arguments: server.properties, the cluster's id, the file for what is said, and the provider that is asked for.
 */
public final class Broker {
	private static final String CORRETTO = "AmazonCorrettoCryptoProvider";

	public static void main(String[] args) throws Exception {
		List<String> facts = facts(args[3]);
		Start.prepare(args[0], args[1]);
		Path to = Paths.get(args[2]);
		Path partial = Paths.get(args[2] + ".partial");
		Files.write(partial, facts, StandardCharsets.UTF_8);
		Files.move(partial, to, StandardCopyOption.ATOMIC_MOVE);
		Start.run(args[0]);
	}

	private static List<String> facts(String asked) throws Exception {
		Provider first = Security.getProviders()[0];
		Provider cipher = Cipher.getInstance("AES/GCM/NoPadding").getProvider();
		List<String> out = new ArrayList<>();
		out.add("first=" + first.getName() + " " + first.getVersionStr());
		out.add("cipher=" + cipher.getName() + " " + cipher.getVersionStr());
		out.add("tls=" + SSLContext.getDefault().getProvider().getName());
		if (asked.equals("corretto")) {
			if (!first.getName().equals(CORRETTO) || !cipher.getName().equals(CORRETTO)) {
				throw new IllegalStateException(CORRETTO + " is not active: the first provider is " + first.getName() + ", AES-GCM is by " + cipher.getName());
			}
			// Throws where its library was not loaded, or a self-test failed.
			Method healthy = first.getClass().getMethod("assertHealthy");
			healthy.invoke(first);
			Method tests = first.getClass().getMethod("runSelfTests");
			out.add("selftest=" + tests.invoke(first));
		}
		for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
			out.add("gc=" + gc.getName());
		}
		out.add("heap=" + Runtime.getRuntime().maxMemory());
		out.add("cpus=" + Runtime.getRuntime().availableProcessors());
		out.add("archive=" + archived());
		return out;
	}

	/** Whether the archive of classes that was named is in use: the runtime passes over one that does not fit. */
	private static boolean archived() throws IOException {
		String flag = "-XX:SharedArchiveFile=";
		for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
			if (argument.startsWith(flag)) {
				String maps = new String(Files.readAllBytes(Paths.get("/proc/self/maps")), StandardCharsets.UTF_8);
				return maps.contains(argument.substring(flag.length()) + "\n");
			}
		}
		return false;
	}
}
