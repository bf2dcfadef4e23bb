package kafka

import (
	"archive/zip"
	"embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
)

// sources has the broker's own classes, its logging, and a folder for each release of Kafka: its pom.xml, the SHA-256
// of its downloads, and those of the other files that are of this release alone.
//
//go:embed source
var sources embed.FS

func pinned() engine.Pinned { return engine.Pinned{FS: sources, Dir: "source"} }

// embedded returns a file of the sources.
func embedded(elem ...string) []byte { return pinned().File(elem...) }

// defaultRelease is the release of Kafka if none is chosen.
const defaultRelease = "4.1.0"

// releases returns the releases of Kafka that can be set up, the newest first.
func releases() []string { return pinned().Releases() }

// ofRelease returns a file of a release: its own one, or else that of all.
func ofRelease(release, file string) []byte {
	if text, err := sources.ReadFile(path.Join("source", release, file)); err == nil {
		return text
	}
	return embedded(file)
}

// zookeeper returns the version of ZooKeeper in which the brokers of a release keep their metadata; "" if they are
// their own controllers.
func zookeeper(release string) string {
	return jvm.Property(embedded(release, "pom.xml"), zookeeperName)
}

// Clusters reports whether a cluster of a release can be started, and not one broker alone.
func Clusters(release string) bool { return zookeeper(release) == "" }

// logging returns the file that configures a release's logging, and the option that names one.
func logging(release string) (file, option string) {
	if zookeeper(release) != "" {
		return "log4j.properties", "-Dlog4j.configuration=file:"
	}
	return "log4j2.properties", "-Dlog4j2.configurationFile="
}

const (
	mainClass  = "Broker"
	startClass = "Start"
	// correttoDir has the provider's jars, each of which contains one machine's library under the same name: they
	// must not share a class path.
	correttoDir  = "corretto"
	correttoName = "AmazonCorrettoCryptoProvider"
)

// build returns the build of a release, to be run by the JDK in home ("": the default one).
func build(release, home string) (jvm.Build, error) {
	pom := embedded(release, "pom.xml")
	oldest, err := strconv.Atoi(jvm.Property(pom, "java"))
	if err != nil {
		return jvm.Build{}, fmt.Errorf("%s: the oldest Java of release %s: %w", name, release, err)
	}
	files := map[string][]byte{}
	loggingFile, _ := logging(release)
	for _, file := range []string{mainClass + ".java", startClass + ".java", loggingFile} {
		files[file] = ofRelease(release, file)
	}
	b := jvm.Build{
		Home: jvm.Home{Engine: name, Dir: home, Param: ParamJDK, Oldest: oldest},
		Pom:  pom, Pins: embedded(release, "sha256sums"), Main: mainClass + ".java", Release: oldest,
		Files:   files,
		Version: jvm.Property(pom, "kafka"), Fetches: "Apache Kafka " + release,
		After: func(dir string) error { return errors.Join(apart(dir), pack(dir)) },
	}
	if release != defaultRelease {
		b.SetUpAs = name + engine.ReleaseMark + release
	}
	return b, nil
}

// apart moves the provider's jars out of the class path.
func apart(dir string) error {
	jars, err := filepath.Glob(filepath.Join(dir, jvm.LibDir, correttoName+"-*.jar"))
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, correttoDir), 0o755); err != nil {
		return err
	}
	for _, jar := range jars {
		if err := os.Rename(jar, filepath.Join(dir, correttoDir, filepath.Base(jar))); err != nil {
			return err
		}
	}
	return nil
}

// correttoVersion is the same for all releases.
func correttoVersion() string { return jvm.Property(embedded(defaultRelease, "pom.xml"), "corretto") }

func correttoJar(dir, setUpAs string) (string, error) {
	machine, ok := map[string]string{"amd64": "x86_64", "arm64": "aarch_64"}[runtime.GOARCH]
	if !ok {
		return "", fmt.Errorf("%s: there is no Corretto crypto provider for %s\nhint: leave out %s",
			name, runtime.GOARCH, ParamProvider)
	}
	jar := filepath.Join(dir, correttoDir, correttoName+"-"+correttoVersion()+"-linux-"+machine+".jar")
	if _, err := os.Stat(jar); err != nil {
		return "", &engine.Missing{Engine: setUpAs, What: filepath.Base(jar), Looked: dir}
	}
	return jar, nil
}

// classPath returns a broker's class path with a provider.
func classPath(dir, provider string) (string, error) {
	jars := filepath.Join(dir, jvm.LibDir, "*")
	if provider != ProviderCorretto {
		return jars, nil
	}
	jar, err := correttoJar(dir, name)
	return strings.Join([]string{jars, jar}, string(os.PathListSeparator)), err
}

// packed is the jar of our own class: class archives support only jars.
const packed = "plimsoll-broker.jar"

// pack puts the compiled classes into a jar beside the others.
func pack(dir string) error {
	classes := filepath.Join(dir, jvm.ClassesDir)
	f, err := os.Create(filepath.Join(dir, jvm.LibDir, packed))
	if err != nil {
		return err
	}
	defer f.Close()
	z := zip.NewWriter(f)
	if err := z.AddFS(os.DirFS(classes)); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.RemoveAll(classes)
}

const (
	providersFile = "providers.security"
	correttoClass = "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider"
)

// writeProviders writes a list of security providers: Corretto's, followed by those of the runtime.
func writeProviders(java, to string) error {
	program, err := filepath.EvalSymlinks(java)
	if err != nil {
		return fmt.Errorf("find the JDK of %s: %w", java, err)
	}
	from := filepath.Join(filepath.Dir(filepath.Dir(program)), "conf", "security", "java.security")
	text, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("read the JDK's security providers: %w\nhint: %s=DIR sets a JDK with conf/security",
			err, ParamJDK)
	}
	list, err := providers(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return os.WriteFile(to, []byte(list), 0o600)
}

// providers puts Corretto's before the providers of java.security.
func providers(text string) (string, error) {
	list := regexp.MustCompile(`(?m)^security\.provider\.\d+=(.+)$`).FindAllStringSubmatch(text, -1)
	if len(list) == 0 {
		return "", fmt.Errorf("it lists no security provider")
	}
	var out strings.Builder
	fmt.Fprintf(&out, "security.provider.1=%s\n", correttoClass)
	for i, m := range list {
		fmt.Fprintf(&out, "security.provider.%d=%s\n", i+2, strings.TrimSpace(m[1]))
	}
	return out.String(), nil
}
