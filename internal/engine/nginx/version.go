package nginx

import (
	"errors"
	"fmt"
	"regexp"

	"golang.org/x/mod/semver"
)

// oldest is the first version with an option for the error log before the configuration is read (-e):
// nginx.org/en/CHANGES, 1.19.5.
const oldest = "1.19.5"

// checkVersion parses the output of `nginx -V` and returns the version.
func checkVersion(text string) (string, error) {
	m := regexp.MustCompile(`nginx version: \S*/(\d+\.\d+\.\d+)`).FindStringSubmatch(text)
	if m == nil {
		return "", errors.New("it does not print its version\nhint: " + variable + "=PATH sets the program to run")
	}
	if semver.Compare("v"+m[1], "v"+oldest) < 0 {
		return "", fmt.Errorf("version %s is older than %s\nhint: install a newer one; %s=PATH sets its path",
			m[1], oldest, variable)
	}
	return m[1], nil
}
