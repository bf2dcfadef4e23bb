package render

import (
	"strings"
)

// chartTitle is a workload and what tells its chart from others; place may end as the beginning of a line does.
func chartTitle(workload, place string) string {
	return strings.TrimSuffix(strings.TrimSuffix(workload+", "+place, ": "), ", ")
}
