// Package file is a project's file: bbolt behind one writer.
//
//	Do --job--> writer (one goroutine)
//	              | whatever waits, in one transaction
//	              v
//	View, Get, Scan <--chunks--- file (bbolt, synced per commit)
//
// It opens and locks the file, makes it a project, copies an old one aside and takes it along
// step by step, and turns a damaged page into an error. It knows the buckets by name and no
// record in them: what stands there, and what changes together, is the store's.
//
// Read transactions are short: a scan copies a chunk out, ends its transaction and seeks again, because
// an open reader keeps the pages that a writer has freed from being used again. A scan is therefore no
// snapshot: facts that arrive behind its position are seen, those before it are not.
//
// Its one invariant: a change that Do returned nil for is on the disk.
package file
