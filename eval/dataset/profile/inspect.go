package profile

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"concord/eval/bound"
	"concord/eval/dataset/format"
	"concord/eval/dataset/internal/fastio"
)

// An evaluation log of inspect_ai is one JSON object with its samples in a
// list, or a zip (.eval) with a file for each sample.
const (
	inspectSamples = "samples/"
	inspectHeader  = "header.json"         // of a log that was finished
	inspectStart   = "_journal/start.json" // of one that was not
)

var inspectText = regexp.MustCompile(`^\{\s*"(version|status|eval)"\s*:`)

// Inspect is the layout of inspect_ai's logs.
const Inspect = "inspect"

func inspectLayout() layout {
	return layout{
		name: Inspect, container: format.Log, whole: true,
		claim: func(s *Start) (int, string) {
			if isInspect(format.Text(s.Head)) {
				return 90, "it begins like a log of inspect_ai"
			}
			return 0, ""
		},
		names: func(s *Source) format.Layout {
			return format.Layout{
				Object: func(text []byte) (map[string]json.RawMessage, error) { return s.log.fromInspect(text) },
				Log:    format.LogLayout{List: "samples", About: "eval", Says: func(about json.RawMessage) error { return s.sayInspect(about) }, Entries: s.entries},
			}
		},
	}
}

// isInspect tells a log by its head: by the name of a zip's first entry, or
// by how the object begins.
func isInspect(head []byte) bool {
	if name, ok := zipName(head); ok {
		return name == inspectHeader || strings.HasPrefix(name, "_journal/") || strings.HasPrefix(name, inspectSamples)
	}
	return inspectText.Match(head) && bytes.Contains(head, []byte(`"eval"`)) && bytes.Contains(head, []byte(`"task"`))
}

// zipName is the name of a zip's first entry.
func zipName(head []byte) (string, bool) {
	const fixed = 30 // bytes of a local header before the name
	if len(head) < fixed || !bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return "", false
	}
	n := int(head[26]) | int(head[27])<<8
	return string(head[fixed:min(fixed+n, len(head))]), true
}

// inspectLog is what a log says of all its samples.
type inspectLog struct {
	Task    string                     `json:"task"`
	Args    map[string]json.RawMessage `json:"task_args"`
	Model   string                     `json:"model"`
	Dataset struct {
		Name string            `json:"name"`
		IDs  []json.RawMessage `json:"sample_ids"`
	} `json:"dataset"`
}

// sayInspect takes what the log says of all samples.
func (s *Source) sayInspect(text []byte) error {
	s.log = inspectLog{}
	if err := json.Unmarshal(text, &s.log); err != nil {
		return fmt.Errorf("read the log's head: %w", err)
	}
	s.Model, s.Task = s.log.Model, cmp.Or(s.log.Dataset.Name, s.log.Task)
	s.Shots = shotsOf(s.log.Args, "fewshot", "num_fewshot", "n_shots", "shots")
	return nil
}

// entries picks the log's files of samples, in the order of the run, and
// reads its head.
func (s *Source) entries(all *bound.Archive) ([]*zip.File, error) {
	var head, start *zip.File
	var samples []*zip.File
	for _, f := range all.File {
		switch {
		case f.Name == inspectHeader:
			head = f
		case f.Name == inspectStart:
			start = f
		case strings.HasPrefix(f.Name, inspectSamples) && strings.HasSuffix(f.Name, ".json"):
			samples = append(samples, f)
		}
	}
	if head = cmp.Or(head, start); head == nil || len(samples) == 0 {
		return nil, errors.New("the zip has no samples of inspect_ai")
	}
	text, err := format.Unzip(all, head)
	if err != nil {
		return nil, err
	}
	var log struct {
		Eval json.RawMessage `json:"eval"`
	}
	if err := json.Unmarshal(text, &log); err != nil {
		return nil, fmt.Errorf("read %s: %w", head.Name, err)
	}
	if err := s.sayInspect(log.Eval); err != nil {
		return nil, err
	}
	s.log.sortSamples(samples)
	return samples, nil
}

// sortSamples puts the files in the order of the log's list of ids, and those
// that it does not list behind, by number or name: a zip has them as they came.
func (l *inspectLog) sortSamples(files []*zip.File) {
	place := make(map[string]int, len(l.Dataset.IDs))
	for i, id := range l.Dataset.IDs {
		place[string(fastio.Text(id))] = i + 1
	}
	type at struct {
		place, number, epoch int
		name                 string
	}
	of := make(map[*zip.File]at, len(files))
	for _, f := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(f.Name, inspectSamples), ".json")
		a := at{name: name, place: len(place) + 1}
		if i := strings.LastIndex(name, "_epoch_"); i >= 0 {
			a.epoch, _ = strconv.Atoi(name[i+len("_epoch_"):]) // 0 for none
			a.name = name[:i]
		}
		a.number, _ = strconv.Atoi(a.name)
		if p, ok := place[a.name]; ok {
			a.place = p
		}
		of[f] = a
	}
	slices.SortStableFunc(files, func(x, y *zip.File) int {
		a, b := of[x], of[y]
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.number, b.number), cmp.Compare(a.name, b.name), cmp.Compare(a.epoch, b.epoch))
	})
}
