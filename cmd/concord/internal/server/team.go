package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/cmd/concord/internal/keys"
	"concord/cmd/concord/internal/roster"
	"concord/tui"
	"concord/tui/keymap"
	"concord/tui/team"
)

// Team is the team as an owner's session shows and changes it.
//
//	store (people, tallies, last acts) --+
//	state (sessions), pool (claims) -----+--Team--> people
type Team struct {
	State *State
	Me    *Connection
}

var _ team.Source = Team{}

// peoplePage is the page of the team.
func peoplePage(source team.Source) tui.Page {
	return tui.Page{
		Message: team.Open{}, Key: keymap.Runs.Bind("people"), May: annotate.MayManagePeople, Whose: "the owner",
		Name: "People", Words: "team roles keys sessions who is on", Hint: "who is on, and as what",
		New: func(ctx context.Context, v tui.Opening) tui.Screen {
			return team.New(ctx, team.Deps{Theme: v.Theme, Source: source, Who: v.Who, Now: v.Now})
		},
	}
}

// Change changes who may come in, by what the commands do.
func (c Team) Change(ctx context.Context, by annotate.Annotator, what team.Change) (team.Done, error) {
	if own := c.Me.Options; own.role != annotate.RoleUnset && string(what.Who) == own.As && what.What == team.GiveRole {
		return team.Done{}, errors.New("your own role is for another owner to change")
	}
	var done team.Done
	one, changed, err := roster.PutPerson(ctx, c.State.app, c.State.st, what.Who, string(by), func(p *annotate.Person) (err error) {
		done, err = c.edit(p, &what)
		return err
	})
	switch {
	case err != nil:
		return team.Done{}, err
	case !changed:
		return team.Done{}, fmt.Errorf("%s: that is so already", one.Name)
	}
	c.State.moves.mark()
	for _, v := range c.State.Connections() {
		select {
		case v.recast <- struct{}{}:
		default:
		}
	}
	return done, nil
}

// edit makes a change to a person, and says what takes it back.
func (c Team) edit(p *annotate.Person, what *team.Change) (team.Done, error) {
	switch what.What {
	case team.Admit:
		return admit(p, what)
	case team.GiveRole:
		return c.giveRole(p, what)
	case team.AddKey:
		given, err := onlyKey(what.Key)
		if err != nil {
			return team.Done{}, err
		}
		if p.Role == annotate.RoleUnset {
			return team.Done{}, roster.NotAdded(p.Name)
		}
		roster.AddKeys(p, []keys.Key{given})
		return team.Done{
			Said: fmt.Sprintf("%s comes in by %s, too", p.Name, given.Fingerprint),
			Back: team.Change{What: team.DropKey, Who: p.Name, Key: given.Fingerprint},
		}, nil
	case team.DropKey:
		i := slices.IndexFunc(p.Keys, func(line string) bool { return keys.Fingerprint(line) == what.Key })
		if i < 0 {
			return team.Done{}, roster.DropKey(p, what.Key)
		}
		back := team.Change{What: team.AddKey, Who: p.Name, Key: p.Keys[i]}
		return team.Done{Said: fmt.Sprintf("nobody comes in by %s; a session that it opened continues", what.Key), Back: back}, roster.DropKey(p, what.Key)
	case team.ChangeUnset:
	}
	return team.Done{}, errors.New("no change")
}

// admit lets somebody in.
func admit(p *annotate.Person, what *team.Change) (team.Done, error) {
	if _, err := roster.PersonName(string(p.Name)); err != nil {
		return team.Done{}, err
	}
	given, err := onlyKey(what.Key)
	switch {
	case err != nil:
		return team.Done{}, err
	case p.Role > annotate.RoleNone:
		return team.Done{}, fmt.Errorf("%s is there already, as %s", p.Name, p.Role)
	}
	p.Role, p.Keys = what.Role, []string{given.Line}
	return team.Done{
		Said: fmt.Sprintf("%s has access as %s, by %s", p.Name, p.Role, given.Fingerprint),
		Back: team.Change{What: team.GiveRole, Who: p.Name, Role: annotate.RoleNone, Was: what.Role},
	}, nil
}

// giveRole gives somebody another role, if they still have the one that was
// seen.
func (c Team) giveRole(p *annotate.Person, what *team.Change) (team.Done, error) {
	was := p.Role
	if was == annotate.RoleUnset {
		was = c.State.guests // by the file that is served with
	}
	switch {
	case was == annotate.RoleUnset:
		return team.Done{}, roster.NotAdded(p.Name)
	case what.Was != annotate.RoleUnset && what.Was != was:
		return team.Done{}, fmt.Errorf("%s is %s by now: nothing was changed", p.Name, was)
	}
	p.Role = what.Role
	said := fmt.Sprintf("%s is %s now", p.Name, what.Role)
	if what.Role == annotate.RoleNone {
		said = fmt.Sprintf("%s comes in no more; what they did stays", p.Name)
	}
	return team.Done{Said: said, Back: team.Change{What: team.GiveRole, Who: p.Name, Role: was, Was: what.Role}}, nil
}

// onlyKey reads the one public key that was pasted.
func onlyKey(text string) (keys.Key, error) {
	all, err := keys.Parse([]byte(text))
	switch {
	case err != nil:
		return keys.Key{}, err
	case len(all) != 1:
		return keys.Key{}, errors.New("give one key at a time")
	}
	return all[0], nil
}

// EndedByOwner is the line that a session is left with which an owner ended.
const EndedByOwner = "an owner of the project has ended this session; what you did is saved"

// End ends a session.
func (c Team) End(_ context.Context, id uint64) error {
	for _, v := range c.State.Connections() {
		if v.id == id {
			if why := c.fixed(v); why != "" {
				return errors.New(why)
			}
			return v.end()
		}
	}
	return errors.New("the session has ended already")
}

// fixed is why a session cannot be ended from here.
func (c Team) fixed(v *Connection) string {
	switch {
	case v == c.Me:
		return "this is your own session"
	case v.guest == nil:
		return "this is the process that holds the project: all sessions would end with it"
	}
	return ""
}

// settles reports whether the session's person settles what people differ on;
// who opens the file does everything.
func (o *ScreenOptions) settles() bool { return o.may(annotate.MayAdjudicate) }

// may reports whether the person may do something: with a role of theirs what it
// allows, and everything who opened the file.
func (o *ScreenOptions) may(p annotate.Permission) bool {
	return o.role == annotate.RoleUnset || o.role.May(p)
}

// worker is who works in the session.
func (v *Connection) worker() annotate.Annotator {
	v.mu.Lock()
	defer v.mu.Unlock()
	return cmp.Or(v.who, annotate.Annotator(v.Options.As))
}

// endsBy says what ends the session.
func (v *Connection) endsBy(cancel context.CancelFunc) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.cancel = cancel
}

// end ends the session.
func (v *Connection) end() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.cancel == nil {
		return errors.New("the session is just beginning")
	}
	v.ended = true
	v.cancel()
	return nil
}

// wasEnded reports whether an owner has ended it.
func (v *Connection) wasEnded() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.ended
}

// keyOf is a key as it is shown.
func keyOf(line string) team.Key {
	kind, _, _ := strings.Cut(line, " ")
	return team.Key{Fingerprint: keys.Fingerprint(line), Type: kind}
}
