// Package judging is the screen of judges' votes: one comparison with its votes,
// positions and failures on the whole screen, and the form in which a judging
// is put together. The list of all comparisons stands on the home screen.
//
//	news --> root --> Refresh --> Source (in a tea.Cmd) --> loaded --> View
//	form --> Scheduler (in tea.Cmds): Choices, Estimate, Start
//
// It asks no judge: it asks a Scheduler and a Control to. Its one invariant: a
// judge's words on a pair are shown to nobody who is yet to answer an item
// about that sample; the Source holds them back, and says so.
package judging
