// Package report is the screen of the reports. Each report is a page: it shows
// the report's tables as they are, cell by cell, and opens the samples or pairs
// that a cell counts. It lays out no report by hand.
//
//	Facts --> page.build (in a tea.Cmd, cancelable) --> pageFigures --> canvas
//	cell --> OpenSamples, OpenPairs --> root (shows what is behind it)
//
// The figures of a page stay as they were computed until they are asked for
// again. Its one invariant: who has yet to answer or vote sees, of a queue, what
// Report.Whole leaves of its report, and opens nothing of what people said.
package report
