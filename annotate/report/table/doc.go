// Package table holds tables whose cells stay what they are (a count, a rate
// with its interval, a coefficient) until a renderer prints them: as text for a
// terminal, CSV, Markdown, RenderLaTeX, or as a page's template reads them.
//
// It knows no report: what a cell was counted over is kept for whoever opens it, and never looked into.
//
// Its one invariant: no text from outside leaves it with a control character.
package table
