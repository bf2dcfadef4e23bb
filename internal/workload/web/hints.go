package web

import (
	"crypto/tls"
	"errors"
	"net/http"
)

// connectHint returns the hint for a server that could not be reached.
func connectHint(err error) string {
	var untrusted *tls.CertificateVerificationError
	var foreign tls.RecordHeaderError
	switch {
	case errors.As(err, &untrusted):
		return "--set " + Name + "." + paramInsecure + "=true accepts any certificate; SSL_CERT_FILE=CA.pem on the " +
			"generator sets the trusted CA"
	case errors.As(err, &foreign):
		return "does the server speak TLS? http:// connects without"
	}
	return "is a server listening there?"
}

// statusHint returns the hint for an error status.
func statusHint(status int) string {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusProxyAuthRequired:
		return "the server requires authentication: --set '" + Name + "." + paramHeader +
			"=Authorization: ${TOKEN}' with TOKEN exported, or --set " + Name + "." + paramHeader + "=@FILE"
	case status >= http.StatusInternalServerError:
		return "the server itself failed: see its log"
	}
	return "check the path, the method and the body; --set " + Name + "." + paramPost + "=@FILE posts a file"
}
