package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/dataset/column"
)

// Over random schemas, no column with images, lists or an answer is dropped in
// silence: it is read, or the import is refused and names it.
func TestNothingIsDroppedInSilence(t *testing.T) {
	kinds := map[string]func(r *rand.Rand) any{
		"image":   func(r *rand.Rand) any { return "/9j/" + strings.Repeat("AbC1", 60+r.IntN(9)) },
		"picture": func(r *rand.Rand) any { return fmt.Sprintf("folder/%d.png", r.IntN(9)) },
		"list":    func(r *rand.Rand) any { return []string{"one", "two", fmt.Sprint(r.IntN(9))} },
		"python":  func(r *rand.Rand) any { return fmt.Sprintf("['one', 'two%d']", r.IntN(9)) },
		"answer":  func(r *rand.Rand) any { return string(rune('A' + r.IntN(4))) },
		"nested":  func(r *rand.Rand) any { return map[string]any{"deep": []string{"one", fmt.Sprint(r.IntN(9))}} },
		"plain":   func(r *rand.Rand) any { return fmt.Sprintf("word %d", r.IntN(9)) },
	}
	names := []string{"alpha", "beta", "gamma", "gt_x", "solution", "choices", "options", "images", "image_1", "candidates", "label", "target", "extra", "delta.two", "options_de"}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		schema := map[string]string{}
		for range 1 + r.IntN(4) {
			schema[names[r.IntN(len(names))]] = slices.Sorted(maps.Keys(kinds))[r.IntN(len(kinds))]
		}
		var lines strings.Builder
		for i := range 30 {
			row := map[string]any{"id": i, "question": fmt.Sprintf("What is %d?", i), "A": "red", "B": "green", "C": "blue", "D": "grey"}
			for name, kind := range schema {
				row[name] = kinds[kind](r)
			}
			text, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			lines.Write(append(text, '\n'))
		}
		path := write(t, "random.jsonl", lines.String())
		sum, err := Import(context.Background(), newMemory(t), path, Options{Name: "d"})
		var refused *column.Error
		if errors.As(err, &refused) {
			continue
		}
		for name, kind := range schema {
			of := func(c string) bool { return c == name || strings.HasPrefix(c, name+".") }
			read := slices.ContainsFunc(sum.Columns, func(c column.Read) bool { return of(c.Name) })
			unread := slices.ContainsFunc(sum.Unread, func(c column.Unread) bool { return of(c.Name) })
			answered := slices.ContainsFunc(sum.Columns, func(c column.Read) bool { return c.As == "answer" })
			switch {
			case err == nil && !read && !unread:
				t.Fatalf("seed %d: %s (%s) is nowhere: %v", seed, name, kind, schema)
			case err == nil && unread && kind != "plain" && (kind != "answer" || !answered):
				t.Fatalf("seed %d: %s holds %s and was dropped: %v", seed, name, kind, schema)
			}
		}
	}
}

// What somebody says of columns goes before what is found out.
func TestMappedColumns(t *testing.T) {
	path := write(t, "own.jsonl", `{"nr":1,"ask":"Which?","wahl":["x","y","z"],"loesung":1,"bild_1":"a.png","bild_2":null,"bild_3":"c.png","mehr":["u"]}`+"\n")
	roles, err := ParseRoleMap("index=nr,question=ask,options=wahl,answer=index1:loesung,image=bild_*")
	if err != nil {
		t.Fatal(err)
	}
	var refused *column.Error
	if _, err := Import(t.Context(), newMemory(t), path, Options{Name: "d", Columns: Wish{Map: roles}}); !errors.As(err, &refused) || refused.Column != "mehr" {
		t.Errorf("%v", err)
	}
	m := newMemory(t)
	if _, err := Import(t.Context(), m, path, Options{Name: "d", Columns: Wish{Map: roles, Ignore: []string{"me*"}}}); err != nil {
		t.Fatal(err)
	}
	s := m.list("d")[0]
	if s.ID != "1" || s.Question != "Which?" || len(s.Options) != 3 || s.Answer != "A" || len(s.Pictures) != 2 || s.Pictures[1].Name != "c.png" {
		t.Errorf("%+v", s)
	}
	for _, wrong := range []string{"nothing", "role=x", "answer=morse:x", "answer=[", "id=missing"} {
		roles, err := ParseRoleMap(wrong)
		if err == nil {
			_, err = Import(t.Context(), newMemory(t), path, Options{Name: "d", Columns: Wish{Map: roles}})
		}
		if err == nil {
			t.Errorf("%s was taken", wrong)
		}
	}
}

// Rows without an id are numbered, and the summary says so.
func TestNumberedRows(t *testing.T) {
	path := write(t, "none.jsonl", `{"question":"Is it?","answer":"Yes"}`+"\n"+`{"question":"Is it not?","answer":"No"},`+"\n")
	m := newMemory(t)
	sum, err := Import(t.Context(), m, path, Options{Name: "d"})
	if err != nil || sum.Added != 2 || m.list("d")[1].ID != "1" || !slices.Contains(sum.Columns, column.Read{Name: "(row number)", As: "index"}) {
		t.Errorf("%+v, %v", sum, err)
	}
}

// Layouts that are published, in a row each: what is asked, what is right, how
// many images there are.
func TestPublishedLayouts(t *testing.T) {
	check := func(name, row string, want eval.Sample, images int) {
		t.Helper()
		m := newMemory(t)
		if _, err := Import(t.Context(), m, write(t, name+".jsonl", row+"\n"), Options{Name: eval.DatasetName(name)}); err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		s := m.list(eval.DatasetName(name))[0]
		if s.ID != want.ID || s.Kind != want.Kind || s.Answer != want.Answer || s.Reference != want.Reference || len(s.References) != len(want.References) ||
			s.Metric != want.Metric || len(s.Pictures) != images {
			t.Errorf("%s: %+v", name, s)
		}
	}
	check("vqa", `{"question_id":7,"question":"What?","answers":[{"answer":"net","answer_id":1},{"answer":"nets","answer_id":2}],"multiple_choice_answer":"net","answer_type":"other","image":"a.jpg"}`,
		eval.Sample{ID: "7", Kind: eval.KindOpen, Reference: "net", References: []string{"net", "nets"}, Metric: "vqa"}, 1)
	check("vizwiz", `{"image":"v.jpg","question":"What?","answers":[{"answer":"soda","answer_confidence":"yes"}],"answer_type":"other","answerable":1}`,
		eval.Sample{ID: "v.jpg", Kind: eval.KindOpen, Reference: "soda", Metric: "vqa"}, 1)
	check("gqa", `{"id":"1","imageId":"n1","question":"Is it?","answer":"no","fullAnswer":"No.","semanticStr":"s","types":{"structural":"verify","semantic":"global"},"equivalent":["1"]}`,
		eval.Sample{ID: "1", Kind: eval.KindOpen, Reference: "no", Metric: "exact"}, 1)
	check("aok", `{"question_id":"q","question":"What?","choices":["a","b"],"correct_choice_idx":1,"direct_answers":["b"],"rationales":["r"]}`,
		eval.Sample{ID: "q", Kind: eval.KindChoice, Answer: "B"}, 0)
	check("pro", `{"id":"t_1","question":"<image 1>?","options":"['a','b','c']","answer":"C","img_type":"['Photo']","image_1":"a.png","subject":"History"}`,
		eval.Sample{ID: "t_1", Kind: eval.KindChoice, Answer: "C"}, 1)
	check("nlvr", `{"sentence":"Two dogs.","identifier":"d-1","label":"True","left_url":"https://x/a.jpg","right_url":"https://x/b.jpg","directory":"1"}`,
		eval.Sample{ID: "d-1", Kind: eval.KindYesNo, Answer: eval.Yes}, 2)
	check("vis", `{"id":"g","image_path":"1.png","image_category":"geometry","task_category":"triangle","question":"Is it?","answer":"False","response_options":["True","False"]}`,
		eval.Sample{ID: "g", Kind: eval.KindChoice, Answer: "B"}, 1)
	check("doc", `{"questionId":49153,"question":"What?","question_types":["figure"],"image":"documents/p.png","docId":1,"ucsf_document_id":"p","ucsf_document_page_no":"8","answers":["0.28","0.3"],"data_split":"val"}`,
		eval.Sample{ID: "49153", Kind: eval.KindOpen, Reference: "0.28", References: []string{"0.28", "0.3"}, Metric: "anls"}, 1)
	check("info", `{"questionId":6,"question":"Which?","image_local_name":"3.jpeg","image_url":"https://x/y.jpg","ocr_output_file":"3.json","answers":["pin"],"answer_type":["single span"],"evidence":["Text"],"operation/reasoning":[],"data_split":"val"}`,
		eval.Sample{ID: "6", Kind: eval.KindOpen, Reference: "pin", Metric: "anls"}, 1)
	check("vsr", `{"image":"1.jpg","image_link":"http://x/1.jpg","caption":"The cat is under the bed.","label":1,"relation":"under","annotator_id":31,"vote_true_validator_id":[2,6],"vote_false_validator_id":[]}`,
		eval.Sample{ID: "0", Kind: eval.KindYesNo, Answer: eval.Yes}, 1)
	check("cv", `{"idx":3,"type":"2D","task":"Count","image":"3.png","question":"How many?","choices":["3","2"],"answer":"(B)","prompt":"p","filename":"3.png","source":"ADE20K","source_dataset":"A","target_class":"cup","target_size":1,"bbox":[[1,2,3,4]]}`,
		eval.Sample{ID: "3", Kind: eval.KindChoice, Answer: "B"}, 1)
	check("mme-real", `{"Question_id":"p/1","Image":"1.png","Text":"What?","Question Type":"Multiple Choice","Answer choices":["(A) red.","(B) blue."],"Ground truth":"B","Category":"color","Subtask":"Sensing","Task":"Perception"}`,
		eval.Sample{ID: "p/1", Kind: eval.KindChoice, Answer: "B"}, 1)
	check("seed2", `{"question_id":"7","question":"What?","choice_a":"a","choice_b":"b","choice_c":"c","choice_d":"d","answer":"D","data_id":["0.png","1.png"],"data_source":"v2","data_type":"Multiple Images","level":"L1","question_type_id":11,"subpart":"Multi","version":"v2"}`,
		eval.Sample{ID: "7", Kind: eval.KindChoice, Answer: "D"}, 2)
	if _, err := Import(t.Context(), newMemory(t), write(t, "x.jsonl", `{"id":1,"question":"What?","answer":[{"text":"a"}]}`+"\n"), Options{Name: "x"}); err == nil {
		t.Error("a list of objects is an answer")
	}
}
