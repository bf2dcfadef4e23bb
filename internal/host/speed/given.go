package speed

import (
	"fmt"
	"strconv"
	"strings"
)

// variable of the environment is for tests alone: it gives the speed that a probe would measure for two seconds, as
// THREAD,ALL,WRITE,SYNC: both relative speeds of the CPUs, bytes/s of each disk, and seconds of a small synced write.
// Free space, mounts and clones are still the host's.
const variable = "PLIMSOLL_SPEED"

// given is a speed that variable states.
type given struct{ thread, all, write, syncS float64 }

// parse returns the speed that the text of variable states; nil if it states none.
func parse(text string) (*given, error) {
	if text == "" {
		return nil, nil
	}
	words := strings.Split(text, ",")
	var out given
	into := []*float64{&out.thread, &out.all, &out.write, &out.syncS}
	if len(words) != len(into) {
		return nil, fmt.Errorf("%s=%s is not THREAD,ALL,WRITE,SYNC\nhint: unset %[1]s", variable, text)
	}
	for i, word := range words {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || !(v > 0) {
			return nil, fmt.Errorf("%s=%s: %q is not a positive number\nhint: unset %[1]s", variable, text, word)
		}
		*into[i] = v
	}
	return &out, nil
}
