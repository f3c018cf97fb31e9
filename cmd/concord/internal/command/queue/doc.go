// Package queue holds the commands around queues: create, list and guideline, the
// packets that take a part of a queue elsewhere, and review and vote.
//
// It draws nothing itself: package draw does. Its invariant: the labels of a packet
// come home once, however often its file is merged.
package queue
