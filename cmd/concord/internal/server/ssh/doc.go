// Package ssh is an SSH server that lets people in by their key and hands
// each session to a function: the app on the terminal at the other end.
//
//	net.Listener --startups--> link --handshake--> join --"session"--> session --> Enter
//	Admit (own socket) ------> link
//	client --bytes--> link --> pace --> Terminal.Read
//	client <--bytes-- link <----------- Terminal.Write
//
// It refuses to be anything else that SSH can be: no shell, no command, no subsystem, no forwarding, no
// agent, no password. It knows no project, no screen and no role; who a key is, it is told.
//
// Connections and channels are served by github.com/gliderlabs/ssh. What that leaves open is closed
// here: whose key it is is asked for the key that signed, requests are looked at before it answers them
// (it grants agents and any variable, and a second resize before the shell would hold its session up),
// and what is painted goes by the channel itself, since it turns \n into \r\n.
//
// Its one invariant: nothing that one client does, or that happens in its
// session, is felt in another. What a client sends is taken at a bounded speed,
// one that takes no output loses its connection, and a panic ends one session.
package ssh
