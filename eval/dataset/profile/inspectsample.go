package profile

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/bound"
	"concord/eval/dataset/column"
	"concord/eval/dataset/format"
	"concord/eval/dataset/internal/fastio"
)

// inspectSample is a sample of inspect_ai's log, less what nobody asks for here.
type inspectSample struct {
	ID       json.RawMessage            `json:"id"`
	Epoch    int                        `json:"epoch"`
	Input    json.RawMessage            `json:"input"`
	Choices  []string                   `json:"choices"`
	Target   json.RawMessage            `json:"target"`
	Output   *inspectOutput             `json:"output"`
	Scores   map[string]inspectScore    `json:"scores"`
	Metadata map[string]json.RawMessage `json:"metadata"`
	Attached map[string]string          `json:"attachments"`
	Error    *struct{ Message string }  `json:"error"`
}

type inspectOutput struct {
	Choices []struct {
		Message struct{ Content json.RawMessage }
	} `json:"choices"`
	Completion string `json:"completion"`
}

type inspectScore struct {
	Value  json.RawMessage `json:"value"`
	Answer json.RawMessage `json:"answer"`
}

// inspectPart is a piece of a message's content.
type inspectPart struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Image string `json:"image"`
}

var errEpoch = errors.New("a later epoch of a sample: only the first one's answer is taken")

// renameInspectSample gives a sample of a log the names of VLMEvalKit.
func (l *inspectLog) renameInspectSample(text []byte, _ []string) (fastio.Object, error) {
	var in inspectSample
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("%w: %w", fastio.ErrNoObject, err)
	}
	if in.Epoch > 1 {
		return nil, errEpoch
	}
	out := fastio.Object{{Name: "index", Value: in.ID}}
	question, images, paths := in.readInput()
	setUnlessNil(&out, "question", question)
	setUnlessNil(&out, "source", l.Dataset.Name)
	setUnlessNil(&out, "answer", in.joinRightAnswers())
	setUnlessNil(&out, columnScores, in.readForeignScores())
	if len(in.Choices) > 0 {
		for i, c := range in.Choices {
			in.Choices[i] = in.resolveAttachment(c)
		}
		setUnlessNil(&out, "options", in.Choices)
	}
	setUnlessNil(&out, "image", column.EncodeOneOrList(images))
	setUnlessNil(&out, "image_path", column.EncodeOneOrList(paths))
	for _, name := range []string{"category", "subject"} {
		if v, ok := in.Metadata[name]; ok && out.Get("category") == nil {
			out.Set("category", v)
		}
	}
	if answer, ok := in.readAnswer(); ok {
		setUnlessNil(&out, "prediction", answer)
	} else if in.Error != nil {
		return out, fmt.Errorf("the sample failed: %.200s", in.Error.Message)
	}
	return out, nil
}

func setUnlessNil(out *fastio.Object, name string, value any) {
	if value == nil {
		return
	}
	if text, err := json.Marshal(value); err == nil {
		out.Set(name, text)
	}
}

// resolveAttachment gives a text that may stand among the attachments.
func (s *inspectSample) resolveAttachment(text string) string {
	if id, ok := strings.CutPrefix(text, "attachment://"); ok {
		if found, ok := s.Attached[id]; ok {
			return found
		}
	}
	return text
}

// readInput reads the question's text and pictures: a string, or what the user's messages say.
func (s *inspectSample) readInput() (question string, images, paths []string) {
	var text string
	if json.Unmarshal(s.Input, &text) == nil {
		return s.resolveAttachment(text), nil, nil
	}
	var messages []struct {
		Role    string
		Content json.RawMessage
	}
	if json.Unmarshal(s.Input, &messages) != nil {
		return "", nil, nil
	}
	var said []string
	for _, m := range messages {
		if m.Role != "user" {
			continue
		}
		for _, p := range s.parseContent(m.Content) {
			switch {
			case p.Type == "text":
				said = append(said, p.Text)
			case p.Type == "image" && strings.HasPrefix(p.Image, "data:"):
				images = append(images, p.Image)
			case p.Type == "image":
				paths = append(paths, p.Image)
			}
		}
	}
	return strings.Join(said, "\n"), images, paths
}

// parseContent gives a message's content: a string, or a list of parts.
func (s *inspectSample) parseContent(raw json.RawMessage) []inspectPart {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []inspectPart{{Type: "text", Text: s.resolveAttachment(text)}}
	}
	var parts []inspectPart
	if json.Unmarshal(raw, &parts) != nil {
		return nil
	}
	for i := range parts {
		parts[i].Text, parts[i].Image = s.resolveAttachment(parts[i].Text), s.resolveAttachment(parts[i].Image)
	}
	return parts
}

// readAnswer reads what the model said; not ok when it said nothing at all.
func (s *inspectSample) readAnswer() (string, bool) {
	if s.Output == nil || len(s.Output.Choices) == 0 && s.Output.Completion == "" {
		return "", false
	}
	if len(s.Output.Choices) == 0 {
		return s.resolveAttachment(s.Output.Completion), true
	}
	said := eval.Select(s.parseContent(s.Output.Choices[0].Message.Content), func(p inspectPart) bool { return p.Type == "text" })
	return strings.Join(eval.Map(said, func(p inspectPart) string { return p.Text }), "\n"), true
}

// joinRightAnswers reads the truth: one text, or several that all are right.
func (s *inspectSample) joinRightAnswers() string {
	var list []string
	if json.Unmarshal(s.Target, &list) != nil {
		return s.resolveAttachment(string(fastio.TextOfJSON(s.Target)))
	}
	return strings.Join(eval.Map(list, s.resolveAttachment), "; ")
}

// Scores that concord writes into a log: what rules extract, and what people say.
const (
	WrittenScore       = "concord"
	WrittenPeopleScore = "concord_people"
)

// readForeignScores reads what the log's own scorers say, by their names. What concord wrote
// into it comes from the facts of a project, and is not read for a judge's.
func (s *inspectSample) readForeignScores() any {
	var out []LogScore
	for _, name := range slices.Sorted(maps.Keys(s.Scores)) {
		if name == WrittenScore || name == WrittenPeopleScore {
			continue
		}
		score := s.Scores[name]
		one := LogScore{Scorer: "inspect_ai/" + name, Right: isScoredRight(score.Value), Raw: string(fastio.TextOfJSON(score.Value))}
		var answer string
		if json.Unmarshal(score.Answer, &answer) == nil {
			one.Answer, one.Read = s.resolveAttachment(answer), true
		}
		out = append(out, one)
	}
	if out == nil {
		return nil
	}
	return out
}

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

func newInspectLayout() layout {
	return layout{
		name: Inspect, container: format.Log, whole: true,
		claim: func(s *FileStart) (int, string) {
			if isInspectLog(format.TrimBOMAndSpace(s.Head)) {
				return 90, "it begins like a log of inspect_ai"
			}
			return 0, ""
		},
		names: func(s *Source) format.Layout {
			return format.Layout{
				Object: func(text []byte, like []string) (fastio.Object, error) { return s.log.renameInspectSample(text, like) },
				Log:    format.LogLayout{List: "samples", About: "eval", Says: func(about json.RawMessage) error { return s.applyInspectHeader(about) }, Entries: s.listSampleEntries},
			}
		},
	}
}

// isInspectLog tells a log by its head: by the name of a zip's first entry, or by how the object begins.
func isInspectLog(head []byte) bool {
	if name, ok := readFirstZipName(head); ok {
		return name == inspectHeader || strings.HasPrefix(name, "_journal/") || strings.HasPrefix(name, inspectSamples)
	}
	return inspectText.Match(head) && bytes.Contains(head, []byte(`"eval"`)) && bytes.Contains(head, []byte(`"task"`))
}

// readFirstZipName reads the name of a zip's first entry.
func readFirstZipName(head []byte) (string, bool) {
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

// applyInspectHeader takes what the log says of all samples.
func (s *Source) applyInspectHeader(text []byte) error {
	s.log = inspectLog{}
	if err := json.Unmarshal(text, &s.log); err != nil {
		return fmt.Errorf("read the log's head: %w", err)
	}
	s.Model, s.Task = s.log.Model, cmp.Or(s.log.Dataset.Name, s.log.Task)
	s.Shots = firstShotCount(s.log.Args, "fewshot", "num_fewshot", "n_shots", "shots")
	return nil
}

// listSampleEntries picks the log's files of samples, in the order of the run, and reads its head.
func (s *Source) listSampleEntries(all *bound.Archive) ([]*zip.File, error) {
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
	text, err := format.ReadZipEntry(all, head)
	if err != nil {
		return nil, err
	}
	var log struct {
		Eval json.RawMessage `json:"eval"`
	}
	if err := json.Unmarshal(text, &log); err != nil {
		return nil, fmt.Errorf("read %s: %w", head.Name, err)
	}
	if err := s.applyInspectHeader(log.Eval); err != nil {
		return nil, err
	}
	s.log.sortSampleEntries(samples)
	return samples, nil
}

// sortSampleEntries puts the files in the order of the log's list of ids, and those
// that it does not list behind, by number or name: a zip has them as they came.
func (l *inspectLog) sortSampleEntries(files []*zip.File) {
	place := make(map[string]int, len(l.Dataset.IDs))
	for i, id := range l.Dataset.IDs {
		place[string(fastio.TextOfJSON(id))] = i + 1
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
