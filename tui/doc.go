// Package tui is the app on the terminal: the root model that holds the screens, moves between them,
// and asks what is open to be saved before it leaves.
//
//	background --one-slot mark--> root --Refresh--> visible screen --Cmd--> store
//	keys --> root (its own first) --> visible screen --messages--> root (moves)
//
// It is the only tea.Model; a screen is a value with Update(msg) tea.Cmd, and
// asks for another one by a message, so that no screen knows another. Update
// and View read and write nothing: whatever takes time is a command.
//
// Its one invariant: a frame is never wider nor higher than the terminal.
package tui
