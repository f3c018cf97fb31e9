// Package session is one person at work in one queue: which item comes next, what they have said, what
// of it is saved, and what they can take back. A session labels, votes, scores or adjudicates; its acts
// are made durable, in order, by a Journal.
//
//	key -> Session -Act-> Journal -> storage
//	          ^--- Saved, Failed ---'
//
// It does no I/O of its own and refuses to know screens. Its one invariant: it shows nobody what a
// machine or another person said of an item before they have answered it.
package session
