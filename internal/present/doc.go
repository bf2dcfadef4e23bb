// Package present is the room of screens, documents, pages and help. Render chooses findings and their order, media
// writes blocks for a terminal, HTML, Markdown and JSON, and site serves directories of sessions.
package present
