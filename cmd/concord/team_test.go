package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"concord/eval/dataset"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/keys"
	"concord/cmd/concord/internal/server"
	"concord/cmd/concord/internal/server/ssh"
	"concord/eval"
	"concord/store"
)

// teamRig is a project that is served to people who come in by SSH.
type teamRig struct {
	tb   testing.TB
	path string
	keep int // of what is painted, in bytes, for each client
	st   *store.Store
	host *server.Listener
	gate *ssh.Gate
	addr string
	keys map[string]gossh.Signer
	next eval.Run // one to be written to meanwhile

	pictures [][]byte // of the questions, in turn; nil: painted
}

const teamPictures = 20

// serveTeam makes a project with items to label at each overlap, in the queues
// q1, q2 and so on, and serves it.
func serveTeam(tb testing.TB, items, overlaps int, pictures ...[]byte) *teamRig {
	tb.Helper()
	t := &teamRig{tb: tb, keep: screenful, keys: make(map[string]gossh.Signer), pictures: pictures}
	t.path = filepath.Join(tb.TempDir(), "p.db")
	st, err := store.Open(t.path, store.Options{})
	t.must(err)
	t.st = st
	t.fill(items, overlaps)
	a := newTestApp(cli.Streams{Out: io.Discard, Err: io.Discard}, t.path)
	t.host = server.NewListener(tb.Context(), a, st)
	a.Guests = t.host
	_, key, err := ed25519.GenerateKey(rand.Reader)
	t.must(err)
	signer, err := gossh.NewSignerFromSigner(key)
	t.must(err)
	t.gate, err = ssh.NewGate(ssh.Config{
		HostKeys: []gossh.Signer{signer}, Who: (&server.AuthorizedKeys{Store: st}).FindNameOfKey, Enter: t.host.ServeGuest, Log: a.Log,
	})
	t.must(err)
	t.host.SetGate(t.gate)
	ln, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	t.must(err)
	t.addr = ln.Addr().String()
	go func() { _ = t.gate.Serve(context.Background(), ln) }()
	tb.Cleanup(func() {
		if err := errors.Join(t.host.Close(), st.Close()); err != nil {
			tb.Error(err)
		}
	})
	return t
}

func (t *teamRig) must(err error) {
	t.tb.Helper()
	if err != nil {
		t.tb.Fatal(err)
	}
}

// fill makes the project: a picture on each question, of which there are a few.
func (t *teamRig) fill(n, overlaps int) {
	t.tb.Helper()
	ctx, st := t.tb.Context(), t.st
	d := eval.Dataset{Name: "d", Samples: n, Hash: "h"}
	t.must(st.Datasets().BeginDataset(ctx, d))
	config := eval.Config{Dataset: "d", Model: "first", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported}
	run, err := st.Runs().CreateRun(ctx, config)
	t.must(err)
	w, h := 64, 48 // a test looks at what comes when, and not at pictures
	if _, timed := t.tb.(*testing.B); timed {
		w, h = 1024, 768
	}
	pictures := t.pictures
	for i := len(pictures); t.pictures == nil && i < min(n, teamPictures); i++ {
		pictures = append(pictures, paintPicture(t.tb, i, w, h))
	}
	hashes := make([]eval.PictureHash, len(pictures))
	for i := range pictures {
		sum := sha256.Sum256(pictures[i])
		hashes[i] = eval.PictureHash(hex.EncodeToString(sum[:]))
	}
	var items []dataset.Item
	var facts []eval.Fact
	var queued []annotate.QueueItem
	for i := range n {
		p := i % len(pictures)
		items = append(items, dataset.Item{Sample: eval.Sample{
			Ordinal: eval.Ordinal(i), ID: eval.SampleID(fmt.Sprintf("s%06d", i)), Kind: eval.KindChoice, Question: "What is there?", Answer: "A",
			Options:  []eval.Option{{Letter: "A", Text: "a horse"}, {Letter: "B", Text: "a boat"}, {Letter: "C", Text: "a tree"}},
			Pictures: []eval.Picture{{Hash: hashes[p], Name: "photo"}},
		}, Pictures: map[eval.PictureHash][]byte{hashes[p]: pictures[p]}})
		k := eval.Key{Run: run.ID, Sample: eval.Ordinal(i)}
		facts = append(facts, eval.Fact{
			Prediction: eval.Prediction{Key: k, Text: "The image shows a street with two cars and a dog."},
			Reading:    eval.Extraction{Status: eval.Missing}, Reader: currentRules(), Closes: true,
		})
		queued = append(queued, annotate.QueueItem{Index: i, Key: annotate.NewItemKey(k), Inclusion: 1})
	}
	t.must(st.Datasets().PutSamples(ctx, "d", items))
	t.must(st.Datasets().FinishDataset(ctx, d))
	_, err = st.Runs().RecordAll(ctx, facts)
	t.must(err)
	for overlap := 1; overlap <= overlaps; overlap++ {
		t.must(st.Queues().CreateQueue(ctx, annotate.Queue{
			Name: annotate.QueueName("q" + strconv.Itoa(overlap)), Overlap: overlap, Population: n, Stratum: annotate.Random,
			Rule: annotate.Rule{Dataset: "d", Runs: []eval.RunID{run.ID}, From: annotate.FromUnparsable, Rules: currentRules()},
		}, queued))
	}
	config.Model, config.Origin = "running", eval.Replayed
	t.next, err = st.Runs().CreateRun(ctx, config)
	t.must(err)
}

// person makes somebody known.
func (t *teamRig) person(name string, role annotate.Role) {
	t.tb.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	t.must(err)
	t.keys[name], err = gossh.NewSignerFromSigner(key)
	t.must(err)
	one, err := annotate.Person{Name: annotate.Annotator(name)}.NextVersion(role, []string{keys.KeyOfPublicKey(t.keys[name].PublicKey()).Line}, "own", time.Now())
	t.must(err)
	t.must(t.st.People().Put(t.tb.Context(), one))
}

// What a client keeps of what is painted, in bytes: more than a screen holds, or
// all, since who labels without a pause seldom sees that all is saved.
const (
	screenful  = 64 << 10
	everything = 1 << 30
)

// mate is somebody's session, seen from their side.
type mate struct {
	t       *teamRig
	name    string
	client  *gossh.Client
	session *gossh.Session
	in      io.WriteCloser

	mu     sync.Mutex
	heard  *sync.Cond
	tail   []byte
	at     time.Time
	sample string // that is painted
	seen   []string
	text   []byte // what was painted last, bounded
	missed int    // how often a key was ignored
	over   bool
}

// come comes in with a terminal.
func (t *teamRig) come(name string, cols, rows int) *mate {
	t.tb.Helper()
	client, err := gossh.Dial("tcp", t.addr, &gossh.ClientConfig{
		User: name, Auth: []gossh.AuthMethod{gossh.PublicKeys(t.keys[name])},
		HostKeyCallback: gossh.InsecureIgnoreHostKey(), Timeout: 20 * time.Second, //nolint:gosec // its own server
	})
	t.must(err)
	m := &mate{t: t, name: name, client: client}
	m.heard = sync.NewCond(&m.mu)
	m.session, err = client.NewSession()
	t.must(err)
	m.in, err = m.session.StdinPipe()
	t.must(err)
	out, err := m.session.StdoutPipe()
	t.must(err)
	t.must(m.session.RequestPty("xterm-256color", rows, cols, gossh.TerminalModes{}))
	t.must(m.session.Shell())
	go m.read(out)
	m.write("\x1b[?62;22c") // it answers that it answers nothing else
	return m
}

func (m *mate) write(s string) {
	_, _ = io.WriteString(m.in, s)
}

// samplePainted is the sample that was painted last; "" when none was. It is
// looked for by hand: thirty clients share the machine with what they measure.
func samplePainted(text []byte) string {
	const before, digits = "sample s", 6
	i := bytes.LastIndex(text, []byte(before))
	if i < 0 || len(text) < i+len(before)+digits {
		return ""
	}
	return string(text[i+len(before)-1 : i+len(before)+digits])
}

// read takes up what is painted, and which sample that is of.
func (m *mate) read(out io.Reader) {
	buf := make([]byte, 64<<10)
	for {
		n, err := out.Read(buf)
		m.mu.Lock()
		m.tail = append(m.tail, buf[:n]...)
		if s := samplePainted(m.tail); s != "" && s != m.sample {
			m.sample, m.at = s, time.Now()
			m.seen = append(m.seen, s)
		}
		m.missed += bytes.Count(buf[:n], []byte(" ignored"))
		if m.text = append(m.text, buf[:n]...); len(m.text) > 2*m.t.keep {
			m.text = append(m.text[:0], m.text[len(m.text)-m.t.keep:]...)
		}
		if len(m.tail) > 32 {
			m.tail = append(m.tail[:0], m.tail[len(m.tail)-32:]...)
		}
		m.over = m.over || err != nil
		m.heard.Broadcast()
		m.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// until waits for something of what is painted.
func (m *mate) until(what string, ok func() bool) bool {
	end := time.AfterFunc(20*time.Second, func() {
		m.mu.Lock()
		m.over = true
		m.heard.Broadcast()
		m.mu.Unlock()
	})
	defer end.Stop()
	m.mu.Lock()
	defer m.mu.Unlock()
	for !ok() {
		if m.over {
			text := string(m.text)
			m.t.tb.Errorf("%s never sees %s; the last was %q", m.name, what, text[max(0, len(text)-600):])
			return false
		}
		m.heard.Wait()
	}
	return true
}

// paints waits for a text.
func (m *mate) paints(text string) bool {
	return m.until(text, func() bool { return strings.Contains(string(m.text), text) })
}

// open opens the queue that is listed at a place.
func (m *mate) open(place int) bool {
	listed := false
	if !m.until("the queues", func() bool {
		listed = strings.Contains(string(m.text), "Which queue?")
		return listed || m.sample != "" // the only one opens by itself
	}) {
		return false
	}
	if listed {
		m.write(strings.Repeat("j", place) + "\r")
	}
	return m.until("an item", func() bool { return m.sample != "" })
}

// label answers what is painted, and waits for another one; how long that took.
func (m *mate) label(key string) (time.Duration, bool) {
	for {
		m.mu.Lock()
		was, missed, at := m.sample, m.missed, m.at
		m.mu.Unlock()
		time.Sleep(reading - time.Since(at))
		began := time.Now()
		m.write(key)
		ok := m.until("the next item", func() bool { return m.sample != was || m.missed > missed })
		m.mu.Lock()
		took, next := m.at.Sub(began), m.sample != was
		m.mu.Unlock()
		if next || !ok {
			return took, ok
		}
		time.Sleep(3 * reading) // keys in one go with an ignored one are ignored, too
	}
}

// reading is how long a person looks at an item at least.
const reading = 150 * time.Millisecond

// last answers what is painted, behind which nothing comes.
func (m *mate) last(key string) {
	for missed := -1; missed != m.ignored(); {
		missed = m.ignored()
		time.Sleep(2 * reading)
		m.write(key)
		time.Sleep(2 * reading)
	}
}

func (m *mate) ignored() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.missed
}

// leave saves and goes.
func (m *mate) leave() {
	m.write("\x03")
	_ = m.session.Wait()
	_ = m.client.Close()
}

// labels are the labels that stand in a queue, by item; doubled counts those of
// one person on one item, beyond the first.
func (t *teamRig) labels(q annotate.QueueName) map[annotate.ItemKey]int {
	t.tb.Helper()
	out := make(map[annotate.ItemKey]int)
	who, err := t.st.Acts().Annotators(q)
	t.must(err)
	for _, w := range who {
		acts, err := t.st.Acts().Acts(q, w)
		t.must(err)
		for k := range annotate.FoldActs(acts).Labels {
			out[k]++
		}
		for i := range acts {
			if acts[i].Kind == annotate.TooLate {
				t.tb.Errorf("%s labelled what others had labelled: %+v", w, acts[i])
			}
		}
	}
	return out
}
