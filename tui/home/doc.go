// Package home is the home screen: the evaluations of a project with their progress, and the queues
// that wait for people. A run is put together, watched, steered and looked into here.
//
//	news --> root --> Refresh --> Source (in a tea.Cmd) --> loaded --> View
//	n --> form --> Scheduler (in tea.Cmds): Choices, Estimate, Start
//	J --> jury --> Scheduler (in tea.Cmds): Choices, Judge
//
// It asks no model and opens no queue: it asks a Scheduler and a Control to, and the root, by the
// messages OpenQueue, OpenReport, OpenVotes, OpenSamples and OpenAnswers. Its one invariant: news from
// the background never moves the cursor nor reorders what is under it.
package home
