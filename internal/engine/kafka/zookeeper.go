package kafka

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/jvm"
)

// zookeeperName is ZooKeeper's name in keys, messages and directories.
const zookeeperName = "zookeeper"

// keeper is the ZooKeeper in which a broker keeps its metadata, a process of its own: the form of all releases before
// KRaft. It is alone and on the broker's CPUs.
type keeper struct {
	settings engine.Settings
	server   *engine.Server // nil: it has not been started
}

// brokerDir is the broker's directory beside ZooKeeper's: each takes all that works in its own with it when it ends.
const brokerDir = "broker"

// keep gives the broker of a release with ZooKeeper, and ZooKeeper, their directories, and returns the broker's
// settings.
func keep(s engine.Settings, l *layout) (*keeper, engine.Settings, error) {
	release := s.Params.Text(ParamRelease)
	if zookeeper(release) == "" {
		return nil, s, nil
	}
	if len(l.peers) > 0 {
		return nil, s, fmt.Errorf("release %s is started as one broker alone", release)
	}
	k := &keeper{settings: s}
	k.settings.Scratch, k.settings.Host, k.settings.Port = filepath.Join(s.Scratch, zookeeperName), "127.0.0.1", 0
	s.Scratch = filepath.Join(s.Scratch, brokerDir)
	return k, s, errors.Join(os.Mkdir(k.settings.Scratch, 0o711), os.Mkdir(s.Scratch, 0o711))
}

// launchKeeper starts ZooKeeper, if there is to be one, and tells the brokers where it is.
func (i *Instance) launchKeeper(ctx context.Context) error {
	k := i.keeper
	if k == nil {
		return nil
	}
	v, err := engine.Launch(ctx, k.settings, func(at netip.AddrPort) (engine.Command, error) {
		i.brokers[0].keeper = at
		return k.command(i.java, i.dir, at)
	})
	if err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	k.server = v
	i.living++
	go i.watch("", v)
	return nil
}

// keeperHeap is little: one broker's metadata are a few hundred nodes.
const keeperHeap = "128m"

// keeperFile is ZooKeeper's configuration.
const keeperFile = "zoo.cfg"

// command returns the command that starts ZooKeeper.
func (k *keeper) command(java engine.Install, dir string, at netip.AddrPort) (engine.Command, error) {
	c := engine.Command{Engine: zookeeperName, Path: java.Path, ParentDeath: unix.SIGKILL, Interrupt: unix.SIGKILL}
	text := written([]setting{
		{"dataDir", "data"}, {"clientPortAddress", at.Addr().String()}, {"clientPort", fmt.Sprint(at.Port())},
		{"maxClientCnxns", "0"}, {"admin.enableServer", "false"},
	})
	if err := os.WriteFile(filepath.Join(k.settings.Scratch, keeperFile), []byte(text), 0o600); err != nil {
		return c, err
	}
	c.Args = slices.Concat(jvm.Quiet(), []string{
		"-Xms" + keeperHeap, "-Xmx" + keeperHeap, "-XX:+UseSerialGC",
		"-Djava.awt.headless=true", "-Djava.io.tmpdir=" + k.settings.Scratch, logs(dir, k.settings.Params),
		"-Dzookeeper.jmx.log4j.disable=true",
		"-cp", filepath.Join(dir, jvm.LibDir, "*"), "org.apache.zookeeper.server.ZooKeeperServerMain", keeperFile})
	return c, nil
}

// keptSettings returns where a broker listens that keeps its metadata in ZooKeeper. It speaks with itself at an address
// of its own, in clear, as others do with their controller.
func (n node) keptSettings(at netip.AddrPort, protocol string) []setting {
	inner := "REPLICATION://" + n.controllers[0].String()
	out := []setting{
		{"broker.id", fmt.Sprint(n.id)},
		{"zookeeper.connect", n.keeper.String()},
		{"listeners", "CLIENT://" + at.String() + "," + inner},
		{"advertised.listeners", "CLIENT://" + advertised(at).String() + "," + inner},
		{"listener.security.protocol.map", "CLIENT:" + protocol + ",REPLICATION:PLAINTEXT"},
		{"inter.broker.listener.name", "REPLICATION"},
	}
	if n.rack != "" {
		out = append(out, setting{"broker.rack", n.rack})
	}
	return out
}

// keptEncrypting returns the settings of TLS for a release that reads no PEM: the broker makes a keystore of it. The
// password of that is no secret, since who may read the keystore may read the PEM beside it.
func keptEncrypting() []setting {
	return []setting{
		{"ssl.keystore.type", "PKCS12"}, {"ssl.keystore.location", "keystore.p12"},
		{"ssl.keystore.password", name + "-keystore"}, {"ssl.key.password", name + "-keystore"},
	}
}
