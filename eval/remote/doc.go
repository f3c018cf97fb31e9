// Package remote asks a run's questions by processes on other machines.
//
//	engine --Answer--> Holder --call--> work queue --pull--> Work --> its endpoint
//	   +--Record--> store +--<-result--- (kept until the word) +
//	                      +--acknowledgement, word--> queue and worker, after the commit
//
// The holder of the project plans, retries, reads and counts as for every eval.Model. The
// queue is a stream of JetStream in memory: a holder that starts again plans anew. It
// knows no store, no wire format and no key: that of an endpoint stays at the worker.
//
// Its one invariant: a message is acknowledged after its fact is committed.
package remote
