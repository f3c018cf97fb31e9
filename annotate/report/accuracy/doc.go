// Package accuracy reports what models get right: accuracy under vanilla and
// circular evaluation, by ability and step of the reading, MME's scores, scores
// of open answers, and what is left of all that without the picture.
//
// It knows no other group of reports. Its one invariant: a question is counted
// in a rate or beside it with the reason, never in neither.
package accuracy
