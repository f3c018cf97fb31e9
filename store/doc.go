// Package store keeps a project in one bbolt file: datasets with their
// pictures, runs with their predictions, what judges and people said.
//
//	Record, PutSamples, Append ... --record--> file.Do   (one writer)
//	Item, Questions, Samples   ... <--record-- file.Scan (in chunks)
//
// It hands out one handle per concern, and each implements what eval,
// eval/dataset and annotate declare. It refuses to derive anything: it reads
// no answer, draws no sample and computes no rate. The counts that it keeps
// are those that a first frame needs, changed in the transaction of the fact
// that changes them.
//
// Keys are big-endian (run 8 bytes, sample ordinal 4, pass 1), so that what a
// screen shows is one range. What bytes they and the records have is package
// record's business; locking, writing and migrating is package file's.
//
// Its one invariant: a call that returned nil is on the disk.
package store
