// Package exchange writes labels, votes, adjudications, criteria, verdicts and calls
// to rows of files, and takes such rows back into the project.
//
// It opens no project and prints no table. Its invariant: a row that cannot be taken
// is reported with its file, line and reason, and the other rows are taken.
package exchange
