# A control plane of Kubernetes for the script that reads this, in namespaces of its own: KUBECONFIG is of one who may do everything.
set -eu
PATH=$KUBERNETES:$PATH
say() { echo "$0: $*" >&2; exit 1; }
wait_for() { k=0; until eval "$1"; do k=$((k + 1)); [ $k -lt 240 ] || { tail -n 5 *.log >&2; say "not in time: $1"; }; sleep 0.5; done; }
mount -t proc proc /proc
ip link set lo up
openssl genrsa -out sa.key 2048 2>/dev/null
openssl req -x509 -newkey rsa:2048 -nodes -keyout kwok.key -out kwok.crt -days 2 -subj /CN=127.0.0.1 -addext 'subjectAltName=IP:127.0.0.1' 2>/dev/null
printf 'secret,admin,1,"system:masters"\nother,bob,2\n' >tokens.csv
at=http://127.0.0.1
etcd --data-dir etcd --listen-client-urls $at:23790 --advertise-client-urls $at:23790 --listen-peer-urls $at:23800 \
	--initial-advertise-peer-urls $at:23800 --initial-cluster default=$at:23800 --unsafe-no-fsync >etcd.log 2>&1 &
start_api() {
	kube-apiserver --etcd-servers=$at:23790 --secure-port=16443 --bind-address=127.0.0.1 --advertise-address=127.0.0.1 --cert-dir=certs \
		--service-account-issuer=https://plimsoll.test --service-account-signing-key-file=sa.key --service-account-key-file=sa.key --token-auth-file=tokens.csv \
		--authorization-mode=RBAC --service-cluster-ip-range=10.0.0.0/24 --disable-admission-plugins=ServiceAccount --endpoint-reconciler-type=none --kubelet-preferred-address-types=InternalIP >>api.log 2>&1 &
}
start_api
config() {
	cat <<K
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:16443", insecure-skip-tls-verify: true}}]
users: [{name: u, user: {token: $1}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
K
}
config secret >admin.yaml
config other >bob.yaml
export KUBECONFIG=$PWD/admin.yaml
wait_for 'kubectl get --raw /readyz >/dev/null 2>&1'
kube-scheduler --kubeconfig=admin.yaml --leader-elect=false >scheduler.log 2>&1 &
kube-controller-manager --kubeconfig=admin.yaml --leader-elect=false --controllers=daemonset-controller,job-controller,pod-garbage-collector-controller,node-lifecycle-controller >controllers.log 2>&1 &
