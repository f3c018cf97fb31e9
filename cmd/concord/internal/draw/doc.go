// Package draw makes queues: it draws responses and pairs by the flags of queue
// create, adds gold items, and stores the queue with its items at once.
//
// It decides nothing about sampling itself: annotate does, seeded. Its invariant: a
// queue that cannot be drawn as asked is not stored.
package draw
