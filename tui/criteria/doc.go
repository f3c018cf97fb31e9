// Package criteria is the screen on which people write what a good answer to
// each sample must do, review what others wrote, and see how far a dataset is.
//
//	list --enter--> page (criteria, review, history, guideline) --e--> editor
//	   \               \                                              |
//	    +--- form -----+--- form: a reason, a request, a name         | drafts, by themselves
//	                   \                                              v
//	                    +------ act --Do--> the set that is shown; --Submit--> Writer
//
// An act shows at once and is handed to the writer in the same breath; only what the writer has
// committed is called saved. The screen refuses to decide what may be done: Set.Check does. Its one
// invariant: text that somebody typed is either saved, or on its way, or said not to be saved.
package criteria
