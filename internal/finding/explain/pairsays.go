package explain

import (
	"plimsoll/internal/block"
	"plimsoll/internal/finding"
)

func pairSays(v *finding.PairView) []block.Block {
	return []block.Block{explainedSection(v.ID+"-why", KindExplain.All(v.Pair))}
}
