package web

import (
	"crypto/tls"
	"errors"
	"net/http"
)

// connectHint says what helps where a server could not be asked.
func connectHint(err error) string {
	var untrusted *tls.CertificateVerificationError
	var foreign tls.RecordHeaderError
	switch {
	case errors.As(err, &untrusted):
		return "--set " + Name + "." + paramInsecure + "=true takes any certificate; SSL_CERT_FILE=CA.pem, where the load is made, names whom to trust"
	case errors.As(err, &foreign):
		return "does it speak TLS there? http:// asks without"
	}
	return "does a server answer there?"
}

// statusHint says what helps where a server answers with an error.
func statusHint(status int) string {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusProxyAuthRequired:
		return "it asks who we are: --set '" + Name + "." + paramHeader + "=Authorization: ${TOKEN}' with TOKEN exported, or --set " + Name + "." + paramHeader + "=@FILE"
	case status >= http.StatusInternalServerError:
		return "the server itself failed: its log says why"
	}
	return "check the path, the method and what is posted; --set " + Name + "." + paramPost + "=@FILE posts a file"
}
