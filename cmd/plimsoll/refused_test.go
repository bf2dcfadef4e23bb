package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/kballard/go-shellquote"

	"plimsoll/internal/base/simtest"
)

// refusedLines are wrong command lines that need no file, server or agent to be refused, by verb: what follows
// plimsoll, and regular expressions for lines that it says. Scripts have those that need any.
func refusedLines() [][]string {
	return [][]string{
		// run
		{`run disk . --set bs=4k`, `^hint: did you mean disk.block\?$`},
		{`run pgbench nowhere.sql`, `there is no file "nowhere.sql"`},
		{`run kafka 127.0.0.1`, `hint: plimsoll run kafka 127.0.0.1:9092`},
		{`run kafka http://x/`, `"http://x/" is no address of a broker`},
		{`run my.sql`, `hint: plimsoll run pgbench my.sql`},
		{`run .`, `hint: plimsoll run disk \.`},
		{`run 'sleep 1'`, `hint: plimsoll run exec 'sleep 1'`},
		{`run aes-gcm --url x`, `--url is a parameter of http and s3, and aes-gcm is measured`, `hint: plimsoll run http --url`},
		{`run aes-gcm memory .`, `"\." is an argument of one workload, and aes-gcm and memory are measured`},
		{`run memory 7`, `memory takes no argument, got "7"`},
		{`run http 'a b'`, `"a b" is no URL`},
		{`run http disk --clients 3`, `--clients is a parameter of several measured workloads`,
			`hint: --set disk.clients=…, or --set http.clients=…`},
		{`run http 8080`, `hint: plimsoll run http http://127.0.0.1:8080/$`},
		{`run kafka://127.0.0.1:9092`, `hint: plimsoll run kafka kafka://127.0.0.1:9092`},
		{`run exec ./count -r 10`, `hint: plimsoll run exec ./count --replicates 10`},
		{`run disk . --ioengine libaio`, `hint: --engine ring`},
		{`run exec ./count --name a --name b`, `--name is given 2 times`},
		{`run ls`, `hint: plimsoll run exec ls$`},
		{`run ./none.sh`, `there is no file "./none.sh"`, `hint: plimsoll run exec COMMAND measures a command`},
		{`run aes-gmc`, `unknown workload or suite "aes-gmc"`, `did you mean aes-gcm\?`},
		{`run zzzzzzzz`, `hint: plimsoll list shows the names`},
		{`run aes-gcm --relicates 3`, `unknown flag "--relicates"`, `did you mean --replicates\?`},
		{`run aes-gcm --set aes-gcm.sise=1KiB`, `unknown parameter "aes-gcm.sise"`, `did you mean aes-gcm.size\?`},
		{`run aes-gcm memory --set size=1KiB`, `has no workload`},
		{`run aes-gcm --set aes-gcm.size`, `must be NAME=VALUE, or WORKLOAD.NAME=VALUE`},
		{`run aes-gcm --sweep aes-gcm.size=1KiB,1KiB`, `twice`},
		{`run aes-gcm --for 0s`, `--for 0s: must be a time over 0s`},
		{`run aes-gcm --for soon`, `--for soon: must be a time`},
		{`run aes-gcm --replicates 0`, `--replicates 0: must be 1 or more`},
		{`run disk . --set tune.scheduler=none`,
			`tune.scheduler=none: settings of the machine are changed only with --tune`, `^hint: --tune permits it`},
		{`run exec true --vary tune.preset=as-found,redpanda`, `tune.preset=redpanda: settings of the machine`},
		{`run disk . --tune.thp never`, `tune.thp=never: settings of the machine`},
		{`run disk memory --tune.thp never,always`, `tune.thp=always, tune.thp=never: settings of the machine`},
		{`run disk . --sweep tune.hugepages=0,8`, `tune.hugepages=0, tune.hugepages=8: settings of the machine`},
		{`run disk . --tune`, `and none is named`, `hint: --set tune.thp=never`},
		{`run disk . --set tune.thp=as-found --tune`, `and none is named`},
		{`run disk . --tune scheduler=none`, `and none is named`},
		{`run disk . --set scheduler=none`, `did you mean tune.scheduler, the setting of the machine\? It takes --tune`},
		{`run disk . --set tune.shceduler=none --tune`, `did you mean disk.tune.scheduler\?`},
		{`run disk . --set tune=none`, `unknown parameter "disk.tune"`},
		{`run none.yaml`, `reading the suite: .*none.yaml`},
		{`run kafka --on a=env --on 'b=env X=1' --equal-cost a=1`,
			`--equal-cost a=1: 1 of 2 machines have a number of nodes`},
		{`run kafka --on a=env --on 'b=env X=1' --equal-cost a=1,c=2`, `unknown machine "c"`},
		{`run kafka --on a=env --on 'b=env X=1' --equal-cost a=1,b=0`, `--equal-cost "b=0": must be NAME=NODES`},
		{`run kafka --on a=env --on 'b=env X=1' --equal-cost a=1,b=2,a=3`, `a has a number of nodes already`},
		{`run kafka --on env --on 'env X=1' --equal-cost a=1,b=2`, `no machine has a name\nhint: --on a=`},
		{`run kafka --on a=env --on 'b=env X=1' --equal-cost a=1,b=2 --set kafka.nodes=3`,
			`both say how many nodes kafka has\nhint: leave out kafka.nodes, or --cluster`},
		{`run kafka --on a=env --on 'b=env X=1' --equal-cost a=1,b=2 --vary kafka.nodes=1,2`,
			`both say how many nodes kafka has`},
		{`run memory --on a=env --on 'b=env X=1' --equal-cost a=1,b=2`,
			`no measured workload starts clusters\nhint: plimsoll run kafka --equal-cost `},
		{`run exec true --hosts two.hosts --on env -o never.plimsoll.jsonl`, `--hosts and --on both say where to measure`},
		{`run disk --on 'env A=1' --set disk.path=none -o x.plimsoll.jsonl`, `none: no such file or directory\nhint: `},
		{`run disk --set disk.path=/dev/nonesuch --destroy-data -o x.plimsoll.jsonl`, `there is no terminal to type it on`},
		{`run disk --set disk.path=/dev/nonesuch --destroy-data=/dev/other -o x.plimsoll.jsonl`,
			`destroy-data=/dev/other: nothing is measured on it`},
		{`run disk --destroy-data -o x.plimsoll.jsonl`, `no device is measured`},
		{`run disk --set disk.path=/dev/nonesuch --set disk.destroy=/dev/nonesuch -o x.plimsoll.jsonl`,
			`disk.destroy cannot be set: only --destroy-data=DEVICE`},
		{`run disk --vary disk.destroy=/dev/a,/dev/b -o x.plimsoll.jsonl`, `disk.destroy cannot be set`},
		{`run exec --set exec.command=true --margin -1`, `--margin -1`},
		{`run exec --set exec.command=true --max-replicates 8 --replicates 3`, `goes without --replicates`},
		{`run aes-gcm memory --metric throughput`, `must be WORKLOAD.NAME`},
		{`run aes-gcm --price a=1 --price a=2`, `--price a=2: it costs 1 above`},
		{`run aes-gcm --price m6gd.8xlarge=-1`, `must be NAME=PRICE, in USD per hour, at least 0`},
		{`run --resume priced.plimsoll.jsonl --price a=1`, `--price cannot go with --resume`},
		{`run --resume none`, `plimsoll: none: no such file or directory\nhint: plimsoll run -o none measures`},
		{`tidy none`, `plimsoll: none: no such file or directory\nhint: plimsoll run -o none measures`},
		{`status none`, `none: no such file or directory\nhint: plimsoll run -o none measures`},
		{`export a.plimsoll.jsonl --json`, `hint: --format json$`},
		{`run --list`, `hint: plimsoll list shows workloads and suites`},
		{`run a.plimsoll.jsonl`, `hint: plimsoll run --resume a.plimsoll.jsonl continues it`},
		{`run aes-gcm memory --url x`, `--url is a parameter of http and s3, and aes-gcm and memory are measured`},
		{`a.plimsoll.jsonl`, `hint: plimsoll show a.plimsoll.jsonl$`},
		{`merge a b`, `hint: plimsoll show A B and plimsoll compare A B`},
		{`stop`, `hint: Ctrl-C or kill ends a run; plimsoll status FILE`},
		{`test http://127.0.0.1:1/`, `did you mean run\?`},
		{`graph a`, `did you mean report\?`},
		{`serve . --addr 8080`, `hint: --addr 127.0.0.1:8080$`},
		{`serve . --addr :8080`, `hint: --addr 127.0.0.1:8080$`},
		{`serve . --addr host`, `hint: --addr 127.0.0.1:7400$`},
		{`run aes-gcm --pilot soon`, `--pilot soon: must be a time`},
		// compare
		{`compare ls`, `hint: plimsoll run exec ls measures commands`},
		{`compare`, `compare needs a session file`},
		{`compare sweeps.plimsoll.jsonl --headroom 0.5`, `--headroom requires --demand`, `hint: `},
		{`compare sweeps.plimsoll.jsonl --failures 2`, `--failures requires --demand`},
		{`compare sweeps.plimsoll.jsonl --demand -5`, `a demand of -5`},
		{`compare sweeps.plimsoll.jsonl --by tls --equal-cost`, `--equal-cost compares machines`},
		{`compare sweeps.plimsoll.jsonl --by type --demand 5e6`, `--demand needs machines, and --by type`},
		{`compare a.plimsoll.jsonl --format html`, `hint: --format takes text, json, markdown`},
		{`compare a.plimsoll.jsonl --json --format markdown`, `leave out one of them`},
		// help
		{`help htp`, `did you mean http`},
		// history
		{`history`, `history needs a directory of sessions\nhint: plimsoll history DIR`},
		{`history nowhere`, `nowhere: no such file or directory\nhint: plimsoll history DIR`},
		{`history results --by label`, `--by label: histories are by machine or type`},
		{`history results --format csv`, `unknown format "csv"\nhint: --format takes text, json, markdown, html`},
		{`history results --json --format text`, `--json and --format text ask for two formats`},
		// hosts
		{`hosts no/such.hosts`, `the list of hosts: open no/such.hosts: no such file`,
			`hint: plimsoll hosts --inventory FILE prints one`},
		{`hosts`, `hosts needs a source of hosts`},
		{`hosts two.hosts --slurm 7`, `hosts takes one source of hosts, got 2`},
		{`hosts two.hosts --limit arm`, `--limit goes with --inventory`},
		{`hosts two.hosts --namespace x`, `--namespace, --context and --container go with --pods`},
		{`hosts two.hosts --path tmp`, `--path "tmp" is no absolute path`},
		{`hosts --inventory no.ini`, `--inventory no.ini: there is no such file`},
		// import
		{`import`, `needs a file or folder to read\nhint:`},
		{`import --format cvs two.csv -o x.plimsoll.jsonl`,
			`unknown format "cvs"\nhint: did you mean csv\? there are csv, go, fio`},
		{`import --format excel two.csv -o x.plimsoll.jsonl`, `unknown format "excel"\nhint: there are csv, go, fio`},
		{`import --format csv none.csv -o x.plimsoll.jsonl`, `none.csv: no such file`},
		{`import csv two.csv`, `hint: plimsoll import --format csv two.csv`},
		{`import --format csv --machine '' two.csv -o x.plimsoll.jsonl`, `--machine is empty`},
		{`import --format csv --param size two.csv -o x.plimsoll.jsonl`, `must be NAME=VALUE`},
		{`import --format csv --param size=1 --param size=2 two.csv -o x.plimsoll.jsonl`, `given as 1 and as 2`},
		{`import --format csv --replicate -2 two.csv -o x.plimsoll.jsonl`, `--replicate -2: must be 0 to`},
		// list
		{`list nginz`, `did you mean nginx`},
		{`list extra`, `unknown workload, engine or suite "extra"`},
		// machine
		{`machine extra`, `machine takes no argument, got "extra"`},
		// plimsoll
		{`-V`, `^hint: did you mean -v, --version\?$`},
		// prices
		{`prices set c5.large=0.08 c5.2xlarge=0`, `price "0" of c5.2xlarge is not a positive number of USD per hour`},
		{`prices listt`, `unknown command "prices listt"`, `did you mean prices list`},
		{`prices list i3ne`, `unknown instance type or family "i3ne"`, `hint: the nearest are .*i3en`},
		{`prices list --date 1999`, `no price for "1999"`, `hint: there are prices for .*2021-10`},
		{`prices compare i3en`, `needs two types or two families, got 1`},
		{`prices compare i3en is4gen.xlarge`, `a type and a family`},
		{`prices compare i3en.xlarge is4gen.xlrage`, `hint: the nearest are is4gen.xlarge`},
		{`prices compare c6i.xlarge c7g.xlarge --date 2021-10`, `c7g.xlarge has no price for 2021-10`},
		{`prices compare D8ps_v5 D8ps_v6`, `hint: plimsoll prices set D8ps_v6=PRICE`},
		{`prices set`, `needs TYPE=PRICE`},
		{`prices set c5.large`, `"c5.large" must be TYPE=PRICE`},
		{`prices set my-server=1`, `unknown instance type "my-server"`},
		{`prices import`, `needs one file`},
		{`prices import none.csv`, `none.csv`},
		{`prices lint extra`, `takes no argument`},
		// report
		{`report sweeps.plimsoll.jsonl --failures 2`, `--failures requires --demand`},
		{`report a.plimsoll.jsonl --format text`, `hint: --format takes html, markdown`},
		// setup
		{`setup nety --on env`, `unknown engine "nety"`},
		{`setup netty --on env --hosts two.hosts`, `--hosts and --on both say where to set up`},
		{`setup netty --binaries .`, `goes with --on or --hosts`},
		{`setup netty --on env --on env`, `"env" is given twice`},
		{`setup netty --on 'sshpass -p hunter2 ssh a'`, `has a secret on its command line`},
		// show
		{`show`, `show needs a session file`},
		{`show none.plimsoll.jsonl`, `none.plimsoll.jsonl`},
		{`show sweeps.plimsoll.jsonl --demand 0`, `a demand of 0`, `hint: `},
		{`show sweeps.plimsoll.jsonl --demand NaN`, `a demand of NaN`},
		{`show sweeps.plimsoll.jsonl --demand '5 million'`,
			`"5 million" is no rate: a number such as 50000, 50k, 1.5M, 5e6 or 50,000`, `hint: `},
		{`show sweeps.plimsoll.jsonl --demand 5e6 --headroom 1.2`, `a headroom of 1.2`, `hint: `},
		{`show sweeps.plimsoll.jsonl --headroom 0`, `a headroom of 0`},
		{`show sweeps.plimsoll.jsonl --demand 5e6 --failures -1`, `-1 failures`},
		{`show sweeps.plimsoll.jsonl --failures 2`, `--failures requires --demand`, `hint: `},
		{`show a.plimsoll.jsonl --format md`, `unknown format "md"`, `hint: --format takes text, json, markdown`},
		{`show a.plimsoll.jsonl --json --format text`, `--json and --format text ask for two formats`,
			`hint: leave out one of them`},
		// a verb with two letters exchanged
		//nolint:misspell // it is meant
		{`sohw`, `unknown command "sohw"`, `hint: did you mean show\?`},
		// version
		{`version 1`, `version takes no argument, got "1"`},
	}
}

// TestRefusedLines: every wrong command line is exit code 2, says what is wrong and what was perhaps meant, prints
// nothing else and writes nothing.
func TestRefusedLines(t *testing.T) {
	simtest.Forks(t)
	dir, home := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	env := func(name string) string {
		return map[string]string{"PATH": os.Getenv("PATH"), "HOME": home, "XDG_CACHE_HOME": home, "XDG_CONFIG_HOME": home,
			"XDG_STATE_HOME": home}[name]
	}
	for _, c := range refusedLines() {
		t.Run(c[0], func(t *testing.T) {
			args, err := shellquote.Split(c[0])
			if err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			if code := start(args, strings.NewReader(""), &stdout, &stderr, env); code != exitUsage {
				t.Errorf("exit code %d", code)
			}
			for _, says := range c[1:] {
				if !regexp.MustCompile("(?m)" + says).Match(stderr.Bytes()) {
					t.Errorf("it does not say %q: %s", says, &stderr)
				}
			}
			if stdout.Len() > 0 {
				t.Errorf("it prints %s", &stdout)
			}
			if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
				t.Fatalf("it writes %v, %v", left, err)
			}
		})
	}
}
