package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/store/file"
	"concord/store/record"
)

func actKey(q annotate.QueueName, who annotate.Annotator, n int) []byte {
	return record.AppendU32(record.StreamPrefix(q, who), uint32(n))
}

// chainedProject has acts of two people in two queues, on criteria and in the
// curation of a pool: ann's chain is r1-5 q1-5, bob's q1-4 with an undo.
func chainedProject(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.db")
	s := got[*Store](t)(Open(path, Options{NoSync: true, Now: clock}))
	addDataset(t, s, "d", samples(10))
	run := addRun(t, s, "m")
	got[int](t)(s.Runs().RecordAll(t.Context(), benchFacts(run.ID, 0, 10)))
	addQueue(t, s, "q", run.ID, 10)
	addQueue(t, s, "r", run.ID, 10)
	act := func(q annotate.QueueName, who annotate.Annotator, n int) {
		must(t, s.Acts().Append(t.Context(), []annotate.Act{label(q, who, n, item(run.ID, n, 0), "A")}))
	}
	for n := range 5 {
		act("r", "ann", n+1)
	}
	for n := range 3 {
		act("q", "bob", n+1)
	}
	for n := range 5 {
		act("q", "ann", n+1)
	}
	undo := annotate.Act{Queue: "q", Annotator: "bob", N: 4, Item: item(run.ID, 3, 0), Kind: annotate.TookBack, Target: 3, At: clock()}
	must(t, s.Acts().Append(t.Context(), []annotate.Act{undo}))
	for n := range uint32(2) {
		_, err := actOn(t, s, 1, criteria.Drafted, "cy", draft(fmt.Sprint("criterion ", n)))
		must(t, err)
		must(t, s.Curation().Append(t.Context(), []curation.Act{{Dataset: "d", Expert: "cy", N: n + 1, Sample: 1, Kind: curation.Noted, Text: "x", At: clock()}}))
	}
	must(t, s.Close())
	return path
}

func where(a *chain.Act) string {
	return fmt.Sprintf("%s%s/%s/%d", a.Queue, a.Dataset, a.Who, a.N)
}

// faults are what is wrong with the chains of a project, one a line.
func faults(t *testing.T, path string, published ...chain.Published) string {
	t.Helper()
	s := openAt(t, path, Options{ReadOnly: true})
	all, damage, err := s.Acts().CheckChains(t.Context(), published)
	must(t, errors.Join(err, s.Close()))
	var out []string
	for _, c := range all {
		for _, f := range c.Faults {
			line := fmt.Sprintf("%s: %s", c.Person, f.Kind)
			if f.N > 0 {
				line += " " + where(&f.Act)
			}
			if f.Acts > 0 {
				line += fmt.Sprint(" ", f.Acts)
			}
			out = append(out, line)
			if words := f.Describe(where); words == string(f.Kind) || words == "" {
				t.Errorf("no words for %s", f.Kind)
			}
		}
	}
	for _, d := range damage {
		out = append(out, d.Error())
	}
	return strings.Join(out, "\n")
}

func TestForgedChains(t *testing.T) {
	whole, err := os.ReadFile(chainedProject(t))
	must(t, err)
	head := func(f *forger, who string, fn func(*chain.Head)) {
		h := got[chain.Head](t)(record.ReadHead([]byte(who), f.get(record.TableHeads, []byte(who))))
		fn(&h)
		f.put(record.TableHeads, []byte(who), record.EncodeHead(h))
	}
	loose := func(_ *annotate.Act, l *chain.Link) { *l = chain.Link{} }
	for _, c := range []struct {
		name string
		do   func(*forger)
		want string
	}{
		{"nothing", func(*forger) {}, ""},
		{"changed", func(f *forger) {
			f.change(actKey("q", "ann", 3), func(a *annotate.Act, _ *chain.Link) { a.Reading.Choice = "B" })
		}, "ann: changed q/ann/3"},
		{"changed at the end of a queue", func(f *forger) {
			f.change(actKey("r", "ann", 5), func(a *annotate.Act, _ *chain.Link) { a.Informed = true })
		}, "ann: changed r/ann/5"},
		{"last changed", func(f *forger) {
			f.change(actKey("q", "ann", 5), func(a *annotate.Act, _ *chain.Link) { a.At = a.At.Add(time.Second) })
		}, "ann: changed q/ann/5"},
		{"undo undone", func(f *forger) {
			f.change(actKey("q", "bob", 4), func(a *annotate.Act, _ *chain.Link) { a.Target = 2 })
		}, "bob: changed q/bob/4"},
		{"removed", func(f *forger) {
			f.drop(record.TableActs, actKey("r", "ann", 2))
		}, "ann: missing r/ann/2"},
		{"last of a queue removed", func(f *forger) {
			f.drop(record.TableActs, actKey("r", "ann", 5))
		}, "ann: missing r/ann/5"},
		{"last two removed", func(f *forger) {
			f.drop(record.TableActs, actKey("q", "ann", 4))
			f.drop(record.TableActs, actKey("q", "ann", 5))
		}, "ann: missing q/ann/4\nann: missing q/ann/5"},
		{"last two removed, and counted so", func(f *forger) {
			f.drop(record.TableActs, actKey("q", "ann", 4))
			f.drop(record.TableActs, actKey("q", "ann", 5))
			f.drop(record.TableTallies, record.StreamPrefix("q", "ann"))
		}, "ann: lost 2"},
		{"a whole queue of somebody removed", func(f *forger) {
			for n := range 5 {
				f.drop(record.TableActs, actKey("r", "ann", n+1))
			}
		}, "ann: missing r/ann/1\nann: missing r/ann/2\nann: missing r/ann/3\nann: missing r/ann/4\nann: missing r/ann/5"},
		{"put in at the end", func(f *forger) {
			f.put(record.TableActs, actKey("q", "ann", 6), f.get(record.TableActs, actKey("q", "ann", 5)))
			f.change(actKey("q", "ann", 6), loose)
		}, "ann: put_in q/ann/6"},
		{"put in as a copy", func(f *forger) {
			f.put(record.TableActs, actKey("q", "ann", 6), f.get(record.TableActs, actKey("q", "ann", 2)))
		}, "ann: put_in q/ann/6"},
		{"put in behind the head", func(f *forger) {
			f.put(record.TableActs, actKey("q", "ann", 6), f.get(record.TableActs, actKey("q", "ann", 5)))
			f.change(actKey("q", "ann", 6), func(_ *annotate.Act, l *chain.Link) { l.Place = 11 })
		}, "ann: beyond q/ann/6 1"},
		{"put in for somebody new", func(f *forger) {
			f.put(record.TableActs, actKey("q", "dan", 1), f.get(record.TableActs, actKey("q", "ann", 1)))
			f.change(actKey("q", "dan", 1), loose)
		}, "dan: no_head q/dan/1 1"},
		{"put in where somebody has acted elsewhere", func(f *forger) {
			f.put(record.TableActs, actKey("r", "bob", 1), f.get(record.TableActs, actKey("q", "ann", 1)))
			f.change(actKey("r", "bob", 1), loose)
		}, "bob: put_in r/bob/1"},
		{"swapped", func(f *forger) {
			f.swap(record.TableActs, actKey("q", "ann", 2), actKey("q", "ann", 3))
		}, "ann: changed q/ann/3\nann: changed q/ann/2"},
		{"moved to another person", func(f *forger) {
			key := actKey("q", "ann", 4)
			f.put(record.TableActs, actKey("q", "bob", 5), f.get(record.TableActs, key))
			f.drop(record.TableActs, key)
		}, "ann: missing q/ann/4\nbob: beyond q/bob/5 1"},
		{"taken over from another person", func(f *forger) {
			f.swap(record.TableActs, actKey("q", "ann", 1), actKey("q", "bob", 1))
		}, "ann: put_in q/ann/1\nann: lost 1\nbob: lost 1\nbob: beyond q/bob/1 1"},
		{"head put back", func(f *forger) {
			head(f, "ann", func(h *chain.Head) { h.Place = 6 })
		}, "ann: changed q/ann/1\nann: beyond q/ann/2 4"},
		{"head of another act", func(f *forger) {
			head(f, "ann", func(h *chain.Head) { h.Hash[0]++ })
		}, "ann: changed q/ann/5"},
		{"head removed", func(f *forger) {
			f.drop(record.TableHeads, []byte("ann"))
		}, "ann: no_head r/ann/1 10"},
		{"head reset", func(f *forger) {
			f.put(record.TableHeads, []byte("ann"), record.EncodeHead(chain.Head{Hash: chain.NewInitialHash("ann").Sum()}))
		}, "ann: beyond r/ann/1 10"},
		{"criteria removed", func(f *forger) {
			f.drop(record.TableCriteria, record.AppendU32(record.SampleKey("d", 1), 1))
		}, "cy: lost 1\n: missing d//1"},
		{"curation swapped", func(f *forger) {
			f.swap(record.TableCuration, record.AppendU32(record.ExpertPrefix("d", "cy"), 1), record.AppendU32(record.ExpertPrefix("d", "cy"), 2))
		}, "cy: changed d/cy/2\ncy: changed d/cy/1"},
		{"links taken off", func(f *forger) {
			for n := range 4 {
				f.change(actKey("q", "bob", n+1), loose)
			}
		}, "bob: lost 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "p.db")
			must(t, os.WriteFile(path, whole, 0o600))
			forge(t, path, c.do)
			same(t, faults(t, path), c.want)
		})
	}
}

// An act whose record is damaged is told as damaged, not as one that somebody
// removed.
func TestDamagedActOfAChain(t *testing.T) {
	whole, err := os.ReadFile(chainedProject(t))
	must(t, err)
	for _, n := range []int{3, 5} { // the last one too
		path := filepath.Join(t.TempDir(), "p.db")
		must(t, os.WriteFile(path, whole, 0o600))
		key := actKey("q", "ann", n)
		db := got[*bbolt.DB](t)(bbolt.Open(path, 0o600, nil))
		must(t, db.Update(func(tx *bbolt.Tx) error {
			acts := tx.Bucket([]byte(record.TableActs))
			value := bytes.Clone(acts.Get(key))
			value[len(value)-1] ^= 4
			return acts.Put(key, value)
		}))
		must(t, db.Close())
		lines := strings.Split(faults(t, path), "\n")
		same(t, lines[0], fmt.Sprintf("ann: unread q/ann/%d", n))
		if len(lines) != 2 || !strings.Contains(lines[1], "checksum") {
			t.Errorf("%q", lines)
		}
	}
}

// What the owner of the file can do to a chain and its head alike is found by a
// head that was published.
func TestPublishedHeads(t *testing.T) {
	path := chainedProject(t)
	s := openAt(t, path, Options{})
	heads := got[[]annotate.Head](t)(s.Acts().Heads())
	must(t, s.Close())
	same(t, fmt.Sprint(heads[0].Person, heads[0].Acts), "ann10")
	seen := []chain.Published{{Person: "ann", Hash: heads[0].Hash, Where: "saved report 1"}, {Person: "ann", Hash: strings.ToUpper(heads[0].Hash[:chain.ShortSize])}}
	same(t, faults(t, path, seen...), "")
	forge(t, path, func(f *forger) {
		codec := got[record.Codec](t)(record.NewCodec())
		for n := range 2 {
			f.drop(record.TableActs, actKey("q", "ann", n+4))
		}
		key := actKey("q", "ann", 3)
		r := record.NewBound(record.TableActs)
		must(t, codec.Decode(record.TableActs, key, f.get(record.TableActs, key), r.Record))
		form, _ := r.Form(key)
		f.put(record.TableHeads, []byte("ann"), record.EncodeHead(chain.Head{Place: 8, Hash: form.HashAct(r.Link())}))
		f.put(record.TableTallies, record.StreamPrefix("q", "ann"), got[[]byte](t)(codec.Encode(record.Tally{Acts: 3, Labelled: 3})))
	})
	same(t, faults(t, path), "")
	same(t, faults(t, path, seen...), "ann: unseen\nann: unseen")
	s = openAt(t, path, Options{})
	for _, wrong := range []string{"", heads[0].Hash[:chain.ShortSize-1], heads[0].Hash + "0", "x" + heads[0].Hash[1:]} {
		_, _, err := s.Acts().CheckChains(t.Context(), []chain.Published{{Person: "ann", Hash: wrong}})
		wantErr(t, err, ErrInvalid)
	}
}

// A project of before the chains keeps its acts as they are; what is done from
// then on is chained behind them.
func TestChainsBeginBehindOlderActs(t *testing.T) {
	path := chainedProject(t)
	forge(t, path, func(f *forger) {
		codec := got[record.Codec](t)(record.NewCodec())
		for _, name := range record.ActTables() {
			bare := make(map[string][]byte)
			must(t, f.tx.Bucket([]byte(name)).ForEach(func(k, _ []byte) error {
				r := record.NewBound(name)
				must(t, codec.Decode(name, k, f.get(name, k), r.Record))
				r.SetLink(chain.Link{})
				bare[string(k)] = got[[]byte](t)(codec.Encode(r.Record))
				return nil
			}))
			for k, v := range bare {
				f.put(name, []byte(k), v)
			}
		}
		for _, who := range []string{"ann", "bob", "cy"} {
			f.drop(record.TableHeads, []byte(who))
		}
	})
	db := got[*bbolt.DB](t)(bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second}))
	must(t, db.Update(func(tx *bbolt.Tx) error {
		must(t, tx.DeleteBucket([]byte(record.TableHeads)))
		value, _ := record.Seal(record.TableMeta, []byte(file.MetaEnvelope), append(record.EncodeU64(12), 0))
		must(t, tx.Bucket([]byte(record.TableMeta)).Put([]byte(file.MetaEnvelope), value))
		return tx.Bucket([]byte(record.TableMeta)).Put([]byte(file.MetaSchema), record.EncodeU64(12))
	}))
	must(t, db.Close())
	wantErr(t, second(Open(path, Options{ReadOnly: true})), ErrOlderSchema)

	s := openAt(t, path, Options{})
	run := got[[]annotate.QueueItem](t)(file.Collect(s.Queues().QueueItems(t.Context(), "q")))[0].Key.Run
	must(t, s.Acts().Append(t.Context(), []annotate.Act{label("q", "ann", 6, item(run, 6, 0), "A")}))
	all, _, err := s.Acts().CheckChains(t.Context(), nil)
	must(t, err)
	same(t, fmt.Sprintln(all[0].Acts, all[0].Older, where(all[0].Since), all[0].Head.Place), "11 10 q/ann/6 1\n")
	same(t, fmt.Sprintln(all[1].Acts, all[1].Older, all[1].Since, all[1].Head.Place), "4 4 <nil> 0\n")
	must(t, s.Close())
	same(t, faults(t, path), "")

	before := got[[]byte](t)(os.ReadFile(path))
	for _, c := range []struct {
		do   func(*forger)
		want string
	}{
		{func(f *forger) {
			f.change(actKey("q", "ann", 2), func(a *annotate.Act, _ *chain.Link) { a.Reading.Choice = "B" })
		}, "ann: beginning q/ann/1 10"},
		{func(f *forger) { f.drop(record.TableActs, actKey("q", "bob", 2)) }, "bob: beginning q/bob/1 3\nbob: missing q/bob/2"},
		{func(f *forger) { f.drop(record.TableHeads, []byte("bob")) }, "bob: no_head q/bob/1 4"},
	} {
		must(t, os.WriteFile(path, before, 0o600))
		forge(t, path, c.do)
		same(t, faults(t, path), c.want)
	}
}

// An act that comes again after it was chained is the same act.
func TestChainedActComesAgain(t *testing.T) {
	path := chainedProject(t)
	s := openAt(t, path, Options{})
	heads := got[[]annotate.Head](t)(s.Acts().Heads())
	for _, who := range []annotate.Annotator{"ann", "bob"} {
		must(t, s.Acts().Append(t.Context(), got[[]annotate.Act](t)(s.Acts().Acts("q", who))))
	}
	must(t, s.Curation().Append(t.Context(), got[[]curation.Act](t)(s.Curation().Acts("d", "cy"))))
	set := got[criteria.Set](t)(s.Criteria().Set("d", 1))
	must(t, s.Criteria().Append(t.Context(), set.History.Acts...))
	same(t, slices.Equal(got[[]annotate.Head](t)(s.Acts().Heads()), heads), true)
}

// A project that is written anew, or saved from a damaged file, keeps its
// chains.
func TestChainsSurvive(t *testing.T) {
	path := chainedProject(t)
	s := openAt(t, path, Options{})
	must(t, s.Compact(t.Context()))
	must(t, s.Close())
	same(t, faults(t, path), "")
	to := filepath.Join(t.TempDir(), "saved.db")
	_, lost, err := Repair(t.Context(), path, to, Options{Now: clock})
	must(t, err)
	same(t, len(lost), 0)
	same(t, faults(t, to), "")
	forge(t, path, func(f *forger) { f.drop(record.TableHeads, []byte("ann")) })
	must(t, os.Remove(to))
	_, _, err = Repair(t.Context(), path, to, Options{Now: clock})
	must(t, err)
	same(t, faults(t, to), "")
}
