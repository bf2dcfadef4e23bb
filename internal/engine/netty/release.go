package netty

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"plimsoll/internal/engine"
)

//go:embed source/HelloServer.java
var source []byte

// pom says what the source is compiled with.
//
//go:embed source/pom.xml
var pom []byte

const (
	mainClass  = "HelloServer"
	sourceFile = mainClass + ".java"
	pomFile    = "pom.xml"
	libDir     = "lib"
	classesDir = "classes"
)

// built is what is built in.
type built struct {
	netty string // version
	id    string // of the version and the sources: others are set up anew
}

func release() built {
	var project struct {
		Netty string `xml:"properties>netty"`
	}
	// The file is built in, and a test reads it.
	_ = xml.Unmarshal(pom, &project)
	sum := sha256.New()
	sum.Write(pom)
	sum.Write(source)
	return built{netty: project.Netty, id: project.Netty + "-" + hex.EncodeToString(sum.Sum(nil)[:4])}
}

// dir is where it is set up.
func (b built) dir() (string, error) {
	cache, err := engine.CacheDir(name)
	return filepath.Join(cache, b.id), err
}

// checkNative says whether the native transport is there for this machine.
func (b built) checkNative(dir string) error {
	machine, ok := map[string]string{"amd64": "x86_64", "arm64": "aarch_64"}[runtime.GOARCH]
	if !ok {
		return fmt.Errorf("netty: there is no native transport for %s\nhint: leave out %s", runtime.GOARCH, paramTransport)
	}
	jar := filepath.Join(dir, libDir, "netty-transport-native-epoll-"+b.netty+"-linux-"+machine+".jar")
	if _, err := os.Stat(jar); err != nil {
		return &engine.Missing{Engine: name, What: filepath.Base(jar), Looked: dir}
	}
	return nil
}

func classPath(dir string) string {
	return filepath.Join(dir, classesDir) + string(os.PathListSeparator) + filepath.Join(dir, libDir, "*")
}
