package main

import (
	"crypto/ed25519"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"concord/cmd/concord/internal/cli"
)

// What commands that act print with --json is as its schema says, in each of the forms
// that it has, and so is an error.
func TestSchemasOfCommandsThatAct(t *testing.T) {
	t.Parallel()
	r := newReportsRig(t, nil, nil)
	r.configure("")
	public, _, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	r.write("ann.pub", string(ssh.MarshalAuthorizedKey(key)))
	r.write("seen.tsv", "index\tquestion\tA\tB\tC\tD\tanswer\tcategory\timage\n"+strings.Join(rigRows(2, rigPicture), ""))
	r.done("import", "dataset", r.path("seen.tsv"), "--name", "seen")
	r.write("guide.md", "Read what the answer says.\n")
	r.write("house.toml", "[[pattern]]\nname = \"stated\"\nmatch = 'answer is (?P<choice>[A-D])'\n")
	r.write("labelled.jsonl", strings.Repeat(`{"id":1,"options":{"A":"cat","B":"dog"},"prediction":"The answer is B","label":"A"}`+"\n", 3))
	r.write("discarded.jsonl", `{"sample":3,"criteria":null,"discarded":"blurred"}`+"\n")
	r.write("unsaved.jsonl", "")
	r.write("captions.jsonl", `{"sample":"1","model":"vlm","caption":"a cat"}`+"\n")
	r.write("objects.jsonl", `{"sample":"1","objects":[{"bbox":[0,0,0.5,0.5],"confidence":0.9,"label":"cat"}]}`+"\n")
	for _, line := range strings.Split(strings.TrimSpace(`
people add ann --key FILES/ann.pub --as boss
people list
people role ann curator --as boss
people key ann --remove FINGERPRINT --as boss
people remove ann --as boss
rules test FILES/house.toml --against FILES/labelled.jsonl --label label
queue create dis --dataset d --from all --order disagreement --among vlmevalkit-2024,vlmevalkit-2026 --sample 3
queue create unc --dataset d --run 1 --from all --order uncertain --among vlmevalkit-2024,vlmevalkit-2026 --sample 2
queue create some --dataset d --run 1 --from all --sample 2 --overlap 2
queue create pairs --dataset mb --from pairs --sample 2
queue guideline q --set FILES/guide.md
queue guideline q
packet make --queue some --for cy -o FILES/cy.db
packet make --queue some --for di -o FILES/di.db
packet merge FILES/cy.db
packet list
packet recall PACKET
import labels FILES/labels.csv --queue some
import criteria FILES/discarded.jsonl --dataset mb
criteria add 30 --dataset mb --replaces 3 --question Why? --as ann
import unsaved FILES/unsaved.jsonl
import captions FILES/captions.jsonl --dataset d
import detections FILES/objects.jsonl --dataset d
eval --dataset d --model vlm --modality text --estimate
eval --dataset d --model judge2 --modality text
caption --dataset seen --model vlm --estimate
caption --dataset seen --model vlm --batch-export FILES/captions-out.jsonl
judge --dataset d --judge judge2
judge votes --dataset mb --model a --anchor b --judge judge --estimate --without-images
judge votes --dataset mb --model a --anchor b --judge judge --batch-export FILES/votes-out.jsonl --without-images
judge scores --dataset vqa --judge judge --estimate
judge criteria --dataset mb --model a --judge judge --estimate
judge criteria --dataset mb --model a --judge judge --batch-export FILES/criteria-out.jsonl
config path
config trust --yes
config prompt extract-choice
log
`), "\n") {
		args := strings.Fields(strings.NewReplacer("FILES", r.dir, "FINGERPRINT", ssh.FingerprintSHA256(key), "PACKET", openPacket(r)).Replace(line))
		if got := r.concord(append(args, "--json")...); got.code != cli.ExitDone && !strings.HasPrefix(got.err, `{"error"`) {
			t.Errorf("%s: %d %s", line, got.code, got.err)
		} else if got.code != cli.ExitDone {
			t.Logf("%s: %s", line, got.err)
		}
	}
	for _, line := range []string{"labels --queue some", "labels --queue unc", "curation --dataset d", "judgments", "predictions", "votes", "grades"} {
		r.done(append([]string{"export"}, strings.Fields(line)...)...)
	}
	fresh := filepath.Join(r.dir, "fresh.toml")
	r.done("config", "init", fresh, "--json")
	if _, err := os.Stat(fresh); err != nil {
		t.Error(err)
	}
	r.done("man", "--dir", r.path("man"), "--json")

	var wanted, got map[string]any
	if got := r.ends(cli.ExitUsage, "report", "accuracy", "--nope", "--json"); !strings.HasPrefix(got.err, `{"error"`) {
		t.Errorf("%s", got.err)
	}
	failed := r.ends(cli.ExitUsage, "report", "accuracy", "--rules", "nothing", "--json")
	if err := json.Unmarshal([]byte(failed.err), &got); err != nil || len(got) != 1 {
		t.Fatalf("%s: %v", failed.err, err)
	}
	if err := json.Unmarshal([]byte(r.done("schema", "error")), &wanted); err != nil || wanted["title"] != "concord error" {
		t.Errorf("%v: %v", wanted, err)
	}
}

// openPacket is the number of the last packet that was made, "1" without any.
func openPacket(r *rig) string {
	var list struct{ Rows []struct{ Packet string } }
	if err := json.Unmarshal([]byte(r.concord("packet", "list", "--json").out), &list); err != nil || len(list.Rows) == 0 {
		return "1"
	}
	return list.Rows[len(list.Rows)-1].Packet
}
