# A real node: the kubelet with containerd, runc and pods in networks of their own. Its containers are of an image made here, of programs
# of this host.
address=10.88.0.1
type=m7i.large
[ "$(uname -m)" = x86_64 ] || type=m7g.large
PATH=$PATH:/usr/sbin:/sbin
mount --make-rshared /
ip link add node type bridge
ip addr add $address/24 dev node
ip link set node up
mkdir -p image/bin image/opt image/tmp image/etc containerd
for f in $(dpkg -L coreutils | grep '/bin/') /bin/sh /bin/tar "$(command -v plimsoll)"; do
	file=$(readlink -f $f)
	cp $file image/bin/${f##*/}
	for library in $(ldd $file 2>/dev/null | grep -o '/[^ ]*'); do mkdir -p image$(dirname $library); cp -L $library image$library; done
done
mv image/bin/plimsoll image/opt
# The form of `docker save`.
tar -C image --owner=0 --group=0 -cf layer.tar .
jq -n --arg id sha256:$(sha256sum layer.tar | cut -d' ' -f1) --arg arch "$(dpkg --print-architecture)" \
	'{architecture: $arch, os: "linux", config: {Cmd: ["sleep", "infinity"], Env: ["PATH=/bin:/opt"]}, rootfs: {type: "layers", diff_ids: [$id]}, history: [{}]}' >image.json
echo '[{"Config": "image.json", "RepoTags": ["docker.io/library/plimsoll:test"], "Layers": ["layer.tar"]}]' >manifest.json
tar -cf image.tar manifest.json image.json layer.tar

# restrict_oom_score_adj: where CAP_SYS_RESOURCE is missing, as in some virtual machines, nothing may lower its own.
cat >containerd.toml <<C
version = 2
root = "$PWD/containerd/root"
state = "$PWD/containerd/state"
[grpc]
  address = "$PWD/containerd/s"
[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
  sandbox_image = "docker.io/library/plimsoll:test"
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "$KUBERNETES/node/usr/lib/cni"
  conf_dir = "$PWD/cni"
C
mkdir cni
cat >cni/10-pods.conflist <<C
{"cniVersion": "0.4.0", "name": "pods", "plugins": [{"type": "ptp", "ipam": {"type": "host-local", "subnet": "10.89.0.0/24", "dataDir": "$PWD/cni/addresses"}}]}
C
PATH=$KUBERNETES/node/usr/bin:$PATH containerd -c containerd.toml >containerd.log 2>&1 &
images() { $KUBERNETES/node/usr/bin/ctr -a $PWD/containerd/s -n k8s.io images "$@"; }
wait_for 'images ls >/dev/null 2>&1'
images import image.tar

cat >kubelet.yaml <<K
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failCgroupV1: false
cgroupDriver: cgroupfs
cgroupRoot: $cgroup
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
containerRuntimeEndpoint: unix://$PWD/containerd/s
address: $address
registerWithTaints: [{key: dedicated, value: plimsoll, effect: NoSchedule}]
volumePluginDir: $PWD/kubelet/plugins
podLogsDir: $PWD/kubelet/logs
localStorageCapacityIsolation: false
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
evictionHard: {nodefs.available: 0%, imagefs.available: 0%, memory.available: 10Mi}
K
kubelet --config=kubelet.yaml --kubeconfig=admin.yaml --hostname-override=n1 --node-ip=$address --root-dir=$PWD/kubelet \
	--node-labels=node.kubernetes.io/instance-type=$type,topology.kubernetes.io/zone=eu-west-1a >kubelet.log 2>&1 &
wait_for 'kubectl get node n1 --no-headers 2>/dev/null | grep -q " Ready "'
