# Nodes by kwok, which runs what `kubectl exec` asks for as a process of this host.
{
	cat <<K
apiVersion: config.kwok.x-k8s.io/v1alpha1
kind: KwokConfiguration
options: {podPlayStageParallelism: 4, nodePlayStageParallelism: 4, nodeLeaseParallelism: 4, nodeLeaseDurationSeconds: 40, cidr: 10.1.0.0/24, enableDebuggingHandlers: true}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterExec
metadata: {name: all}
spec:
  execs:
  - local: {}
---
K
	# Not pod-complete.yaml: a pod of a Job ends when what it runs here has.
	for f in $KUBERNETES/stage/node/fast/node-*.yaml $KUBERNETES/stage/pod/fast/pod-ready.yaml $KUBERNETES/stage/pod/fast/pod-delete.yaml; do cat $f; echo; echo ---; done
} >kwok.yaml
start_kwok() {
	kwok --kubeconfig=admin.yaml --config=kwok.yaml --manage-all-nodes=true --node-ip=127.0.0.1 --node-port=10247 --server-address=127.0.0.1:10247 \
		--tls-cert-file=kwok.crt --tls-private-key-file=kwok.key >>kwok.log 2>&1 &
}
start_kwok
# node NAME TYPE ARCH
node() {
	kubectl apply -f - <<Y
apiVersion: v1
kind: Node
metadata:
  name: $1
  annotations: {kwok.x-k8s.io/node: fake}
  labels: {node.kubernetes.io/instance-type: $2, kubernetes.io/arch: $3, kubernetes.io/hostname: $1, topology.kubernetes.io/zone: eu-west-1a}
spec: {taints: [{key: dedicated, value: plimsoll, effect: NoSchedule}]}
status: {allocatable: {cpu: 1930m, memory: 7Gi, pods: "29"}, capacity: {cpu: "2", memory: 8Gi, pods: "29"}}
Y
}
