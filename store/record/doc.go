// Package record holds the bytes of a project: the names of its buckets, the form of its keys,
// and its records, CBOR with integer keys behind a version byte. Each record is made of a value
// of eval or annotate and turned back into one.
//
// It opens no file and decides nothing: which records there are, and what
// changes together, is the store's.
//
// Its one invariant: bytes that were written once are read as what they were
// written from. The golden bytes of its tests hold it.
package record
