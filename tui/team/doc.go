// Package team is the page of the team: who may come in and as what, who is on, in which queue and how
// fast, and what an owner changes of that while they work.
//
//	Source.ListMembers --> list, detail (read again on news, and every few seconds)
//	keys --> Change --Source.Change--> (stored) --> said, and how to take it back
//
// It tells nobody's answers, since the owner may label too: what it is handed
// has counts and times, and no field for what anybody said.
//
// Its one invariant: a change is told after it is stored.
package team
