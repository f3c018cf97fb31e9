// Package report is the screen of the figures: accuracy, the steps of the
// reading, and how far it agrees with people.
//
//	Facts --> figures.Scan (in a tea.Cmd, cancelable) --> lines --> View
//	line --> OpenSamples --> root (shows the samples behind the figure)
//
// It counts nothing itself: every figure is annotate/report's, and stays as it
// was computed until it is asked for again. Its one invariant: no rate is
// drawn without its n and its interval.
package report
