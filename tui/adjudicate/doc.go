// Package adjudicate is the screen on which people look into what they and the
// machines read differently, and settle it.
//
//	annotate/report.Compare --> matrix, lists --enter--> item view (session) --Ruled--> Journal
//	curated datasets --enter--> OpenCuration (their item view is tui/curate)
//
// The matrix can be walked, and every cell and list opens its items. On the item view an adjudicator
// says what an answer chose after all, and who was right; that is a ruling, and no label. The package
// refuses to compute agreement: its figures come as they are. Its one invariant: nobody's word on an
// item, human or machine, is shown before the adjudicator's own.
package adjudicate
