package netty

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
)

//go:embed source/HelloServer.java
var source []byte

// pom pins the dependencies of the source.
//
//go:embed source/pom.xml
var pom []byte

// pins are the SHA-256 of the downloads.
//
//go:embed source/sha256sums
var pins []byte

const mainClass = "HelloServer"

// release returns the embedded build.
func release() jvm.Build {
	version := jvm.Property(pom, "netty")
	return jvm.Build{
		Home: jvm.Home{Engine: name}, Pom: pom, Pins: pins, Files: map[string][]byte{mainClass + ".java": source}, Main: mainClass + ".java", Release: 11,
		Version: version, Fetches: "Netty " + version,
	}
}

// checkNative returns an error if there is no native transport for this machine.
func checkNative(dir, version string) error {
	machine, ok := map[string]string{"amd64": "x86_64", "arm64": "aarch_64"}[runtime.GOARCH]
	if !ok {
		return fmt.Errorf("netty: there is no native transport for %s\nhint: leave out %s",
			runtime.GOARCH, paramTransport)
	}
	jar := filepath.Join(dir, jvm.LibDir, "netty-transport-native-epoll-"+version+"-linux-"+machine+".jar")
	if _, err := os.Stat(jar); err != nil {
		return &engine.Missing{Engine: name, What: filepath.Base(jar), Looked: dir}
	}
	return nil
}
