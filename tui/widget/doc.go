// Package widget holds what several screens draw with: the theme, text that
// is safe to show, pictures, footers and help, tables and meters.
//
// It knows nothing of evaluations and people, reads nothing and remembers nothing between calls but
// what it was given. Its one invariant: what it returns fits the width it was given, in terminal cells,
// and lets no control character of a stranger's text through.
package widget
