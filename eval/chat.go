package eval

import "context"

// Role says who speaks in a Turn. The zero value is unset.
type Role uint8

// The roles of a chat beside the system's, which has its own field.
const (
	RoleUnset Role = iota
	User
	Assistant
)

var roleNames = [...]string{"", "user", "assistant"}

// String returns the name that the wire format uses.
func (r Role) String() string { return NameOf(roleNames[:], r) }

// Turn is one message of a chat.
type Turn struct {
	Role Role
	Text string
}

// Chat is what one call says to a chat endpoint: a prompt, filled in. The
// first and the last turn are the user's.
type Chat struct {
	System   string // "" for none
	Turns    []Turn
	Pictures [][]byte // encoded files (PNG, JPEG, WebP, GIF), shown before the text of the first turn
	Places   []Place  // of pictures that stand within that text instead, in their order there
}

// Chatter is an endpoint's model with its parameters: what stands behind both
// evaluated models and judges. It is called from several goroutines at once
// and returns soon after ctx ends. Its errors are those of a Model.
type Chatter interface {
	Chat(ctx context.Context, c Chat) (Reply, error)
}
