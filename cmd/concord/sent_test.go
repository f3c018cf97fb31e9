package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"concord/cmd/concord/internal/cli"
	"concord/eval/openai/openaitest"
)

// shaded is a picture of one pixel of that shade, as base64.
func shaded(t *testing.T, shade uint8) string {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 1, 1))
	img.Pix[0] = shade
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// A request has texts and images in the order of the sample's parts: images
// that no text names come first, as frames of a video do.
func TestRequestHasPartsInOrder(t *testing.T) {
	t.Parallel()
	var bodies []json.RawMessage
	r := newRig(t, openaitest.Options{Answer: func(q *openaitest.Request) openaitest.Response {
		bodies = append(bodies, slices.Clone(q.Body)) // the server goes on writing into it
		return openaitest.Response{Text: "A"}
	}})
	images := make([]string, 4)
	for i := range images {
		images[i] = shaded(t, uint8(60*i))
	}
	r.write("d.jsonl", fmt.Sprintf(`{"index": 1, "question": "Is <image 3> like <image 1>? <image 3> is new.", "A": "yes", "B": "like <image 2>", "answer": "A", "image": ["%s"]}`, strings.Join(images, `","`)))
	r.done("import", "dataset", r.path("d.jsonl"), "--name", "d")
	r.done("eval", "--dataset", "d", "--model", "vlm")
	if len(bodies) != 1 {
		t.Fatalf("%d calls", len(bodies))
	}
	var body struct {
		Messages []struct {
			Content []struct {
				Type, Text string
				Image      struct{ URL string } `json:"image_url"`
			}
		}
	}
	if err := json.Unmarshal(bodies[0], &body); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, p := range body.Messages[len(body.Messages)-1].Content {
		if p.Type == "text" {
			got.WriteString(p.Text)
			continue
		}
		_, data, _ := strings.Cut(p.Image.URL, ";base64,")
		fmt.Fprintf(&got, "{%d}", slices.Index(images, data)+1)
	}
	if want := "{4}Question: Is {3} like {1}? <image 3> is new.\nOptions:\nA. yes\nB. like {2}\n"; !strings.HasPrefix(got.String(), want) {
		t.Errorf("parts %q, want %q", got.String(), want)
	}
}

// A dataset without images is not asked as with images, and no money is spent,
// unless somebody insists: then its rows say so.
func TestCallsWithoutImagesAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: rightly}, rigRows(4, "")...)
	got := r.ends(cli.ExitFailed, "eval", "--dataset", "d", "--model", "vlm")
	if n, _ := r.server.TotalCalls(); n != 0 || !strings.Contains(got.err, "--without-images") {
		t.Errorf("%d calls, %s", n, got.err)
	}
	if out := r.done("eval", "--dataset", "d", "--model", "vlm", "--without-images", "--estimate"); !strings.Contains(out, "4 calls lack an image") {
		t.Errorf("estimate: %s", out)
	}
	r.done("eval", "--dataset", "d", "--model", "vlm", "--without-images")
	r.done("eval", "--dataset", "d", "--model", "vlm", "--modality", "text")
	r.done("eval", "--dataset", "d", "--model", "vlm", "--modality", "text", "--shots", "2")
	type row struct {
		Run      int
		Modality string
		Shots    int
		Setting  string
	}
	for _, report := range []string{"accuracy", "baselines"} {
		rows := decode[struct{ Rows []row }](t, r.done("report", report, "--json")).Rows
		want := []row{{1, "without-images", 0, ""}, {2, "text", 0, "0-shot"}, {3, "text", 2, "2-shot"}}
		if len(rows) != 3 || slices.ContainsFunc(rows, func(r row) bool { return r != want[r.Run-1] }) {
			t.Errorf("%s: %+v", report, rows)
		}
	}
	table := r.done("report", "baselines")
	for _, line := range []string{"vlm [", "0-shot", "2-shot", "without-images"} {
		if !strings.Contains(table, line) {
			t.Errorf("nothing of %q in\n%s", line, table)
		}
	}
	type exported struct {
		Run, Images, Shots int
		Lacking            int `json:"images_lacking"`
		Prompt, Params     string
	}
	n := 0
	for line := range strings.Lines(r.done("export", "predictions")) {
		e := decode[exported](t, line)
		if n++; e.Images != 0 || e.Shots != []int{0, 0, 0, 2}[e.Run] || len(e.Prompt) != 64 || e.Params == "" {
			t.Errorf("%+v", e)
		}
	}
	if n != 12 {
		t.Errorf("%d predictions", n)
	}
}
