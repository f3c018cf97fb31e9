package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"concord/cmd/concord/internal/cli"
)

// corruptions is how many files are damaged.
const corruptions = "CONCORD_CORRUPTIONS"

// What reads a damaged project prints what it printed before, or fails and says
// what is damaged; it never prints another figure with status 0. With --damaged
// it says so.
func TestCommandsOnDamage(t *testing.T) {
	n := 8
	if s := os.Getenv(corruptions); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	} else {
		t.Logf("%d corruptions; %s=500 for more", n, corruptions)
	}
	whole, commands := damagedProject(t)
	path := filepath.Join(t.TempDir(), "p.db")
	want := printed(t, path, whole, commands)
	for command, ok := range want {
		if ok.code != cli.ExitDone {
			t.Fatalf("concord %s on the whole project: %s", command, ok.err)
		}
	}
	rng := rand.New(rand.NewPCG(3, 5))
	found := 0
	for i := range n {
		raw, how := damage(rng, whole)
		differ := false
		for command, got := range printed(t, path, raw, commands) {
			before := want[command]
			switch {
			case got == before:
			case got.code == cli.ExitDone:
				t.Errorf("corruption %d, %s: concord %s differs in silence:\n%s\nwas\n%s", i, how, command, got.out, before.out)
			case got.code != cli.ExitFailed || got.err == "" && !strings.HasPrefix(command, "doctor"):
				t.Errorf("corruption %d, %s: concord %s: status %d, %s", i, how, command, got.code, got.err)
			default:
				differ = true
			}
		}
		if differ {
			found++
		}
		left, err := os.ReadFile(path)
		if err != nil || string(left) != string(raw) {
			t.Errorf("corruption %d, %s: reading changed the file (%v)", i, how, err)
		}
		marked(t, path, how, want)
	}
	t.Logf("%d of %d found", found, n)
}

// marked demands of --damaged that figures which differ are marked.
func marked(t *testing.T, path, how string, want map[string]ran) {
	t.Helper()
	const command = "report alignment --queue q --format markdown"
	got := runOn(t, path, command+" --damaged")
	if got.code == cli.ExitDone && got.out != want[command].out && (!strings.Contains(got.out, "DAMAGED") || !strings.Contains(got.err, "DAMAGED")) {
		t.Errorf("%s: concord %s --damaged is not marked:\n%s\n%s", how, command, got.out, got.err)
	}
}

// damagedProject is a project with something for every report, and the commands
// that read it.
func damagedProject(t *testing.T) (whole []byte, commands []string) {
	t.Helper()
	r := newReportsRig(t, nil, nil)
	r.done("compact")
	whole, err := os.ReadFile(r.path("p.db"))
	if err != nil {
		t.Fatal(err)
	}
	return whole, []string{
		"report alignment --queue q --format markdown", "report accuracy --format csv", "report dataset --dataset d --format csv",
		"report annotators --queue q --format csv", "report agreement --dataset mb --format csv", "report criteria --dataset mb --format csv",
		"export labels --queue q", "export votes --dataset mb", "export criteria --dataset mb", "export predictions --dataset d",
		"queue list --json", "log --json",
	}
}

// printed runs commands on a project.
func printed(t *testing.T, path string, raw []byte, commands []string) map[string]ran {
	t.Helper()
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	out := make(map[string]ran)
	for _, c := range slices.Sorted(slices.Values(commands)) {
		out[c] = runOn(t, path, c)
	}
	return out
}

// runOn runs one command, which has to end within 20 seconds.
func runOn(t *testing.T, path, command string) ran {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var out, errs strings.Builder
	done := make(chan int, 1)
	go func() {
		done <- runProgram(ctx, append(strings.Fields(command), "-p", path), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	}()
	select {
	case code := <-done:
		return ran{code: code, out: out.String(), err: errs.String()}
	case <-time.After(25 * time.Second):
		t.Fatalf("concord %s does not end", command)
		return ran{}
	}
}

// damage damages a copy of a file in one of several ways.
func damage(rng *rand.Rand, whole []byte) (raw []byte, how string) {
	raw = slices.Clone(whole)
	size := os.Getpagesize()
	pages := len(raw) / size
	p, q, at, bit := rng.IntN(pages), rng.IntN(pages), rng.IntN(size), rng.IntN(8)
	switch rng.IntN(8) {
	case 0:
		p, at = rng.IntN(2), rng.IntN(80)
		raw[p*size+at] ^= 1 << bit
	case 1, 2:
		at = rng.IntN(100)
		raw[p*size+at] ^= 1 << bit
	case 3, 4:
		raw[p*size+at] ^= 1 << bit
	case 5:
		copy(raw[p*size+at:(p+1)*size], whole[q*size+at:(q+1)*size])
		return raw, fmt.Sprintf("page %d torn at %d, the rest of page %d", p, at, q)
	case 6:
		copy(raw[p*size:(p+1)*size], whole[q*size:(q+1)*size])
		copy(raw[q*size:(q+1)*size], whole[p*size:(p+1)*size])
		return raw, fmt.Sprintf("pages %d and %d swapped", p, q)
	default:
		end := p*size + at
		return raw[:end], fmt.Sprintf("cut off at %d", end)
	}
	return raw, fmt.Sprintf("bit %d of byte %d of page %d", bit, at, p)
}
