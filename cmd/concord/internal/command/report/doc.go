// Package report holds the commands that print reports: the group report, all of them
// in a folder or on a page, and agree over a file of ratings.
//
// annotate/report computes. Its invariant: a report command changes nothing in the project.
package report
