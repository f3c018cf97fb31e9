package tui

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
)

// as has the office opened by somebody who came in with a role, where they were.
func (o *office) as(role annotate.Role, start Start) {
	d := *o.deps
	d.Role, d.Start = role, start
	if role != annotate.RoleUnset {
		d.Begin, d.Connect = nil, nil // they are of the machine that holds the project
	}
	o.Model = New(o.t.Context(), d)
	o.size(120, 40)
	o.do(o.Init())
}

// An owner who came in from elsewhere is told where files are imported and
// servers made known: neither is for who does not sit at that machine.
func TestAGuestReachesNoFilesOfTheHost(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := newOffice(t)
		o.as(annotate.RoleOwner, Start{})
		for k, want := range map[string]string{"i": "files are imported on the machine", "m": "models are made known on the machine"} {
			if o.press(k); o.nav.topScreen() != Screen(o.tabs.runs) || !strings.Contains(o.View(), want) {
				t.Errorf("%s:\n%s", k, o.View())
			}
		}
	})
}

// Who is told to leave, since their role has changed, leaves: a draft goes along
// to where the app is opened again, and what cannot be saved keeps nobody in.
func TestWhoIsToldToLeaveLeaves(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := newOffice(t)
		o.as(annotate.RoleCurator, Start{Tab: TabReview})
		o.press("ctrl+g", "e", "x", "y")
		var start Start
		o.send(Leave{Then: func() { start = o.CurrentStart() }})
		if !o.quits || start.Drafts == nil || len(start.Drafts.QueuesWithDraft()) != 1 {
			t.Fatalf("quits %v, drafts %+v", o.quits, start.Drafts)
		}
		o.as(annotate.RoleAnnotator, start)
		if text, ok := o.opener.drafts.DraftForQueue(start.Drafts.QueuesWithDraft()[0]); !ok || !strings.HasPrefix(text, "xy") {
			t.Errorf("the draft is %q", text)
		}
		o.quits, o.quit.saving, o.quit.told = false, true, true
		if _, cmd := o.Update(flushed{errors.New("disk full")}); cmd == nil || cmd() != tea.Quit() {
			t.Error("what cannot be saved keeps them in")
		}
	})
}
