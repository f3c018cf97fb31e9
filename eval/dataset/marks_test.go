package dataset

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"concord/eval"
)

// Options in one cell, marks of images as files write them, questions of which the
// file says by dashes that they have no options, and indexes where there are some.
func TestPublishedForms(t *testing.T) {
	check := func(name, file, want string) {
		t.Helper()
		sink := newMemory(t)
		if _, err := Import(context.Background(), sink, write(t, name, file), Options{Name: "d"}); err != nil {
			t.Error(err)
		}
		var got []string
		for o := range len(sink.samples["d"]) {
			s := sink.samples["d"][eval.Ordinal(o)]
			one := []string{s.Question}
			for _, option := range s.Options {
				one = append(one, fmt.Sprint(option.Letter, "=", option.Text))
			}
			got = append(got, strings.Join(append(one, string(s.Answer)+s.Reference), "|"))
		}
		if all := strings.Join(got, "\n"); all != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, all, want)
		}
	}
	check("MMVP.csv", "Index,Question,Options,Correct Answer\n1,Open?,(a) Open (b) Closed,(b)\n", "Open?|A=Open|B=Closed|B")
	check("wemath.json", `[{"ID":"1","knowledge concept":"k","question":"q","option":"A. 4;B. 5;C. No; none","answer":"B","image_path":"a.png","key":"s"}]`, "q|A=4|B=5|C=No; none|B")
	check("muir.jsonl", `{"idx":"1","question":"<image>, <image> or <image_2>?","options":["<image>","x"],"answer":"B"}`, "<image 1>, <image 2> or <image 2>?|A=<image 3>|B=x|B")
	check("cmmmu.jsonl", `{"id":1,"type":"x","question":"q","option1":"-","option2":"-","answer":"3.5","subcategory":"s"}`, "q|3.5")
	check("iconqa.json", `{"1":{"question":"q","choices":["a","b"],"answer":1,"ques_type":"x","grade":"g","label":"l"},"2":{"question":"r","choices":null,"answer":"5","ques_type":"y","grade":"g","label":"l"}}`, "q|A=a|B=b|B\nr|5")
	check("seedbench2plus.jsonl", `{"question_id":"1","question":"q","choice_A":"a","choice_B":"b","answer":"B","data_id":"1.png","question_image_subset":"charts"}`, "q|A=a|B=b|B")
	check("emma.jsonl", `{"pid":"1","question":"q <image_1>","options":["1","2"],"answer":"B","solution":"s","subject":"Math","task":"t","category":"c"}`+"\n"+`{"pid":"2","question":"r","options":[],"answer":"7","solution":null,"subject":"Math","task":"t","category":"c"}`, "q <image 1>|A=1|B=2|B\nr|7")
	check("dynamath.jsonl", `{"id":"1","question":"q","ground_truth":"2.0","answer_type":"float","subject":"s","level":"l","image":"1.png"}`+"\n"+`{"id":"2","question":"r","ground_truth":"A","answer_type":"multiple choice","subject":"s","level":"l","image":"2.png"}`, "q|2.0\nr|A")
	check("zerobench.jsonl", `{"question_id":"1","question_text":"q","question_images":["a.png"],"question_answer":"5","question_images_decoded":null}`, "q|5")
	check("videomme.jsonl", `{"video_id":"1","question_id":"1-1","task_type":"t","question":"q","options":["A. x","B. y"],"answer":"B","domain":"d","sub_category":"s","duration":"short"}`, "q|A=x|B=y|B")
	check("reasoning_val.json", `{"0":{"inst_category":1,"figure_id":7,"query":"q","answer":"blue","subplot_loc":"(1,1)"},"1":{"inst_category":1,"figure_id":8,"query":"r","answer":"2","subplot_loc":"(1,1)"}}`, "q|blue\nr|2")
	check("logicvista.json", `{"1":{"question":"q","answer":"D","reasoning":"r","skill":["s"],"broad capability":["b"],"imagename":"a.png"}, "2":{"question":"r","answer":"A, C","reasoning":"r","skill":["s"],"broad capability":["b"],"imagename":"a.png"}}`, "q|D\nr|A, C")
}

// Images stand as datasets writes them as JSON lines: an object of bytes and a path,
// the bytes as base64 or as a list of numbers.
func TestImagesAsBytes(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	encoded := base64.StdEncoding.EncodeToString(b.Bytes())
	numbers := strings.ReplaceAll(fmt.Sprintf("%d", b.Bytes()), " ", ", ")
	for _, c := range []struct {
		image string
		want  int // pictures that are held
	}{
		{`{"bytes": "` + encoded + `", "path": null}`, 1},
		{`{"bytes": ` + numbers + `, "path": "a.png"}`, 1},
		{`[{"bytes": "` + encoded + `"}, {"bytes": ` + numbers + `}]`, 2},
		{numbers, 1},
		{`{"bytes": null, "path": "a.png"}`, 0},
	} {
		sink := newMemory(t)
		file := write(t, "d.jsonl", `{"id": "1", "question": "q", "A": "a", "B": "b", "answer": "A", "image": `+c.image+`}`)
		if _, err := Import(context.Background(), sink, file, Options{Name: "d"}); err != nil {
			t.Errorf("%s: %v", c.image, err)
			continue
		}
		held := 0
		for _, p := range sink.samples["d"][0].Pictures {
			if p.Hash != "" {
				held++
			}
		}
		if held != c.want {
			t.Errorf("%s: %d pictures, want %d", c.image, held, c.want)
		}
	}
	file := write(t, "e.jsonl", `{"id": "1", "question": "q", "A": "a", "B": "b", "answer": "A", "picture_bytes": "b'\\x89PNG\\r'"}`)
	if _, err := Import(context.Background(), newMemory(t), file, Options{Name: "d"}); err == nil || !strings.Contains(err.Error(), `"picture_bytes" holds images`) {
		t.Errorf("bytes as Python prints them: %v", err)
	}
}

// The ids of an object of samples are the ids of its samples, as answers have them.
func TestIDsOfKeyedSamples(t *testing.T) {
	sink := newMemory(t)
	file := write(t, "mm-vet.json", `{"v1_0":{"imagename":"v1_0.png","question":"q","answer":"x<AND>y","imagesource":"u","capability":["ocr"]},
"v1_1":{"imagename":"v1_1.png","question":"r","answer":"z","imagesource":"u","capability":["ocr","rec"]}}`)
	if _, err := Import(context.Background(), sink, file, Options{Name: "d"}); err != nil || sink.samples["d"][0].ID != "v1_0" {
		t.Errorf("%v: %+v", err, sink.samples["d"][0])
	}
}

func TestRowsWithoutQuestionsAreTold(t *testing.T) {
	file := write(t, "geo.jsonl", `{"id":1,"subject":"s","choices":["a","b"],"label":"B"}`)
	if sum, err := Import(context.Background(), newMemory(t), file, Options{Name: "d"}); err != nil || !strings.Contains(fmt.Sprint(sum.Problems), "no row has a question") {
		t.Errorf("%v: %v", err, sum.Problems)
	}
}
