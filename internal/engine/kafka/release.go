package kafka

import (
	"archive/zip"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
)

//go:embed source/Broker.java
var source []byte

// pom pins the version of Kafka.
//
//go:embed source/pom.xml
var pom []byte

// pins are the SHA-256 of the downloads.
//
//go:embed source/sha256sums
var pins []byte

// logging selects the broker's log messages.
//
//go:embed source/log4j2.properties
var logging []byte

const (
	mainClass   = "Broker"
	loggingFile = "log4j2.properties"
	// oldestJava is the minimum for Kafka 4.
	oldestJava = 17
	// correttoDir has the provider's jars, each of which contains one machine's library under the same name: they
	// must not share a class path.
	correttoDir  = "corretto"
	correttoName = "AmazonCorrettoCryptoProvider"
)

// release returns the embedded build, to be run by the JDK in home ("": the default one).
func release(home string) jvm.Build {
	version := jvm.Property(pom, "kafka")
	return jvm.Build{
		Home: jvm.Home{Engine: name, Dir: home, Param: ParamJDK, Oldest: oldestJava},
		Pom:  pom, Pins: pins, Files: map[string][]byte{mainClass + ".java": source, loggingFile: logging}, Main: mainClass + ".java", Release: oldestJava,
		Version: version, Fetches: "Apache Kafka " + version,
		After: func(dir string) error { return errors.Join(apart(dir), pack(dir)) },
	}
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

func correttoJar(dir string) (string, error) {
	machine, ok := map[string]string{"amd64": "x86_64", "arm64": "aarch_64"}[runtime.GOARCH]
	if !ok {
		return "", fmt.Errorf("%s: there is no Corretto crypto provider for %s\nhint: leave out %s",
			name, runtime.GOARCH, ParamProvider)
	}
	jar := filepath.Join(dir, correttoDir, correttoName+"-"+jvm.Property(pom, "corretto")+"-linux-"+machine+".jar")
	if _, err := os.Stat(jar); err != nil {
		return "", &engine.Missing{Engine: name, What: filepath.Base(jar), Looked: dir}
	}
	return jar, nil
}

// classPath returns a broker's class path with a provider.
func classPath(dir, provider string) (string, error) {
	path := filepath.Join(dir, jvm.LibDir, "*")
	if provider != ProviderCorretto {
		return path, nil
	}
	jar, err := correttoJar(dir)
	return strings.Join([]string{path, jar}, string(os.PathListSeparator)), err
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
