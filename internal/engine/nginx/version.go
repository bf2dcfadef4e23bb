package nginx

import (
	"errors"
	"fmt"
	"regexp"

	"golang.org/x/mod/semver"
)

// oldest is the first version that can be told where to log errors before it
// has read its configuration (-e): nginx.org/en/CHANGES, 1.19.5.
const oldest = "1.19.5"

// checkVersion reads what `nginx -V` prints and returns the version.
func checkVersion(text string) (string, error) {
	m := regexp.MustCompile(`nginx version: \S*/(\d+\.\d+\.\d+)`).FindStringSubmatch(text)
	if m == nil {
		return "", errors.New("it does not say its version\nhint: " + variable + "=PATH says which program to run")
	}
	if semver.Compare("v"+m[1], "v"+oldest) < 0 {
		return "", fmt.Errorf("version %s is older than %s\nhint: install a newer one; %s=PATH says where it is", m[1], oldest, variable)
	}
	return m[1], nil
}
