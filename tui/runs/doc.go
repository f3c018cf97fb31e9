// Package runs is the home screen: the evaluations of a project with their
// progress, and the queues that wait for people.
//
//	news --> root --> Refresh --> Source (in a tea.Cmd) --> loaded --> View
//
// It starts no evaluation and opens no queue: it asks the root to, by the
// messages OpenQueue, OpenReport and OpenSamples. Its one invariant: news
// from the background never moves the cursor nor reorders what is under it.
package runs
