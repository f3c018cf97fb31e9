package annotate

import (
	"fmt"
	"time"

	"concord/eval"
)

// Role is what somebody does in a project that several people work on. It
// decides what their sessions offer (May); what they may see of an item, the
// visibility policy decides, whatever their role.
type Role uint8

// The roles.
const (
	RoleUnset       Role = iota // none of their own: known by the key of a file that is served with
	RoleNone                    // comes in no more; what they did stays
	RoleAnnotator               // labels and votes
	RoleCurator                 // and writes guidelines and criteria, and curates pools
	RoleAdjudicator             // labels, settles what people differ on, and reads reports
	RoleOwner                   // everything: runs, queues, people
)

var roleNames = []string{"", "none", "annotator", "curator", "adjudicator", "owner"}

// String returns the name that commands take.
func (r Role) String() string { return eval.NameOf(roleNames, r) }

// ParseRole reads what String writes.
func ParseRole(s string) (Role, error) {
	return eval.ParseName[Role](roleNames, s, "role")
}

// Person is who may work on a project from elsewhere. Each change is a version
// of its own, so that it is known since when somebody had which role.
type Person struct {
	Name    Annotator
	Role    Role
	Keys    []string // public keys of theirs, as an authorized_keys file writes them, without comment
	Version int      // from 1
	By      Annotator
	At      time.Time
}

// Next is the version that follows p. A zero p is nobody yet.
func (p Person) Next(role Role, keys []string, by Annotator, at time.Time) (Person, error) {
	if role == RoleUnset {
		return p, fmt.Errorf("person %s: no role", p.Name)
	}
	return Person{Name: p.Name, Role: role, Keys: keys, Version: p.Version + 1, By: by, At: at}, nil
}

// Lease says that somebody has an item in front of them, so that it is offered
// to nobody else beyond what it wants.
type Lease struct {
	Item  ItemKey
	Who   Annotator
	Until time.Time
}
