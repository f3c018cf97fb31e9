package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/crypto/ssh"

	"concord/annotate"
	"concord/store"
)

// killable is a team whose server is a process of its own.
type killable struct {
	*teamRig
	path string
	cmd  *exec.Cmd
	errs io.Writer // of the server; nil: the test's own
}

func newKillable(t *testing.T, items, people int) *killable {
	t.Helper()
	k := &killable{teamRig: &teamRig{tb: t, keep: everything, keys: make(map[string]ssh.Signer)}, path: filepath.Join(t.TempDir(), "p.db")}
	k.within(func() {
		k.fill(items, 1)
		for i := range people {
			k.person("p"+strconv.Itoa(i), annotate.RoleAnnotator)
		}
	})
	return k
}

// within does something to the project while no server has it.
func (k *killable) within(do func()) {
	k.tb.Helper()
	st, err := store.Open(k.path, store.Options{})
	k.must(err)
	k.st = st
	do()
	k.must(st.Close())
}

func (k *killable) start() {
	k.tb.Helper()
	k.cmd = exec.CommandContext(k.tb.Context(), os.Args[0], "serve", "--json", "--listen", "127.0.0.1:0", "-p", k.path)
	k.cmd.Env = append(os.Environ(), childVariable+"=1", "XDG_STATE_HOME="+filepath.Dir(k.path), "XDG_RUNTIME_DIR="+filepath.Dir(k.path))
	if k.cmd.Stderr = k.errs; k.errs == nil {
		k.cmd.Stderr = os.Stderr
	}
	out, err := k.cmd.StdoutPipe()
	k.must(err)
	k.must(k.cmd.Start())
	var said struct{ Listen string }
	k.must(json.NewDecoder(bufio.NewReader(out)).Decode(&said))
	k.addr = said.Listen
}

func (k *killable) kill() {
	_ = k.cmd.Process.Kill()
	_ = k.cmd.Wait()
}

var savedOf = regexp.MustCompile(`q1 +([\d,]+)/[\d,]+ [^\n]*?saved (?:[^\n]*? )?\d\d:\d\d:\d\d`)

// acknowledged is how many labels the screen has called saved. Each line of a
// frame begins with where it stands.
func (m *mate) acknowledged() int {
	m.mu.Lock()
	text := string(m.text)
	m.mu.Unlock()
	most := 0
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\x1b[3;1H", "\n"), "\n") {
		line = ansi.Strip(line)
		if f := savedOf.FindStringSubmatch(line); f != nil && !strings.Contains(line, "saving") {
			if n, err := strconv.Atoi(strings.ReplaceAll(f[1], ",", "")); err == nil {
				most = max(most, n)
			}
		}
	}
	return most
}

// The server is killed while people label as fast as they can: what a screen
// called saved is there, no item has a label too many. Started again, everybody
// finds the item that they had in front, in whichever order they come back.
func TestKilledServerLosesNothing(t *testing.T) {
	const people = 4
	k := newKillable(t, 1500, people)
	k.start()
	come := func() []*mate {
		all := make([]*mate, people)
		for i := range all {
			n := people - 1 - i
			all[n] = k.come("p"+strconv.Itoa(n), 80, 24)
			if !all[n].open(0) {
				t.FailNow()
			}
		}
		return all
	}
	mates := come()
	var wg sync.WaitGroup
	for _, m := range mates {
		wg.Go(func() {
			for range 10_000 {
				was := m.painted()
				for m.painted() == was {
					time.Sleep(reading)
					m.write("1")
					if m.gone() {
						return
					}
				}
			}
		})
	}
	time.Sleep(1500 * time.Millisecond)
	k.kill()
	wg.Wait()
	k.within(func() {
		standing := 0
		for item, n := range k.labels("q1") {
			if standing += n; n > 1 {
				t.Errorf("%v has %d labels", item, n)
			}
		}
		for _, m := range mates {
			acts, err := k.st.Acts().Acts("q1", annotate.Annotator(m.name))
			k.must(err)
			if acked := m.acknowledged(); acked == 0 || len(acts) < acked {
				t.Errorf("%s saw %d labels saved, %d are there", m.name, acked, len(acts))
			}
		}
		t.Logf("%d labels by %d people before the kill", standing, people)
	})
	k.start()
	mates = come()
	for _, m := range mates {
		if _, ok := m.label("2"); !ok {
			t.FailNow()
		}
	}
	time.Sleep(300 * time.Millisecond)
	var had []string
	for _, m := range mates {
		had = append(had, m.painted())
	}
	k.kill()
	k.start()
	defer k.kill()
	for i := range mates {
		m := k.come("p"+strconv.Itoa(i), 80, 24)
		if !m.open(0) {
			t.FailNow()
		}
		if is := m.painted(); is != had[i] {
			t.Errorf("p%d had %s selected, and finds %s", i, had[i], is)
		}
	}
}

func (m *mate) painted() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sample
}

func (m *mate) gone() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.over
}
