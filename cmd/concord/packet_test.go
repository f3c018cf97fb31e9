package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"concord/eval/dataset"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/session"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/command/queue"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/server"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/store"
)

// packetHouse is a project with pairs that show their criteria, and open
// answers to score, all with a truth, a judge and other people.
type packetHouse struct {
	t   *testing.T
	dir string
	app *project.Project
	out bytes.Buffer
}

const packetSecret = "do-not-tell"

func newPacketHouse(t *testing.T) *packetHouse {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	h := &packetHouse{t: t, dir: t.TempDir()}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	h.app = newTestApp(cli.Streams{In: strings.NewReader(""), Out: &h.out, Err: &h.out}, "")
	h.app.Now = func() time.Time { now = now.Add(time.Second); return now }
	h.in("home.db", h.furnish)
	return h
}

func (h *packetHouse) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *packetHouse) path(name string) string { return filepath.Join(h.dir, name) }

// in opens a project.
func (h *packetHouse) in(name string, do func(*store.Store)) {
	h.t.Helper()
	st, err := store.Open(h.path(name), store.Options{Now: h.app.Now})
	h.must(err)
	do(st)
	h.must(st.Close())
}

func (h *packetHouse) furnish(st *store.Store) {
	ctx := h.t.Context()
	picture := []byte("an image")
	sum := sha256.Sum256(picture)
	hash := eval.PictureHash(hex.EncodeToString(sum[:]))
	var items []dataset.Item
	for o := range eval.Ordinal(3) {
		items = append(items, dataset.Item{Pictures: map[eval.PictureHash][]byte{hash: picture}, Sample: eval.Sample{
			Ordinal: o, ID: eval.SampleID(fmt.Sprint("s", o)), Kind: eval.KindOpen, Question: "What?", Reference: "right-" + fmt.Sprint(o),
			Pictures: []eval.Picture{{Hash: hash, Name: "p.png"}}, Taxonomy: []string{packetSecret}, Type: eval.OpenEnded,
		}})
	}
	d := eval.Dataset{Name: "d", Samples: len(items), Hash: "h", Origin: packetSecret}
	h.must(st.Datasets().BeginDataset(ctx, d))
	h.must(st.Datasets().PutSamples(ctx, "d", items))
	h.must(st.Datasets().FinishDataset(ctx, d))
	pairs := annotate.Queue{Name: "pairs", Rule: annotate.Rule{Dataset: "d", From: annotate.FromPairs, Anchor: 1}, Overlap: 2, Criteria: true}
	scores := annotate.Queue{Name: "scores", Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll, Rules: packetSecret}, Overlap: 1}
	var two, one []annotate.QueueItem
	for run := range eval.RunID(2) {
		_, err := st.Runs().CreateRun(ctx, eval.Config{Dataset: "d", Model: fmt.Sprint(packetSecret, run), Origin: eval.Asked, File: packetSecret})
		h.must(err)
		for o := range eval.Ordinal(3) {
			k := eval.Key{Run: run + 1, Sample: o}
			h.must(st.Runs().Record(ctx, eval.Fact{
				Prediction: eval.Prediction{Key: k, Text: "answer " + k.String(), Reasoning: packetSecret, Served: packetSecret},
				Reading:    eval.Extraction{Status: eval.None}, Reader: packetSecret + "@1",
			}))
			if one = append(one, annotate.QueueItem{Key: annotate.NewItemKey(k), Inclusion: 0.5}); run == 1 {
				two = append(two, annotate.QueueItem{Key: annotate.ItemKey{Key: k, Against: 1}, Inclusion: 0.5, Group: packetSecret})
			}
		}
	}
	h.must(st.Judgments().RecordJudgment(ctx, eval.Judgment{Key: one[0].Key.Key, Judge: packetSecret, Raw: packetSecret}, false))
	for o := range eval.Ordinal(2) {
		set := criteria.NewSet("d", o)
		a := set.NewAct(criteria.Drafted, packetSecret, h.app.Now())
		a.Criteria = []criteria.Criterion{{Type: criteria.Range, Text: "names it\n2. in words"}, {Text: "is kind"}}
		h.must(st.Criteria().Append(ctx, a))
	}
	h.must(st.Queues().CreateQueue(ctx, pairs, two))
	h.must(st.Queues().CreateQueue(ctx, scores, one, annotate.Gold{Key: one[0].Key, Reading: annotate.Reading{Kind: annotate.Scored, Score: 4}, From: packetSecret}))
	h.must(st.Acts().Append(ctx, []annotate.Act{
		{Queue: "pairs", Annotator: packetSecret, N: 1, Item: two[0].Key, Kind: annotate.Noted, Text: packetSecret},
		{Queue: "pairs", Annotator: "ann", N: 1, Item: two[1].Key, Kind: annotate.Noted, Text: "mine", At: h.app.Now()},
	}))
}

// act gives the next act of ann in a queue of a project on one of its items.
func (h *packetHouse) act(name string, q annotate.QueueName, index int, kind annotate.ActKind, r annotate.Reading) {
	h.t.Helper()
	h.in(name, func(st *store.Store) {
		acts, err := st.Acts().Acts(q, "ann")
		h.must(err)
		it, err := st.Queues().QueueItem(q, index)
		h.must(err)
		h.must(st.Acts().Append(h.t.Context(), []annotate.Act{{
			Queue: q, Annotator: "ann", N: uint32(len(acts) + 1), Item: it.Key, Kind: kind, Reading: r, At: h.app.Now(), Spent: time.Second,
		}}))
	})
}

// run runs a command at home, and gives its output.
func (h *packetHouse) run(code int, args ...string) string {
	h.t.Helper()
	return h.runIn("home.db", code, args...)
}

func (h *packetHouse) runIn(name string, code int, args ...string) string {
	h.t.Helper()
	h.out.Reset()
	h.app.Args = append(args, "-p", h.path(name))
	if got := h.app.Execute(h.t.Context()); got != code {
		h.t.Fatalf("%v: exit status %d: %s", args, got, &h.out)
	}
	return h.out.String()
}

// What a person is shown in a packet is what they would be shown at home, and
// nothing else is in the file.
func TestPacketsHoldWhatHomeShows(t *testing.T) {
	h := newPacketHouse(t)
	for q, items := range map[annotate.QueueName]int{"pairs": 3, "scores": 6} {
		file := string(q) + ".db"
		h.run(cli.ExitDone, "packet", "make", "--queue", string(q), "--for", "ann", "-o", h.path(file))
		raw, err := os.ReadFile(h.path(file))
		h.must(err)
		if bytes.Contains(raw, []byte(packetSecret)) || q == "pairs" && bytes.Contains(raw, []byte("right-")) {
			t.Errorf("the packet of %s tells too much", q)
		}
		h.in("home.db", func(home *store.Store) {
			h.in(file, func(there *store.Store) {
				for i := range items {
					want, err := home.Queues().Item(t.Context(), q, i)
					h.must(err)
					got, err := there.Queues().Item(t.Context(), q, i)
					h.must(err)
					want.Key = got.Key
					if !reflect.DeepEqual(got, want) {
						t.Errorf("got\n%+v\nwant\n%+v", got, want)
					}
					data, err := there.Datasets().Picture(got.Pictures[0].Hash)
					if h.must(err); string(data) != "an image" {
						t.Errorf("image %q", data)
					}
				}
				left, err := there.Packets().ItemsAway(q)
				if h.must(err); len(left) > 0 {
					t.Errorf("a packet keeps items of itself: %v", left)
				}
			})
		})
	}
}

func TestVotesAndScoresComeHome(t *testing.T) {
	h := newPacketHouse(t)
	h.run(cli.ExitDone, "packet", "make", "--queue", "pairs", "--for", "ann", "-o", h.path("pairs.db"))
	h.run(cli.ExitDone, "packet", "make", "--queue", "scores", "--for", "ann", "-o", h.path("scores.db"))
	vote := annotate.Reading{Kind: annotate.Voted, Vote: eval.Answer2, Swapped: true, Criteria: "c"}
	h.act("pairs.db", "pairs", 0, annotate.Labelled, vote)
	h.act("pairs.db", "pairs", 0, annotate.Flagged, annotate.Reading{})
	h.act("pairs.db", "pairs", 1, annotate.Labelled, annotate.Reading{Kind: annotate.Voted, Vote: eval.Answer1})
	h.act("home.db", "pairs", 1, annotate.Labelled, annotate.Reading{Kind: annotate.Voted, Vote: eval.Answer1, Swapped: true})
	h.act("scores.db", "scores", 5, annotate.Labelled, annotate.Reading{Kind: annotate.Scored, Score: 2})

	got := decode[queue.PacketMerged](t, h.runJSON("packet", "merge", h.path("pairs.db")))
	want := []queue.PacketClash{{
		Sample: "s1", Model: packetSecret + "1", Against: packetSecret + "0", What: "label", Home: packetSecret + "0", Packet: packetSecret + "1",
	}}
	if got.Added != 1 || got.Skipped != 1 || got.Acts != 2 || !reflect.DeepEqual(got.Contradictions, want) {
		t.Errorf("%+v", got)
	}
	if got := decode[queue.PacketMerged](t, h.runJSON("packet", "merge", h.path("scores.db"))); got.Added != 1 {
		t.Errorf("%+v", got)
	}
	h.in("home.db", func(st *store.Store) {
		acts, err := st.Acts().Acts("pairs", "ann")
		h.must(err)
		l := annotate.FoldActs(acts).Labels[annotate.ItemKey{Key: eval.Key{Run: 2}, Against: 1}]
		if !reflect.DeepEqual(l.Reading, vote) || !l.Flagged || l.Spent != time.Second || l.Note != "" {
			t.Errorf("%+v", l)
		}
	})
	// An answer that nobody can have given is damage.
	h.act("scores.db", "scores", 4, annotate.Labelled, annotate.Reading{Kind: annotate.PickedOption, Choice: "Q"})
	if got := h.run(cli.ExitFailed, "packet", "merge", h.path("scores.db")); !strings.Contains(got, "the packet is damaged: act 2 of ann: choice Q") {
		t.Error(got)
	}
}

func (h *packetHouse) runJSON(args ...string) string {
	h.t.Helper()
	errs := h.app.Err
	h.app.Err = io.Discard
	defer func() { h.app.Err, h.app.JSON = errs, false }()
	return h.run(cli.ExitDone, append(args, "--json")...)
}

// Which answer stands first is balanced over people wherever they vote.
func TestSidesAreBalancedAwayToo(t *testing.T) {
	h := newPacketHouse(t)
	for i, swapped := range []bool{true, false} {
		h.in("home.db", func(st *store.Store) {
			it, err := st.Queues().QueueItem("pairs", i)
			h.must(err)
			h.must(st.Acts().Append(t.Context(), []annotate.Act{{
				Queue: "pairs", Annotator: "cy", N: uint32(i + 1), Item: it.Key, Kind: annotate.Labelled,
				Reading: annotate.Reading{Kind: annotate.Voted, Vote: eval.Answer1, Swapped: swapped},
			}}))
		})
	}
	h.run(cli.ExitDone, "packet", "make", "--queue", "pairs", "--for", "ann", "-o", h.path("pairs.db"))
	h.in("pairs.db", func(st *store.Store) {
		o, err := view.Queue{Store: st, Sync: func(context.Context, annotate.QueueName, annotate.Annotator) error { return nil }}.Open(t.Context(), "pairs", "ann")
		h.must(err)
		s, err := session.New(o)
		h.must(err)
		if s.Walk.Len() != 3 || s.IsSwapped(o.Items[0].Key) || !s.IsSwapped(o.Items[1].Key) {
			t.Errorf("%d items, sides %v", s.Walk.Len(), o.Sides)
		}
	})
}

// A packet that could not be put in its place never went out.
func TestAPacketThatCannotBeWrittenIsNotAway(t *testing.T) {
	h := newPacketHouse(t)
	h.run(cli.ExitFailed, "packet", "make", "--queue", "pairs", "--for", "ann", "-o", filepath.Join(h.dir, "nowhere", "x.db"))
	h.in("home.db", func(st *store.Store) {
		all, err := st.Packets().List()
		if h.must(err); len(all) > 0 {
			t.Errorf("%+v", all)
		}
	})
	left, err := filepath.Glob(h.path(".*"))
	if h.must(err); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// The app works under the name that a packet is for, and opens on its queue.
func TestAPacketOpensForItsPerson(t *testing.T) {
	h := newPacketHouse(t)
	h.run(cli.ExitDone, "packet", "make", "--queue", "pairs", "--for", "ann", "-o", h.path("pairs.db"))
	check := func(name, as, who string, q annotate.QueueName, ok bool) {
		t.Helper()
		h.in(name, func(st *store.Store) {
			o := server.ScreenOptions{As: as}
			if err := server.SetPacketAnnotator(h.app, st, &o); (err == nil) != ok || ok && (o.As != who || o.Start.Queue != q) {
				t.Errorf("%+v, %v", o.Start, err)
			}
		})
	}
	check("pairs.db", "", "ann", "pairs", true)
	check("pairs.db", "ann", "ann", "pairs", true)
	check("pairs.db", "bob", "", "", false)
	check("home.db", "bob", "bob", "", true)
}

// A packet is a project like any other, and what cannot be done with it is said.
func TestWhatAPacketIsNot(t *testing.T) {
	h := newPacketHouse(t)
	h.run(cli.ExitDone, "packet", "make", "--queue", "scores", "--for", "ann", "-o", h.path("there.db"))
	h.must(os.WriteFile(h.path("damaged.db"), bytes.Repeat([]byte("x"), 9000), 0o600))
	says := func(name string, code int, what string, args ...string) {
		t.Helper()
		if got := h.runIn(name, code, args...); !strings.Contains(got, what) {
			t.Errorf("%s %v: %s", name, args, got)
		}
	}
	says("there.db", cli.ExitDone, `"golds": 0`, "queue", "list", "--json")
	says("there.db", cli.ExitDone, "this project", "packet", "list")
	says("there.db", cli.ExitFailed, "is a packet itself", "packet", "make", "--queue", "scores", "--for", "ann")
	says("there.db", cli.ExitFailed, "it is a project, and no packet", "packet", "merge", h.path("home.db"))
	says("home.db", cli.ExitDone, "away", "packet", "list")
	says("home.db", cli.ExitUsage, "is the project itself", "packet", "merge", h.path("home.db"))
	says("home.db", cli.ExitUsage, "--items counts items", "packet", "make", "--queue", "scores", "--for", "ann", "--items", "-1")
	says("home.db", cli.ExitUsage, "is there already", "packet", "make", "--queue", "pairs", "--for", "ann", "-o", h.path("there.db"))
	says("home.db", cli.ExitFailed, "see: concord queue list", "packet", "make", "--queue", "other", "--for", "ann")
	says("home.db", cli.ExitFailed, "there is no such file", "packet", "merge", h.path("nothing.db"))
	says("home.db", cli.ExitFailed, "no packet, or a damaged one", "packet", "merge", h.path("damaged.db"))
	says("home.db", cli.ExitFailed, `packet of "nobody": not found`, "packet", "recall", "nobody")
	for _, report := range []string{"accuracy", "scores", "dataset"} {
		h.runIn("there.db", cli.ExitDone, "report", report)
	}
	says("there.db", cli.ExitDone, "not criteria", "report", "all", "--out", h.path("reports"))
}
