// Package secondlook is the list of what asks for a second look: flags, notes, comments, disagreements,
// missed known answers, exclusions and requested changes, over all queues.
//
//	Source.Entries --> list, thread of the item in front
//	keys --> acts --Source.StoreDecisions--> (stored) --> read again, and undone by ctrl+z
//
// It is handed only what its person may see, and knows of the rest how many there
// are. Its one invariant: a decision is told after it is stored.
package secondlook
