package finding

func (k Trait) varies() bool {
	for _, t := range k.Texts {
		if t != k.Texts[0] {
			return true
		}
	}
	return false
}
