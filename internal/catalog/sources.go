package catalog

// source says where a file's facts, or the prices in one of its columns, are
// from and of what date they are.
type source struct {
	line                       int
	file, column, source, date string
}

func parseSources(text []byte, problems *[]Problem) []source {
	var out []source
	for _, r := range readTable(text, []string{"file", "column", "source", "date"}, problems) {
		out = append(out, source{r.line, r.fields["file"], r.fields["column"], r.fields["source"], r.fields["date"]})
	}
	return out
}

func sourcesOf(all []source, file string) []source {
	var out []source
	for _, s := range all {
		if s.file == file {
			out = append(out, s)
		}
	}
	return out
}
