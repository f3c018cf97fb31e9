// Package report is the screen of the figures: accuracy, the steps of the
// reading, and how far it agrees with people; who wins by votes on pairs, what
// sways these, how far judges and people vote alike and judges as before; how
// open answers score, and how alike all of these rank models. Every other report
// is a page: it shows the report's tables as they are, cell by cell.
//
//	Facts --> figures.Scan (in a tea.Cmd, cancelable) --> lines --> View
//	Facts --> page.build (likewise) --> sheets --> View
//	line, cell --> OpenSamples, OpenPairs --> root (shows what is behind it)
//
// It counts nothing itself: every figure is annotate/report's, and stays as it
// was computed until it is asked for again. Its one invariant: no rate is
// drawn without its n and its interval.
package report
