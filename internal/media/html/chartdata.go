package html

import (
	"encoding/json"
	"fmt"

	"plimsoll/internal/block"
)

// ChartData returns the page's charts, the shapes of their marks and its flames as JSON that is safe inside a script
// element: encoding/json escapes any text that could end it.
func ChartData(charts []block.Chart, flames []block.Flame) (string, error) {
	data := struct {
		Shapes map[string]string `json:"shapes"`
		Charts []block.Chart     `json:"charts"`
		Flames *FlameData        `json:"flames,omitempty"`
	}{map[string]string{}, append([]block.Chart{}, charts...), newFlameData(flames)}
	for _, name := range block.Shapes() {
		data.Shapes[name] = shapePath(name)
	}
	text, err := json.Marshal(data)
	if err != nil {
		return "", fmt.Errorf("encoding the charts: %w", err)
	}
	return string(text), nil
}
