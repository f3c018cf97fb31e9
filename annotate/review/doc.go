// Package review lists what on a queue's items asks for a second look: flags,
// notes, comments, disagreements, missed known answers and exclusions, each
// with the act that raised it and whether it was closed since.
//
// It derives all of it from people's acts, stores nothing, and knows no
// visibility: who may see an entry is for others to say. Its invariant: an entry that was closed is
// open again once the act that raised it gives way to another.
package review
