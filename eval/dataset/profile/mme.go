package profile

import (
	"bytes"
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
)

// MME's own layouts (its repository, README and eval_tool). A folder of
// results has one text file for each subtask, of lines
//
//	picture TAB question TAB truth [TAB response]
//
// and the release has one folder for each subtask, with the text file of a
// picture, of lines "question TAB truth", beside it or in questions_answers_YN
// with the picture in images.
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

// FindMMEImages finds where the release's pictures are in a folder, by subtask and
// name; nil when it holds none.
func FindMMEImages(root *bound.Directory) map[string]string {
	files, err := listMMEFolder(root, ".")
	if err != nil {
		return nil
	}
	var paths map[string]string
	for _, f := range files {
		if f.image != "" {
			eval.MakeMap(&paths)[f.subtask+"/"+f.picture] = f.image
		}
	}
	return paths
}

// isMME tells a subtask's file of results by its name: there is no header.
func isMME(path string) bool {
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
			case isMME(s.Path):
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
	return func(file int, text []byte) (format.Row, error) {
		return s.mme[file].makeRow(heads, asked, text)
	}
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
