// Package project opens the project that a command works on.
//
// One process holds the file. A command of another process is forwarded to the
// holder, which runs it on the open store:
//
//	command --Read, Change--> store, or --request--> holder --Tree--> command
//	another terminal --attach--> holder --Guests--> session
//
// The package knows neither the commands nor the server: the holder is given both
// as function values (Tree, Listen). Its invariant: a command that the holder runs
// for another process opens no file of its own, but reads what was sent along.
package project
