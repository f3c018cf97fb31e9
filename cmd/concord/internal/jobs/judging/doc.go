// Package judging runs judges on pairs of responses in the background of the screen,
// and answers the form and the table that steer them.
//
// It shows no vote: view.Judging does, by the visibility policy. Its invariant: a job that is
// under way keeps the judge that it began with, and only its budget changes.
package judging
