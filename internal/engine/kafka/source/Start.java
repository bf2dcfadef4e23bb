/** How a broker is started that is its own controller (KRaft). */
final class Start {
	private Start() {}

	/** Makes its directory. */
	static void prepare(String properties, String cluster) throws Exception {
		int failed = kafka.tools.StorageTool.execute(new String[] {"format", "-t", cluster, "-c", properties}, System.out);
		if (failed != 0) {
			System.exit(failed);
		}
	}

	static void run(String properties) throws Exception {
		kafka.Kafka.main(new String[] {properties});
	}
}
