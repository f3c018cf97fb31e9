// Package server lets several people work on one open project: State is what their sessions share,
// Connection is one session, and Listener lets in other processes of this machine and clients over SSH.
//
//	socket --attach--> ssh.Gate --Terminal--> Listener --Connection--> State
//	network ----------^
//
//	Connection --deps--> State --> jobs.Scheduler, assignment, visibility, store
//	           <--data, moves-- (one-slot marks)
//
// It knows no command but those that the palette lists. Its invariant: a failure in
// one session ends that session alone, and what it acknowledged is stored.
package server
