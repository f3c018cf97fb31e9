// Package catalogue is the list of reports: what lists say of each, and how it is
// made. It knows all groups of reports, which do not know each other; what is
// made of several of them, it makes.
//
// Its one invariant: a report is listed here once, and commands, folders of all
// reports and screens take it from here.
package catalogue
