// Package markdown writes blocks as GitHub-flavoured Markdown, for issues, pull requests and wikis.
package markdown
