# Functions for the documents of `plimsoll show --json` and `plimsoll compare --json`. Copied to ~/.jq, every jq program has them.

# The findings of a kind: of a document, of a pair, or of one of `metrics`.
def found($kind): [.findings[] | select(.kind == $kind)];

# Their bodies, and that of the first one; null if there is none.
def bodies($kind): [found($kind)[].body | values];
def body($kind): bodies($kind)[0];

# The texts of the notes of what has any.
def says: [.notes[]?.text];

# The metrics of all cells, each with the keys of its cell and the findings that are placed at it.
def metrics:
	. as $document | .cells[] | . as $cell
	| .metrics[] | . as $metric
	| ($cell | del(.metrics, .id)) + ($metric | del(.name)) + {
		cell: $cell.id, metric: $metric.name,
		notes: (if $metric.primary then $cell.notes else $metric.notes // [] end),
		findings: [$document.findings[] | select(.cells[0] == $cell.id and (if has("metric") then .metric == $metric.name else $metric.primary end))]
	};
