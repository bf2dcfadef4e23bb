package factorial

import "plimsoll/internal/finding"

// KindAttribution is the kind of attributions of a factorial's change to its factors.
const KindAttribution finding.Kind[Attribution] = "attribution"
