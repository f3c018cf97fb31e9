package server

import (
	"crypto/ed25519"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"concord/annotate"
	"concord/cmd/concord/internal/keys"
	"concord/cmd/concord/internal/server/ssh"
	"concord/eval"
	"concord/store"
)

// keyOfSeed is a key that is the same each time.
func keyOfSeed(t *testing.T, seed string) keys.Key {
	t.Helper()
	private := ed25519.NewKeyFromSeed([]byte(seed + strings.Repeat(" ", ed25519.SeedSize-len(seed))))
	pub, err := gossh.NewPublicKey(private.Public())
	if err != nil {
		t.Fatal(err)
	}
	return keys.KeyOfPublicKey(pub)
}

// TestCommentNamesNobodyInTheProject: a line of the file that calls itself as
// somebody whom the project knows, by whatever, lets nobody in, and is told.
func TestCommentNamesNobodyInTheProject(t *testing.T) {
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	ctx, now := t.Context(), time.Now()
	put := func(name string, role annotate.Role, seed string, version int) {
		t.Helper()
		one := annotate.Person{Name: annotate.Annotator(name), Role: role, Keys: []string{keyOfSeed(t, seed).Line}, Version: version, At: now}
		if err := st.People().Put(ctx, one); err != nil {
			t.Fatal(err)
		}
	}
	put("ann", annotate.RoleOwner, "ann", 1)
	put("old", annotate.RoleNone, "old", 1)
	if err := st.Datasets().BeginDataset(ctx, eval.Dataset{Name: "d", Hash: "h"}); err != nil {
		t.Fatal(err)
	}
	k := annotate.ItemKey{}
	q := annotate.Queue{Name: "q", Overlap: 1, Population: 1, Stratum: annotate.Random, Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll, Rules: "concord@1"}}
	if err := st.Queues().CreateQueue(ctx, q, []annotate.QueueItem{{Key: k, Inclusion: 1}}); err != nil {
		t.Fatal(err)
	}
	act := annotate.Act{N: 1, Queue: "q", Item: k, Annotator: "here", Kind: annotate.Skipped, At: now}
	if err := st.Acts().Append(ctx, []annotate.Act{act}); err != nil {
		t.Fatal(err)
	}

	file := filepath.Join(t.TempDir(), "authorized_keys")
	var told []string
	known := &AuthorizedKeys{Store: st, Owner: "root", File: file, Warn: func(line string) { told = append(told, line) }}
	lines := func(all ...string) {
		t.Helper()
		var text strings.Builder
		for _, one := range all {
			seed, comment, _ := strings.Cut(one, " ")
			text.WriteString(keyOfSeed(t, seed).Line + " " + comment + "\n")
		}
		if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		told = nil
	}
	check := func(seed, want string) {
		t.Helper()
		got, err := known.FindNameOfKey(keyOfSeed(t, seed))
		if got != want || (want == "") != errors.Is(err, ssh.ErrNobody) {
			t.Errorf("%s is %q, %v, want %q; told %q", seed, got, err, want, told)
		}
	}
	lines("evil ann@lab", "evil2 old", "evil3 root", "evil4 here", "new bob@home", "ann somebody@else")
	for _, seed := range []string{"evil", "evil2", "evil3", "evil4", "old"} {
		check(seed, "")
	}
	check("new", "bob")
	check("ann", "ann") // the project's word for it, whatever the file says
	if len(told) != 4 || !strings.Contains(told[0], keyOfSeed(t, "evil").Fingerprint) || !strings.Contains(told[0], keyOfSeed(t, "ann").Fingerprint) {
		t.Errorf("told %q", told)
	}
	if err := known.StoreKeyHolder(ctx, "bob", keyOfSeed(t, "new").Fingerprint, now); err != nil {
		t.Fatal(err)
	}
	lines("new rob", "evil bob")
	check("new", "bob") // the same key is the same person
	check("evil", "")   // and no other key is
	lines("new2 carl@a", "new3 carl@b")
	check("new2", "")
	check("new3", "")
	check("new", "") // gone from the file
	n, problems, err := known.countPeople()
	if err != nil || n != 1 || len(problems) != 1 {
		t.Errorf("%d people, %q, %v", n, problems, err)
	}
}
