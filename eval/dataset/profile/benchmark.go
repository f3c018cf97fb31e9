package profile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/bound"
	"concord/eval/dataset/format"
	"concord/eval/dataset/internal/fastio"
)

// MME's own layouts (its repository, README and eval_tool). A folder of
// results has one text file for each subtask, of lines
//
//	picture TAB question TAB truth [TAB response]
//
// and the release has one folder for each subtask, with the text file of a picture, of lines "question
// TAB truth", beside it or in questions_answers_YN with the picture in images.
const (
	mmeQuestions = "questions_answers_YN"
	mmePictures  = "images"
	mmeDepth     = 8 // folders with one folder each, above those of the subtasks
)

// mmeFile is one text file: of a subtask, or of one picture of it.
type mmeFile struct {
	path, subtask string // path within the folder; of a single file, its own
	picture       string // base name; "" where each line has its own
	image         string // path of the picture within the folder; "" for none
}

// FindMMEImages finds where the release's pictures are in a folder, by subtask and name; nil when it holds none.
func FindMMEImages(root *bound.Directory) map[string]string {
	files, err := listMMEFolder(root, ".")
	if err != nil {
		return nil
	}
	var paths map[string]string
	for _, f := range files {
		if f.image != "" {
			eval.EnsureMap(&paths)[f.subtask+"/"+f.picture] = f.image
		}
	}
	return paths
}

// isMMEResults tells a subtask's file of results by its name: there is no header.
func isMMEResults(path string) bool {
	name, ok := strings.CutSuffix(filepath.Base(path), ".txt")
	return ok && eval.MMEAbilityOf(name) != ""
}

// mmeColumnNames are the columns of all rows, as the kit names them.
func mmeColumnNames(answered bool) []string {
	names := []string{"index", "category", "image_path", "question", "answer", "kind"}
	if answered {
		names = append(names, "prediction")
	}
	return names
}

// listMMEFolder lists the text files of a folder in MME's layouts, in the order of
// their names. All paths are within root.
func listMMEFolder(root *bound.Directory, within string) ([]mmeFile, error) {
	entries, err := root.ReadDir(within)
	if err != nil {
		return nil, err
	}
	var files []mmeFile
	var folders []string
	for _, e := range entries {
		at := path.Join(within, e.Name())
		name, text := strings.CutSuffix(e.Name(), ".txt")
		switch known := eval.MMEAbilityOf(name) != ""; {
		case known && text && !e.IsDir():
			files = append(files, mmeFile{path: at, subtask: name})
		case known && e.IsDir():
			of, err := listMMESubtask(root, at, e.Name())
			if err != nil {
				return nil, err
			}
			files = append(files, of...)
		case e.IsDir():
			folders = append(folders, at)
		}
	}
	if len(files) == 0 && len(folders) == 1 && strings.Count(within, "/") < mmeDepth {
		return listMMEFolder(root, folders[0]) // MME_Benchmark_release_version/MME_Benchmark
	}
	return files, nil
}

// listMMESubtask lists the text files of one subtask in the release.
func listMMESubtask(root *bound.Directory, folder, subtask string) ([]mmeFile, error) {
	texts, pictures := folder, folder
	entries, err := root.ReadDir(path.Join(folder, mmeQuestions))
	if err == nil {
		texts, pictures = path.Join(folder, mmeQuestions), path.Join(folder, mmePictures)
	} else if entries, err = root.ReadDir(texts); err != nil {
		return nil, err
	}
	beside, err := root.ReadDir(pictures)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	named := make(map[string]string) // pictures by their names without extension
	for _, e := range beside {
		if ext := filepath.Ext(e.Name()); ext != ".txt" && !e.IsDir() {
			named[strings.TrimSuffix(e.Name(), ext)] = e.Name()
		}
	}
	var files []mmeFile
	for _, e := range entries {
		stem, ok := strings.CutSuffix(e.Name(), ".txt")
		if !ok || e.IsDir() {
			continue
		}
		f := mmeFile{path: path.Join(texts, e.Name()), subtask: subtask, picture: stem}
		if name := named[stem]; name != "" { // else the release without its pictures
			f.picture, f.image = name, path.Join(pictures, name)
		}
		files = append(files, f)
	}
	return files, nil
}

// MME is the layout of MME's folders and of the results of one subtask
// (github.com/BradyFU/Awesome-Multimodal-Large-Language-Models, eval_tool).
const MME = "mme"

func newMMELayout() layout {
	return layout{
		name: MME, container: format.Texts, whole: true,
		claim: func(s *FileStart) (int, string) {
			switch {
			case s.Folder:
				if files, err := listMMEFiles(s.Path); err == nil && len(files) > 0 {
					return 100, "it is a folder of subtasks of MME"
				}
				return 1, "it is a folder"
			case isMMEResults(s.Path):
				return 100, "it is called like the results of a subtask of MME"
			}
			return 0, ""
		},
		begin: func(s *Source) error {
			info, err := os.Stat(s.File.Path)
			return s.listMME(err == nil && info.IsDir())
		},
		names: func(s *Source) format.Layout { return format.Layout{Line: s.makeMMERows()} },
	}
}

// listMME lists the files of a folder, or of one subtask's file of results.
func (s *Source) listMME(folder bool) (err error) {
	if !folder {
		name := strings.TrimSuffix(filepath.Base(s.File.Path), filepath.Ext(s.File.Path))
		s.mme = []mmeFile{{path: s.File.Path, subtask: name}}
	} else if s.mme, err = listMMEFiles(s.File.Path); err != nil {
		return err
	}
	s.File.Folder = folder
	if len(s.mme) == 0 {
		return errors.New("the folder has no text file or folder of an MME subtask (existence.txt, existence/...)")
	}
	s.File.Texts = append(s.File.Texts, eval.Map(s.mme, func(f mmeFile) string { return f.path })...)
	return nil
}

func listMMEFiles(path string) (files []mmeFile, err error) {
	root, err := bound.OpenFolder(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return listMMEFolder(root, ".")
}

// makeMMERows makes rows of the lines of a reading. An id is the picture and
// which question about it this is: "OCR/0001.jpg/1".
func (s *Source) makeMMERows() func(file int, text []byte) (format.Row, error) {
	heads := map[bool][]string{false: mmeColumnNames(false), true: mmeColumnNames(true)}
	asked := make(map[string]int)
	return func(file int, text []byte) (format.Row, error) { return s.mme[file].makeRow(heads, asked, text) }
}

// makeRow makes a row of a line. What a response holds beside tabs is its own.
func (f *mmeFile) makeRow(heads map[bool][]string, asked map[string]int, text []byte) (format.Row, error) {
	cells := bytes.SplitN(text, []byte("\t"), 4)
	if f.picture != "" {
		cells = append([][]byte{[]byte(f.picture)}, bytes.SplitN(text, []byte("\t"), 3)...)
	}
	switch {
	case len(cells) < 3 && f.picture != "":
		return format.Row{}, errors.New("want question, tab, yes or no")
	case len(cells) < 3:
		return format.Row{}, errors.New("want image, tab, question, tab, yes or no, and perhaps a tab and the response")
	}
	picture, truth := string(bytes.TrimSpace(cells[0])), strings.ToLower(string(bytes.TrimSpace(cells[2])))
	switch {
	case picture == "":
		return format.Row{}, errors.New("the line names no image")
	case !slices.Contains([]eval.Choice{eval.Yes, eval.No}, eval.Choice(truth)):
		return format.Row{}, fmt.Errorf("the ground truth is %.40q, want yes or no", cells[2])
	}
	about := f.subtask + "/" + picture
	asked[about]++
	out := [][]byte{
		[]byte(about + "/" + strconv.Itoa(asked[about])), []byte(f.subtask), []byte(about),
		bytes.TrimSpace(cells[1]), []byte(truth), []byte(eval.KindYesNo.String()),
	}
	if len(cells) > 3 {
		out = append(out, cells[3])
	}
	return format.Row{Names: heads[len(cells) > 3], Cells: out}, nil
}

// LMMS is the layout of the samples that lmms-eval logs.
const LMMS = "lmms-eval"

func newLMMSLayout() layout {
	return layout{
		name: LMMS, container: format.JSONL,
		claim: func(s *FileStart) (int, string) {
			kind, _ := format.DetectContainer(s.Head, s.extension())
			line, _, _ := bytes.Cut(format.TrimBOMAndSpace(s.Head), []byte("\n"))
			if kind == format.JSONL && bytes.Contains(line, []byte(`"doc_id"`)) && bytes.Contains(line, []byte(`"filtered_resps"`)) {
				return 80, "its first line has doc_id and filtered_resps"
			}
			return 0, ""
		},
		begin: func(s *Source) error {
			s.readLMMSResults()
			return nil
		},
		names: func(*Source) format.Layout { return format.Layout{Object: makeObjectRenamer(renameLMMSSample)} },
	}
}

// readLMMSResults takes what the name of a file of samples says, and the results beside it:
// DATE_samples_TASK.jsonl has a DATE_results.json, with the model and the shots of each task.
func (s *Source) readLMMSResults() {
	name := strings.TrimSuffix(filepath.Base(s.File.Path), filepath.Ext(s.File.Path))
	date, task, ok := strings.Cut(name, "_samples_")
	if !ok {
		return
	}
	s.Task = task
	text, err := bound.ReadFile(filepath.Join(filepath.Dir(s.File.Path), date+"_results.json"), bound.Results)
	if err != nil {
		return
	}
	var results struct {
		Name   string                     `json:"model_name"`
		Source string                     `json:"model_source"`
		Shots  map[string]json.RawMessage `json:"n-shot"`
	}
	if json.Unmarshal(text, &results) != nil {
		return
	}
	s.Model = cmp.Or(results.Name, results.Source)
	s.Shots = firstShotCount(results.Shots, task)
}

// firstShotCount finds the first of the values that is a number of shots; nil for none.
func firstShotCount(values map[string]json.RawMessage, names ...string) *int {
	for _, name := range names {
		var n int
		if v, ok := values[name]; ok && string(v) != "null" && json.Unmarshal(v, &n) == nil && n >= 0 {
			return &n
		}
	}
	return nil
}

// renameLMMSSample gives a sample record of lmms-eval the names of VLMEvalKit. The question's own
// fields are in doc, where a task logs it, and its category is in the entry of the task's score.
func renameLMMSSample(in fastio.Object) fastio.Object {
	out := slices.Clone(in)
	out.Delete("doc")
	var doc map[string]json.RawMessage
	if json.Unmarshal(in.Get("doc"), &doc) == nil {
		for n, v := range doc {
			if n == "L2-category" {
				n = "l2-category"
			}
			out.Set(n, v)
		}
	}
	rename := func(to, from string) {
		if v := in.Get(from); len(v) > 0 && string(v) != "null" && string(v) != `""` {
			out.Set(to, v)
			out.Delete(from)
		}
	}
	if out.Get("index") == nil {
		rename("index", "doc_id")
	}
	rename("answer", "target") // what the log was scored by
	if out.Get("question") == nil {
		rename("question", "input")
	}
	if out.Get("image_path") == nil {
		rename("image_path", "input_media")
	}
	copyLMMSScores(&out, in)
	for i, m := range out {
		if in.Get(m.Name) != nil && bytes.HasPrefix(m.Value, []byte("{")) {
			out[i].Name = "log." + m.Name // what the task's metrics say
		}
	}
	out.Set("prediction", findFirstText(in.Get("filtered_resps"), in.Get("resps")))
	return out
}

// copyLMMSScores takes the category and the score of a sample record: entries
// of the task's metrics have them, or the score alone.
func copyLMMSScores(out *fastio.Object, in fastio.Object) {
	for _, m := range slices.SortedFunc(slices.Values(in), func(a, b fastio.Member) int { return cmp.Compare(a.Name, b.Name) }) {
		var entry struct {
			Category json.RawMessage `json:"category"`
			Fine     json.RawMessage `json:"l2_category"` // of MMStar, where category is the coarse one
			Score    json.RawMessage `json:"score"`
		}
		if json.Unmarshal(m.Value, &entry) != nil {
			continue
		}
		if out.Get("category") == nil && len(entry.Category) > 0 {
			out.Set("category", entry.Category)
			if len(entry.Fine) > 0 {
				out.Set("l2_category", entry.Fine)
			}
		}
		if out.Get(columnScores) == nil && len(entry.Score) > 0 {
			setUnlessNil(out, columnScores, []LogScore{{Scorer: "lmms-eval/" + m.Name, Right: isScoredRight(entry.Score), Raw: string(fastio.TextOfJSON(entry.Score))}})
		}
	}
}

// findFirstText returns the first string within nested lists.
func findFirstText(values ...json.RawMessage) json.RawMessage {
	for _, v := range values {
		v = bytes.TrimSpace(v)
		var list []json.RawMessage
		switch {
		case bytes.HasPrefix(v, []byte(`"`)):
			return v
		case json.Unmarshal(v, &list) == nil && len(list) > 0:
			if s := findFirstText(list[0]); s != nil {
				return s
			}
		}
	}
	return nil
}

// metaInfo is MMStar's struct of a row's origin; its fields are columns of the benchmark's TSV.
const metaInfo = "meta_info"

// keepColumnName names a column of a parquet file as the file does.
func keepColumnName(path []string) (string, bool) {
	switch {
	case len(path) == 1:
		return path[0], true
	case len(path) == 2 && path[0] == metaInfo:
		return path[1], true
	}
	return strings.Join(path, "."), true
}

// kitColumnName names it as VLMEvalKit's TSV does.
func kitColumnName(path []string) (string, bool) {
	name, ok := keepColumnName(path)
	if name == "L2-category" {
		name = "l2-category"
	}
	return name, ok
}
