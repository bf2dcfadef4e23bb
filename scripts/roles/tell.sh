# shellcheck shell=sh
# What the roles read of an answer, which lies in said.txt, errors.txt, show.json and compare.json, and how they judge it.

# metric NAME [NTH]: the value and its interval in the first cell that has it, or the NTH.
metric() {
	jq -r --arg name "$1" --argjson at "$((${2:-1} - 1))" '[.cells[] | .metrics[] | select(.name == $name and .value != null)][$at] // empty |
		"\(.value) \(.lo // .value) \(.hi // .value)"' show.json
}

# change NAME: the ratio of the second side to the first, its interval and the verdict.
change() {
	jq -r --arg name "$1" '[.pairs[]?.verdicts[]? | select(.metric == $name and .ratio != null)][0] // empty |
		"\(.ratio) \(.lo // .ratio) \(.hi // .ratio) \(.verdict)"' compare.json
}

# said PATTERN: the first words of the screen or of the messages that match, as an answer in words.
said() { cat said.txt errors.txt | tr -s ' \n' ' ' | grep -oE "$1" | head -n 1; }

# near LO HI PEER SHARE: right if the interval and the peer's figure give or take that share have values in common, and the interval is no
# wider than a factor of 4.
near() {
	awk -v lo="$1" -v hi="$2" -v peer="$3" -v share="$4" 'BEGIN {
		print (lo > 0 && hi <= 4 * lo && lo <= peer * (1 + share) && hi >= peer * (1 - share)) ? "right" : "wrong" }'
}
# holds EXPRESSION: right or wrong.
holds() { awk "BEGIN { print ($1) ? \"right\" : \"wrong\" }"; }
# over A B: B/A.
over() { echo "$1 $2" | awk '{ printf "%.3f", $2 / $1 }'; }
