package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/store"
)

// TestPacketComesHomeWhileOthersWork makes a packet, and merges it, while
// somebody labels the queue that it is of.
func TestPacketComesHomeWhileOthersWork(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	f := serveTeam(t, 6, 1)
	h, err := project.ListenAsHolder(t.Context(), f.host.Project, f.st)
	f.must(err)
	defer h.Close()
	for _, who := range []string{"ann", "bob"} {
		f.person(who, annotate.RoleAnnotator)
	}
	far := filepath.Join(dir, "far.db")
	command := func(want string, args ...string) {
		t.Helper()
		var out bytes.Buffer
		runProgram(t.Context(), append([]string{"-p", f.path}, args...), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out})
		if !strings.Contains(out.String(), want) {
			t.Errorf("%v: %s, want %q", args, out.String(), want)
		}
	}
	bob := f.come("bob", 80, 24)
	bob.open(0) // has the first item in front of him
	command("3 items of queue q1 for ann", "packet", "make", "--queue", "q1", "--for", "ann", "--items", "3", "-o", far)
	labelPacket(t, far, "ann", 3)
	command("read 3 labels of 3 items, added 3", "packet", "merge", far)
	for range 2 {
		bob.label("1")
	}
	bob.last("1")
	bob.paints("3/3")
	if got := strings.Join(bob.seen, " "); got != "s000000 s000004 s000005" {
		t.Errorf("bob was shown %s, ann's packet was of 1 to 3", got)
	}
	f.saved("q1", "bob", 3)
	if got := f.labels("q1"); len(got) != 6 {
		t.Errorf("labels: %v", got)
	}

	ann := f.come("ann", 80, 24)
	ann.paints("3/3")
	command("they work in the queue at this moment: merge it when they have left", "packet", "merge", far)
	ann.leave()
	command("added 0, revised 0, unchanged 3", "packet", "merge", far)
	bob.leave()
}

// labelPacket gives the first so many items of a packet a label.
func labelPacket(t *testing.T, path string, who annotate.Annotator, n int) {
	t.Helper()
	st, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var acts []annotate.Act
	for it, err := range st.Queues().QueueItems(t.Context(), "q1") {
		if err != nil {
			t.Fatal(err)
		}
		if len(acts) < n {
			acts = append(acts, annotate.Act{
				Queue: "q1", Annotator: who, N: uint32(len(acts) + 1), Item: it.Key, Kind: annotate.Labelled,
				Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: "A"}, At: time.Now(),
			})
		}
	}
	if err := st.Acts().Append(t.Context(), acts); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
}
