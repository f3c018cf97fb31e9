// Package guideline is the page of a queue's guideline: its versions with who
// wrote them and when, and the editor in which the next one is written.
//
//	e --> editor --ctrl+k--> Source.StoreVersion --(committed)--> Written --> whoever labels
//
// It changes no version and takes none away: an older one comes back as the next. What is typed and not
// saved stays in Drafts, since half a sentence is no version.
//
// Its one invariant: a version is said to be saved, and in force, after it is stored.
package guideline
