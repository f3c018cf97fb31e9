// Package audit lists who did what when, from the facts that a project keeps: acts in queues, on criteria
// and in curation, and what was made or changed of queues, guidelines, packets, reports, runs and people.
//
// It keeps nothing of its own and judges nothing: what was taken back, what came too late and what came
// from a file is listed like the rest. What a fact does not say is not known, and never guessed. It
// shows everybody's words, so it is for the owner of the project, and for no screen of an annotator.
//
// Its invariant: events come by time, but acts of a sequence by their numbers, whatever the clocks said.
package audit
