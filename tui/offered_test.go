package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/tui/curate"
	"concord/tui/keymap"
)

// What is not for a role is not there: neither on the help page, nor in the
// palette, nor by its key.
func TestGuestsAreOfferedWhatTheirRoleNeeds(t *testing.T) {
	for _, role := range annotate.AllRoles() {
		inBubble(t, role.String(), func(t *testing.T) {
			a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
			d := *a.deps
			var asked []string
			d.Curate = curate.Deps{Source: split{}, Journal: split{}}
			d.Role, d.Search, d.Commands, d.Pages = role, shelf{&asked}, []Command{{Usage: "concord export labels"}}, []Page{people()}
			a.Model = New(t.Context(), d)
			a.size(80, 40)
			a.do(a.tabs.showTab(TabReview))
			a.press("esc") // of the queues, where one was opened
			a.do(a.tabs.showTab(TabReview))
			var offered []string
			for _, g := range helpGroups(&a.keys, a.nav) {
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
			a.send(keymap.NewKeyMsg("ctrl+p"))
			named := func(title string) bool {
				for _, e := range append(a.finder.listActions(), a.finder.listPlaces()...) {
					if strings.HasPrefix(e.Title, title) {
						return true
					}
				}
				return false
			}
			check("ctrl+w in help", slices.Contains(offered, "ctrl+w"), false)
			check("switch user", named("work as"), false)
			check("shell", strings.Contains(strings.Join(a.finder.palette.View(nil, 80, 400), ""), "concord export"), false)
			can := a.nav.can
			offers := map[annotate.Permission]func() bool{
				annotate.MayLabel:              func() bool { return can.hasTab(TabReview) },
				annotate.MayGuide:              func() bool { return a.tabs.queues.guidelineVerb() != "its guideline" },
				annotate.MayWriteCriteria:      func() bool { return named("Criteria") },
				annotate.MayCurate:             func() bool { return can.hasTab(TabCurate) && !a.deps.Curate.Only },
				annotate.MayAdjudicateCuration: func() bool { return can.hasTab(TabCurate) && settles(a) },
				annotate.MayAdjudicate:         func() bool { return named("disagreements between people and extractors") },
				annotate.MayExclude:            func() bool { return can.allows(annotate.MayExclude) }, // by keys of the second look, which its own tests hold
				annotate.MayFindSamples:        a.finder.mayFindSamples,
				annotate.MayReadReports:        func() bool { return slices.Contains(offered, "a") },
				annotate.MayRun:                func() bool { return slices.Contains(offered, "h") },
				annotate.MayMakeQueues:         func() bool { return slices.Contains(offered, "l") && named("new queue to label") },
				annotate.MayManagePeople:       func() bool { return named("People") },
			}
			all := slices.DeleteFunc(annotate.AllPermissions(), func(p annotate.Permission) bool { return p == annotate.MayAdjudicateCuration })
			for _, p := range append(all, annotate.MayAdjudicateCuration) { // which leaves the page
				has, known := offers[p]
				if !known {
					t.Fatalf("nothing tells whether it is offered to %s", p)
				}
				check(p.String(), has(), role.May(p))
			}
		})
	}
}

// settles reports whether the page of experts' disagreements opens.
func settles(a *app) bool {
	a.do(a.tabs.openCurationAdjudication("d"))
	return a.nav.tab == TabCurate
}

// Who works on this machine is offered what their role allows, and the next one
// what theirs does.
func TestLocalWorkFollowsTheRole(t *testing.T) {
	inBubble(t, "", func(t *testing.T) {
		a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
		d := *a.deps
		d.Remember = func(annotate.Annotator) error { return nil }
		d.RoleOf = func(who annotate.Annotator) annotate.Role {
			return map[annotate.Annotator]annotate.Role{"ada": annotate.RoleAnnotator, "bob": annotate.RoleAdjudicator}[who]
		}
		a.Model = New(t.Context(), d)
		a.size(80, 40)
		check := func(who string, runs, report bool) {
			t.Helper()
			if got := a.nav.can; got.hasTab(TabRuns) != runs || got.hasTab(TabReport) != report || !got.hasTab(a.nav.tab) {
				t.Errorf("%s: %v, at %v", who, got, a.nav.tab)
			}
		}
		check("ada, an annotator", false, false)
		for _, next := range []struct {
			who          string
			runs, report bool
		}{{"bob", false, true}, {"cy", true, true}, {"ada", false, false}} {
			a.do(a.tabs.showTab(TabReview))
			a.press("esc", "ctrl+w", next.who, "enter")
			check(next.who, next.runs, next.report)
		}
	})
}
