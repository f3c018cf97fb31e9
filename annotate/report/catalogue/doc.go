// Package catalogue declares every report: what lists say of it, what it needs, the
// flags of its command as values, and how it is made. It knows all groups of
// reports, which do not know each other; what is made of several of them, it makes.
//
// Its one invariant: a report is declared here once, and commands, folders of all
// reports, screens and REPORTS.md take it from here.
package catalogue
