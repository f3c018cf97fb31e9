package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
	"concord/store/page"
	"concord/store/record"
)

// corruptions is how many files are damaged.
const corruptions = "CONCORD_CORRUPTIONS"

// A damaged project gives what it gave before or an error, but never something
// else; nothing takes long; and every record that is not damaged can be saved.
func TestCorruption(t *testing.T) {
	n := 30
	if s := os.Getenv(corruptions); s != "" {
		n = got[int](t)(strconv.Atoi(s))
	} else {
		t.Logf("%d corruptions; %s=500 for more", n, corruptions)
	}
	whole, known := corruptible(t)
	live := liveRecords(t, whole)
	path := filepath.Join(t.TempDir(), "p.db")
	must(t, os.WriteFile(path, whole, 0o600))
	want := outputs(t, path, known)
	for name, out := range want {
		if out.err != nil {
			t.Fatalf("%s of the whole project: %v", name, out.err)
		}
	}
	rng := rand.New(rand.NewPCG(7, 11))
	found, harmless := 0, 0
	for i := range n {
		raw, how := corrupt(rng, whole)
		path := filepath.Join(t.TempDir(), "p.db")
		must(t, os.WriteFile(path, raw, 0o600))
		differ := false
		for name, out := range within(t, how, func() map[string]output { return outputs(t, path, known) }) {
			switch {
			case out.err != nil && !errors.Is(out.err, ErrCorrupt) && !errors.Is(out.err, ErrNotProject):
				t.Errorf("corruption %d, %s: %s: an error of another kind: %v", i, how, name, out.err)
				differ = true
			case out.err != nil:
				differ = true
			case out.text != want[name].text:
				t.Errorf("corruption %d, %s: %s differs in silence:\n%s", i, how, name, firstDifference(want[name].text, out.text))
				differ = true
			}
		}
		if differ {
			found++
		} else {
			harmless++
		}
		within(t, how, func() int { return repaired(t, path, how, whole, raw, live) })
		within(t, how, func() bool { return writes(t, path, known, want) })
	}
	t.Logf("%d found, %d without effect", found, harmless)
}

// output is what one way of reading gives.
type output struct {
	text string
	err  error
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d of %d and %d: %.200s\n%.200s", i, len(x), len(y), x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}

// within fails when something takes more than 20 seconds.
func within[T any](t *testing.T, how string, fn func() T) T {
	t.Helper()
	done := make(chan T, 1)
	go func() { done <- fn() }()
	select {
	case v := <-done:
		return v
	case <-time.After(20 * time.Second):
		t.Fatalf("%s: no end", how)
		panic("unreachable")
	}
}

// corrupt damages a copy of a file in one of several ways.
func corrupt(rng *rand.Rand, whole []byte) (raw []byte, how string) {
	raw = file.Clone(whole)
	size := os.Getpagesize()
	newest, _, _ := page.ReadMetas(bytes.NewReader(whole))
	pages := int(newest.Pages) // what is behind them is not used
	one := func() int { return rng.IntN(pages) }
	switch rng.IntN(12) {
	case 10: // both meta pages, or the newer one beyond mending
		if rng.IntN(2) == 0 {
			clear(raw[:2*size])
			return raw, "both meta pages zeroed"
		}
		p := int(newest.Commit % 2)
		clear(raw[p*size : p*size+200])
		return raw, fmt.Sprintf("newer meta page %d torn", p)
	case 11: // the freelist, and whatever else
		p, at := int(newest.Freelist), one()
		copy(raw[p*size:(p+1)*size], whole[at*size:])
		q, b := one(), 16+rng.IntN(200)
		raw[q*size+b] ^= 1
		return raw, fmt.Sprintf("page %d is a copy of page %d, and a bit of byte %d of page %d", p, at, b, q)
	case 0: // the meta pages
		p, at := rng.IntN(2), rng.IntN(80)
		raw[p*size+at] ^= 1 << rng.IntN(8)
		return raw, fmt.Sprintf("a bit of byte %d of meta page %d", at, p)
	case 1, 2: // the header and the first elements of a page
		p, at := one(), rng.IntN(16+4*16)
		bit := rng.IntN(8)
		raw[p*size+at] ^= 1 << bit
		return raw, fmt.Sprintf("bit %d of byte %d of page %d", bit, at, p)
	case 3, 4, 5:
		at, bit := rng.IntN(pages*size), rng.IntN(8)
		raw[at] ^= 1 << bit
		return raw, fmt.Sprintf("bit %d of byte %d of page %d", bit, at%size, at/size)
	case 6: // torn: the end of a page is that of another, or nothing
		p, q, from := one(), one(), (1+rng.IntN(7))*size/8
		if rng.IntN(2) == 0 {
			copy(raw[p*size+from:(p+1)*size], whole[q*size+from:(q+1)*size])
			return raw, fmt.Sprintf("page %d torn at %d, the rest of page %d", p, from, q)
		}
		clear(raw[p*size+from : (p+1)*size])
		return raw, fmt.Sprintf("page %d torn at %d, zeros", p, from)
	case 7: // a page lost
		p := one()
		clear(raw[p*size : (p+1)*size])
		return raw, fmt.Sprintf("page %d zeroed", p)
	case 8:
		p, q := one(), one()
		copy(raw[p*size:(p+1)*size], whole[q*size:(q+1)*size])
		copy(raw[q*size:(q+1)*size], whole[p*size:(p+1)*size])
		return raw, fmt.Sprintf("pages %d and %d swapped", p, q)
	}
	end := rng.IntN(pages * size)
	return raw[:end], fmt.Sprintf("cut off at %d of %d", end, pages*size)
}

// writes changes a damaged project in all tables at once. What it takes must not
// make damage look like a whole project.
func writes(t *testing.T, path string, k known, want map[string]output) bool {
	s, err := Open(path, Options{NoSync: true, Now: clock})
	if err != nil {
		return false
	}
	ctx := context.Background()
	for _, run := range k.runs {
		for i := range 40 {
			_ = s.Runs().Record(ctx, fact(key(run.ID, i*10, 7), "more", eval.Found))
		}
	}
	for i := range 20 {
		_ = s.Leases().Put(ctx, "q", annotate.Lease{Item: item(k.runs[0].ID, i, 0), Who: annotate.Annotator(fmt.Sprint("p", i)), Until: clock()})
	}
	data := []byte("another image")
	_ = s.Datasets().BeginDataset(ctx, eval.Dataset{Name: "e", Samples: 1, Hash: "e"})
	one := samples(1)
	one[0].Pictures = map[eval.PictureHash][]byte{hashOf(data): data}
	_ = s.Datasets().PutSamples(ctx, "e", one[:1:1])
	_ = s.Acts().Append(ctx, []annotate.Act{label("q", "cyd", 1, item(k.runs[0].ID, 5, 0), "B")})
	if err := s.Close(); err != nil {
		return false
	}
	after := outputs(t, path, k)
	for name, out := range after {
		unchanged := strings.HasPrefix(name, "acts") || strings.HasPrefix(name, "recent") || strings.HasPrefix(name, "prediction") ||
			strings.HasPrefix(name, "item") || strings.HasPrefix(name, "vote") || strings.HasPrefix(name, "samples") ||
			strings.HasPrefix(name, "criteria") || strings.HasPrefix(name, "picture") || strings.HasPrefix(name, "found")
		if unchanged && out.err == nil && out.text != want[name].text {
			t.Errorf("after a write %s differs in silence:\n%s", name, firstDifference(want[name].text, out.text))
		}
	}
	return true
}

// liveRecord is a record that the project has, and where its bytes are.
type liveRecord struct {
	table     record.Table
	key, body []byte
	spans     [][2]int
}

// liveRecords are all records but those that a repair makes anew.
func liveRecords(t *testing.T, whole []byte) (all []liveRecord) {
	t.Helper()
	newest, _, err := page.ReadMetas(bytes.NewReader(whole))
	must(t, err)
	size := newest.PageSize
	for _, table := range page.NewReader(bytes.NewReader(whole), newest, 1).AccountPages(0).Tables {
		name := record.Table(table.Name)
		if slices.Contains([]record.Table{record.TableMeta, record.TableSums, record.TableCounts, record.TableTallies}, name) {
			continue
		}
		table.Ascend(nil, func(l page.Leaf, perr *page.Error) bool {
			if perr != nil {
				t.Fatal(perr)
			}
			for i := range l.Len {
				k, v := l.Key(i), l.Value(i)
				body, _, err := record.Unseal(name, k, v, false)
				must(t, err)
				one := liveRecord{name, file.Clone(k), file.Clone(body), nil}
				if l.Pages > 0 {
					at := int(l.ID) * size
					data := at + bytes.Index(whole[at:at+l.Pages*size], append(file.Clone(k), v...))
					one.spans = [][2]int{{at + 16 + 16*i, at + 32 + 16*i}, {data, data + len(k) + len(v)}}
				}
				all = append(all, one)
			}
			return true
		})
	}
	return all
}

// repaired saves a damaged file and looks for every record of which no byte
// differs. Tables that stand within the table of tables are left out, and so are
// files that are cut off before the first page that is left of a project.
func repaired(t *testing.T, path, how string, whole, raw []byte, live []liveRecord) int {
	to := path + ".saved"
	n, lost, err := Repair(context.Background(), path, to, Options{Now: clock})
	if err != nil {
		if !strings.Contains(err.Error(), "no page of a project is in it") || len(raw) > 16*os.Getpagesize() {
			t.Errorf("%s: repair: %v", how, err)
		}
		return 0
	}
	s, err := Open(to, Options{ReadOnly: true})
	if err != nil {
		t.Errorf("%s: the saved project: %v", how, err)
		return 0
	}
	defer func() { _ = s.Close() }()
	if _, damage, err := s.Check(context.Background()); err != nil || damage != nil {
		t.Errorf("%s: the saved project: %v, %v", how, damage, err)
	}
	missing := 0
	for _, r := range live {
		have, err := s.file.Get(r.table, r.key)
		if err == nil && bytes.Equal(have, r.body) {
			continue
		}
		missing++
		if r.table == record.TablePictures {
			if blob, _ := s.file.Get(record.TableBlobs, r.body); blob == nil {
				continue // a picture without bytes is none
			}
		}
		whole := r.spans != nil && !slices.ContainsFunc(r.spans, func(s [2]int) bool {
			return s[1] > len(raw) || !bytes.Equal(raw[s[0]:s[1]], whole[s[0]:s[1]])
		})
		if whole {
			t.Errorf("%s: %s is not saved (%v)", how, record.DescribeRecord(r.table, r.key), err)
			return n
		}
	}
	if missing > 0 && len(lost) == 0 {
		t.Errorf("%s: %d records are missing, and none is told", how, missing)
	}
	return n
}
