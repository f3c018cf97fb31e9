// Package markdown lays out the answers of models: their markdown made readable,
// or the text as it is, and where two answers differ.
//
//	text --Markdown, Plain--> Doc --Differ--> marks --Lay--> lines
//
// It refuses to be a renderer of documents: no colours of its own, no highlighting, no pictures; what
// it does not know it shows as it was written. Its one invariant: whatever the text, no line is wider
// than asked for, and nothing of it reaches the terminal but as letters.
package markdown
