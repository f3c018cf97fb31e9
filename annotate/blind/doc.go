// Package blind decides what one person may see: of a sample and of the answers
// to it, before and after having given their own.
//
// A policy is derived from what the queues hold and what people did. What it lets
// through is recorded before it is shown (Policies.RecordShown), so that a label that is
// given later is known to be informed, whichever queue or screen showed it. It refuses to know screens, and whose figures are shown to
// whom in reports. Its one invariant: nothing that would answer an item is shown
// to anybody who has yet to answer that item, or who may yet be handed it.
package blind
