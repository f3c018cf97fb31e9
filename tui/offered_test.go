package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/tui/keymap"
)

// What is not for a role is not there: neither on the help page, nor in the
// palette, nor by its key.
func TestGuestsAreOfferedWhatTheirRoleNeeds(t *testing.T) {
	for _, role := range []annotate.Role{annotate.RoleAnnotator, annotate.RoleCurator, annotate.RoleAdjudicator, annotate.RoleOwner} {
		inBubble(t, role.String(), func(t *testing.T) {
			a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
			d := *a.deps
			var asked []string
			d.Role, d.Finder, d.Commands, d.People = role, shelf{&asked}, []Command{{Usage: "concord export labels"}}, crew{}
			a.Model = New(t.Context(), d)
			a.size(80, 40)
			a.do(a.tabs.show(TabReview))
			a.press("esc") // of the queues, where one was opened
			a.do(a.tabs.show(TabReview))
			var offered []string
			for _, g := range help(&a.keys, a.nav) {
				for _, k := range g.Keys {
					offered = append(offered, k.Keys()[0])
				}
			}
			check := func(what string, has, want bool) {
				t.Helper()
				if has != want {
					t.Errorf("%s: %v, want %v", what, has, want)
				}
			}
			a.send(keymap.Msg("ctrl+p"))
			named := func(title string) bool {
				for _, e := range append(a.finder.doings(), a.finder.places()...) {
					if strings.HasPrefix(e.Title, title) {
						return true
					}
				}
				return false
			}
			owns, settles, curates := role.Owns(), role.Settles(), role.Curates()
			check("ctrl+w in help", slices.Contains(offered, "ctrl+w"), false)
			check("work as somebody else", named("work as"), false)
			check("shell", strings.Contains(strings.Join(a.finder.palette.View(nil, 80, 400), ""), "concord export"), false)
			check("l in help", slices.Contains(offered, "l"), owns)
			check("new queue", named("new queue to label"), owns)
			check("h in help", slices.Contains(offered, "h"), owns)
			check("People", named("People"), owns)
			check("a in help", slices.Contains(offered, "a"), role.Reports())
			check("what differs", named("what people and machines read differently"), settles)
			check("Criteria", named("Criteria"), curates)
			check("samples", a.finder.finds(), settles || curates)
		})
	}
}
