package kafka

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

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
