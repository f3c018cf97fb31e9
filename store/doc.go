// Package store keeps a project in one bbolt file: datasets with their
// pictures, runs with their predictions, what judges and people said.
//
//	Record, PutSamples, Append ... --job--> writer (one goroutine)
//	                                          | whatever waits, in one transaction
//	                                          v
//	Item, Questions, Samples ... <--chunks--- file (bbolt, synced per commit)
//
// It hands out one handle per concern, and each implements what eval,
// eval/dataset and annotate declare. It refuses to derive anything: it reads
// no answer, draws no sample and computes no rate. The counts that it keeps
// are those that a first frame needs, changed in the transaction of the fact
// that changes them.
//
// Keys are big-endian (run 8 bytes, sample ordinal 4, pass 1), so that what a
// screen shows is one range. Values are CBOR with integer keys behind a
// version byte. Read transactions are short: a scan copies a chunk out, ends
// its transaction and seeks again, because an open reader keeps the pages
// that a writer has freed from being used again. A scan is therefore no
// snapshot: facts that arrive behind its position are seen, those before it
// are not.
//
// Its one invariant: a call that returned nil is on the disk.
package store
