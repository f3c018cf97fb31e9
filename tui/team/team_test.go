package team

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
	"concord/tui/widget"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// floor is a team in memory.
type floor struct {
	all   []Member
	did   []Change
	ended []uint64
	fails error
}

func (f *floor) ListMembers(context.Context) ([]Member, error) {
	return append([]Member(nil), f.all...), nil
}

func (f *floor) ChangeAccess(_ context.Context, by annotate.Annotator, c Change) (Done, error) {
	if f.fails != nil {
		return Done{}, f.fails
	}
	f.did = append(f.did, c)
	return Done{Said: fmt.Sprintf("%s: %d by %s", c.Who, c.What, by), Back: Change{What: c.What, Who: c.Who, Role: c.Was, Was: c.Role}}, nil
}

func (f *floor) EndSession(_ context.Context, id uint64) error {
	f.ended = append(f.ended, id)
	return f.fails
}

func crowd() *floor {
	min := func(n int) time.Time { return noon.Add(-time.Duration(n) * time.Minute) }
	return &floor{all: []Member{
		{
			Name: "ann", Role: annotate.RoleAnnotator, Since: min(9000), By: "own", Labels: 412, Votes: 20, Seen: min(0),
			Keys:     []Key{{"SHA256:annAnnAnnAnnAnnAnnAnnAnnAnnAnnAnnAnnAnnAnnAnn", "ssh-ed25519"}, {"SHA256:twoTwo", "ssh-rsa"}},
			Sessions: []Session{{ID: 7, From: "10.1.2.3:50122", Client: "OpenSSH_9.6\x1b[2J", Since: min(48), Typed: noon.Add(-4 * time.Second)}},
			Queues:   []QueueWork{{Queue: "unparsable", Done: 412, Items: 1176, Growing: true, Here: true}, {Queue: "duels", Done: 20, Items: 60}},
			Speed:    Speed{Labels: 63, Over: 10 * time.Minute, Median: 8400 * time.Millisecond, Timed: 291},
		},
		{Name: "bob", Role: annotate.RoleNone, Since: min(300), By: "own", Labels: 3, Seen: min(312)},
		{Name: "cem\x1b[31m", Role: annotate.RoleCurator, Since: min(90000), By: "own"},
		{Name: "dee", Role: annotate.RoleAnnotator, FromKeyFile: true, Sessions: []Session{{ID: 9, From: "10.1.2.9:4022", Since: min(2), Typed: min(2)}}},
		{Name: "own", Labels: 9, Seen: min(3000), Sessions: []Session{{ID: 1, Since: min(60), Fixed: "this is your own session"}}},
	}}
}

// desk is the page; its commands run on the spot, but those that wait.
type desk struct {
	t *testing.T
	*Model
	floor *floor
	said  []string
}

func sit(t *testing.T, f *floor, p termenv.Profile, dark bool) *desk {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	r.SetHasDarkBackground(dark)
	d := &desk{t: t, floor: f}
	d.Model = New(t.Context(), Deps{Theme: widget.NewTheme(r), Source: f, Who: "own", Now: func() time.Time { return noon }})
	d.Resize(80, 21)
	d.run(d.Init())
	return d
}

func (d *desk) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	got := make(chan tea.Msg, 1)
	go func() { got <- cmd() }()
	select {
	case <-time.After(10 * time.Millisecond): // it waits for the next reading
	case msg := <-got:
		switch msg := msg.(type) {
		case widget.Notify:
			d.said = append(d.said, msg.Text)
		case tea.BatchMsg:
			for _, c := range msg {
				d.run(c)
			}
		default:
			d.run(d.Update(msg))
		}
	}
}

func (d *desk) press(keys ...string) *desk {
	for _, k := range keys {
		if k == "esc" {
			d.GoBack()
			continue
		}
		d.run(d.Update(keymap.NewKeyMsg(k)))
	}
	return d
}

func (d *desk) write(text string) *desk {
	d.run(d.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}))
	return d
}

func (d *desk) sees(words ...string) *desk {
	d.t.Helper()
	for _, w := range words {
		if v := ansi.Strip(d.View()); !strings.Contains(v, w) {
			d.t.Errorf("no %q in\n%s", w, v)
		}
	}
	return d
}

func (d *desk) told(want string) *desk {
	d.t.Helper()
	if n := len(d.said); n == 0 || !strings.Contains(d.said[n-1], want) {
		d.t.Errorf("%q was said, want %q", d.said, want)
	}
	return d
}

func (d *desk) did(want ...Change) {
	d.t.Helper()
	if fmt.Sprint(d.floor.did) != fmt.Sprint(want) {
		d.t.Errorf("did %+v, want %+v", d.floor.did, want)
	}
}

// bubble runs a test in fake time, so that nothing waits for the next reading.
func bubble(t *testing.T, f func(*testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		f(t)
		time.Sleep(time.Minute)
	})
}

func TestFrames(t *testing.T) {
	scenes := map[string][]string{"team": nil, "keys": {"tab"}, "form": {"n", "down"}, "role": {"e"}, "ending": {"tab", "x"}}
	for name, keys := range scenes {
		for _, s := range [][2]int{{60, 21}, {80, 21}, {120, 37}, {200, 47}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, s[0], s[1]), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					frame := func(p termenv.Profile, dark bool) string {
						d := sit(t, crowd(), p, dark)
						d.Resize(s[0], s[1])
						return d.press(keys...).View()
					}
					plain := frame(termenv.Ascii, true)
					dark, light := frame(termenv.TrueColor, true), frame(termenv.TrueColor, false)
					if ansi.Strip(dark) != plain || ansi.Strip(light) != plain || dark == light {
						t.Error("colours change what is written, or nothing")
					}
					for _, l := range strings.Split(plain, "\n") {
						if w := widget.TextWidth(l); w != s[0] {
							t.Errorf("%d cells: %q", w, l)
						}
					}
					golden.RequireEqual(t, []byte(plain))
				})
			})
		}
	}
}

func TestARoleIsGivenAndTakenBack(t *testing.T) { bubble(t, aRoleIsGivenAndTakenBack) }

func aRoleIsGivenAndTakenBack(t *testing.T) {
	d := sit(t, crowd(), termenv.Ascii, true)
	d.press("ctrl+z").told(nothingChanged)
	d.press("e").sees("The role of ann", "[annotator]").press("enter").sees("✗ that is their role already")
	d.press("right", "enter").told("ann")
	give := Change{What: GiveRole, Who: "ann", Role: annotate.RoleCurator, Was: annotate.RoleAnnotator}
	back := Change{What: GiveRole, Who: "ann", Role: annotate.RoleAnnotator, Was: annotate.RoleCurator}
	d.did(give)
	d.press("ctrl+z").told("undone: ann")
	d.did(give, back)
	d.press("ctrl+y", "ctrl+y").told(nothingUndone)
	d.did(give, back, give)
}

// A change is told after it is stored, and what keeps it from that is said
// where it was made.
func TestWhatIsNotStoredIsNotTold(t *testing.T) { bubble(t, whatIsNotStoredIsNotTold) }

func whatIsNotStoredIsNotTold(t *testing.T) {
	d := sit(t, crowd(), termenv.Ascii, true)
	d.floor.fails = errors.New("a private key")
	d.press("n", "enter").sees("✗ they need a name").write("eve").press("enter").sees("✗ paste their public key")
	d.press("down").write("-----BEGIN").press("enter").sees("✗ a private key", "Add user")
	if len(d.said) > 0 {
		t.Errorf("%q was said", d.said)
	}
	d.press("esc", "n").sees("eve", "-----BEGIN") // what was put in is there again
	d.floor.fails = nil
	d.floor.all = append(d.floor.all, Member{Name: "eve", Role: annotate.RoleAnnotator})
	d.press("enter").told("eve")
	d.did(Change{What: Admit, Who: "eve", Role: annotate.RoleAnnotator, Key: "-----BEGIN"})
	if d.people.currentMember().Name != "eve" || d.IsTyping() {
		t.Errorf("the cursor is at %s:\n%s", d.people.currentMember().Name, d.View())
	}
	d.floor.fails = errors.New("no space left on device")
	d.press("x").told("no space left")
	if len(d.history.past) != 1 {
		t.Errorf("%d changes to take back", len(d.history.past))
	}
}

func TestKeysAndSessionsAreTakenAway(t *testing.T) { bubble(t, keysAndSessionsAreTakenAway) }

func keysAndSessionsAreTakenAway(t *testing.T) {
	d := sit(t, crowd(), termenv.Ascii, true)
	d.press("tab", "g", "x").told("no key and no session")
	d.press("tab", "tab", "x").sees("End a session?", "10.1.2.3:50122").press("enter")
	if len(d.floor.ended) > 0 || d.IsAsking() {
		t.Error("enter is the answer that changes nothing")
	}
	d.press("x", "y").told("is ended")
	if fmt.Sprint(d.floor.ended) != "[7]" {
		t.Errorf("ended %v", d.floor.ended)
	}
	d.press("down", "x")
	d.did(Change{What: DropKey, Who: "ann", Key: "SHA256:annAnnAnnAnnAnnAnnAnnAnnAnnAnnAnnAnnAnnAnnAnn"})
	d.press("esc", "G", "e").told("no access from elsewhere").press("tab", "x").told("your own session")
	d.press("tab", "g", "down", "x").told("they have no access already").press("K").told("e gives it again")
}

// News moves nothing: whoever was under the cursor stays there, on their line.
func TestNewsMovesNobody(t *testing.T) { bubble(t, newsMovesNobody) }

func newsMovesNobody(t *testing.T) {
	d := sit(t, crowd(), termenv.Ascii, true)
	d.press("down", "down")
	d.floor.all = append([]Member{{Name: "aaa"}, {Name: "aab"}}, d.floor.all...)
	d.run(d.readTeam())
	if d.people.currentMember().Name != "cem\x1b[31m" {
		t.Errorf("the cursor is at %s", d.people.currentMember().Name)
	}
	d.press("k", "k", "tab", "down", "down") // the second of two keys
	if d.people.currentMember().Name != "ann" || d.people.currentDetailPart().key != "SHA256:twoTwo" {
		t.Fatalf("at %s, %+v", d.people.currentMember().Name, d.people.currentDetailPart())
	}
	d.floor.all[2].Sessions = append(d.floor.all[2].Sessions, Session{ID: 12})
	d.run(d.readTeam())
	if d.people.currentDetailPart().key != "SHA256:twoTwo" {
		t.Errorf("the cursor is at %+v", d.people.currentDetailPart())
	}
	d.floor.all[2].Keys = d.floor.all[2].Keys[:1]
	d.run(d.readTeam())
	d.press("x").told("no key and no session")
	d.press("/", "d", "e", "e", "enter").sees("dee", "/ dee")
	if d.people.currentMember().Name != "dee" || !d.GoBack() || len(d.people.rows) != 7 {
		t.Errorf("filtered: %s, %d rows", d.people.currentMember().Name, len(d.people.rows))
	}
}

func TestKeysAreInTheCatalogue(t *testing.T) { bubble(t, keysAreInTheCatalogue) }

func keysAreInTheCatalogue(t *testing.T) {
	d := sit(t, crowd(), termenv.Ascii, true)
	all := d.Bindings()
	for _, g := range d.HelpGroups()[:2] {
		all = append(all, g.Keys...)
	}
	for _, k := range keymaptest.FindMissingKeys(all, keymap.People, keymap.Everywhere) {
		t.Errorf("no key %s", k)
	}
	keymaptest.SpellMovedKeys(t, d.Model)
	d.press("down", "down")
	keymaptest.CheckNoDefaultKeys(t, d.View())
	d.press("K", "up", "K")
	keymaptest.CheckNoDefaultKeys(t, strings.Join(d.said, "\n"))
}

func TestEverySizeFits(t *testing.T) { bubble(t, everySizeFits) }

func everySizeFits(t *testing.T) {
	for _, keys := range [][]string{nil, {"tab", "G"}, {"n"}, {"e"}, {"tab", "down", "down", "x"}} {
		d := sit(t, crowd(), termenv.Ascii, true).press(keys...)
		for w := 1; w <= 210; w += 19 {
			for h := 1; h <= 50; h += 6 {
				d.Resize(w, h)
				lines := strings.Split(d.View(), "\n")
				if len(lines) != h || widget.TextWidth(lines[0]) != w {
					t.Fatalf("%v at %dx%d: %d lines of %d", keys, w, h, len(lines), widget.TextWidth(lines[0]))
				}
			}
		}
	}
}
