// Package ssh is an SSH server that lets people in by their key and hands
// each session to a function: the app on the terminal at the other end.
//
//	net.Listener --knock--> door --handshake--> link --"session"--> session --> Enter
//	Admit (own socket) ------------------------> link
//	client --bytes--> wire --> speed --> Terminal.Read
//	client <--bytes-- wire <-- outbox <-- Terminal.Write
//
// It refuses to be anything else that SSH can be: no shell, no command, no
// subsystem, no forwarding, no agent, no password. It knows no project, no
// screen and no role; who a key is, it is told.
//
// It is made on golang.org/x/crypto/ssh itself. What a wish server (v1.4.7)
// would bring is a session without a bound on what a client sets or does not
// read, keepalives that nobody sends, an idle time that any packet prolongs and
// agents that are forwarded; each would have to be replaced, and go-git, a
// logger and twenty more modules come along.
//
// Its one invariant: nothing that one client does, or that happens in its
// session, is felt in another. What a client sends is taken at a bounded speed,
// what it does not read waits in a bounded place, and a panic ends one session.
package ssh
