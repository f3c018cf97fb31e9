// Package job is work of single calls as screens show it: a judge that votes on the pairs of a
// comparison, and scores or captions while they are made. What the list of the home screen and the page
// of one job have in common stands here, so that neither needs the other.
//
// It asks nobody and knows no store. Its one invariant: a job is known by its ID alone, which stays the
// same over sessions, so that a cursor on it stays there whatever else begins or ends.
package job
