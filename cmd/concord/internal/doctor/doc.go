// Package doctor checks what a project needs to work: its file and records, the
// configuration, the endpoints, the terminal and the disk.
//
// It mends nothing. Its invariant: a check that finds a problem says what to do next,
// and no finding shows a key.
package doctor
