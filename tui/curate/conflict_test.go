package curate

import (
	"errors"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate/curation"
)

// Acts that come behind those of somebody else under the same name are told of,
// what is stored is read, and they are done again on it.
func TestConflict(t *testing.T) {
	p := newPool()
	k := sit(t, p, termenv.Ascii, nil)
	k.press("1", "3").front(2)
	ours := p.acts
	p.acts = []curation.Act{{Dataset: "d", Expert: "ann", N: 1, Sample: 4, Kind: curation.Judged, Verdict: curation.Wrong}}
	p.refused = ours
	k.Harness.Run(k.m.takeJournalState())
	k.front(2).sees("3/5")
	if n := len(p.acts); n != 3 || p.acts[1].N != 2 || p.acts[2].Verdict != curation.InQuestion || p.acts[2].Sample != 1 {
		t.Errorf("acts %+v", p.acts)
	}
	if got := strings.Join(k.Notices, "\n"); !strings.Contains(got, "2 acts of yours follow them") {
		t.Errorf("notices %s", got)
	}
	k.press("1").front(3)
	if n := len(p.acts); n != 4 || p.acts[3].N != 4 {
		t.Errorf("acts %+v", p.acts)
	}
}

// While the dataset cannot be read again, what the journal refuses stays with
// it, unsaved, and no later act on the old one is stored: not the undo of an act
// whose number is somebody else's by now. Nor is it lost with who works.
func TestConflictUnread(t *testing.T) {
	p := newPool()
	k := sit(t, p, termenv.Ascii, nil)
	k.press("1", "3").front(2)
	p.refused, p.lost = p.acts, errors.New("disk is gone")
	p.acts = nil
	p.says("ann", curation.Wrong, curation.Wrong)
	stored := func(want int) {
		t.Helper()
		if len(p.acts) != want {
			t.Errorf("stored: %+v", p.acts)
		}
	}
	k.Harness.Run(k.m.takeJournalState())
	k.sees("NOT SAVED", "2 acts", "ctrl+k").press("ctrl+z").sees("3 acts")
	stored(2)
	if got := strings.Join(k.Notices, "\n"); strings.Count(got, "disk is gone") != 1 {
		t.Errorf("it was tried again and again: %s", got)
	}
	k.m.SetAnnotator("bob")
	k.m.SetAnnotator("ann")
	if len(p.refused) != 3 {
		t.Errorf("lost: %+v", p.refused)
	}
	p.lost = nil
	k.Harness.Run(k.m.Enter())
	k.sees("!NOT SAVED")
	stored(3) // the first, behind theirs; the second was taken back
	if last := p.acts[2]; last.N != 3 || last.Kind != curation.Judged || last.Sample != 0 || last.Verdict != curation.NeedsImage {
		t.Errorf("%+v", last)
	}
}
