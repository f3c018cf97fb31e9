// Package accessible is the queueSession without a screen: an item is told in lines, a
// line is typed, and what came of it is told. It is for screen readers, for bad
// lines, and for terminals that cannot move their cursor.
//
//	line --parse--> Session -Act-> Journal --Sync--> "saved"
//
// It uses no colour, no box and no key but enter, and draws nothing anew: what was told stands in the
// scrollback. The words are those of the screens, and so are session and journal.
//
// Its one invariant: "saved" is told after the commit, and no item is told
// before the one in front is done with.
package accessible
