package render

import (
	"io"

	"plimsoll/internal/analysis/finding/nights"
	"plimsoll/internal/analysis/history"
	"plimsoll/internal/present/media/html"
	"plimsoll/internal/present/media/markdown"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
)

// History writes histories for a terminal. The error is the writer's.
func History(w io.Writer, style term.Style, d history.Document, depth block.Depth) error {
	return term.Write(w, style, reduced(nights.Sections(d, depth.All, false), depth))
}

// HistoryMarkdown writes histories as Markdown. The error is the writer's.
func HistoryMarkdown(w io.Writer, d history.Document, depth block.Depth) error {
	return markdown.Write(w, reduced(nights.Sections(d, depth.All, false), depth))
}

// HistoryPage writes histories as a self-contained page with drawings. The error is the writer's.
func HistoryPage(w io.Writer, title, generated string, d history.Document, depth block.Depth) error {
	v, sections := pageView{Title: title, Generated: generated}, anchored(nights.Sections(d, depth.All, true))
	v.arrange(sections)
	return html.Write(w, v, sections)
}
