package prompt

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"maps"
	"slices"

	"concord/eval"
	"concord/eval/bound"
)

// Asker asks a chat endpoint the questions of a run.
type Asker struct {
	Chatter  eval.Chatter
	Set      *Set
	Settings eval.Settings

	grey grayPictures
}

var _ eval.Model = (*Asker)(nil)

// NewAsker checks that the settings can be carried out: every template has the text that they
// name, and there are enough worked examples. A nil chatter gives an asker for Chat alone.
func NewAsker(c eval.Chatter, set *Set, s eval.Settings) (*Asker, error) {
	if set == nil {
		return nil, errors.New("check settings: there are no templates")
	}
	if err := set.RequireUnchanged(s.Prompts); err != nil {
		return nil, err
	}
	if err := checkLanguage(s.Language); err != nil {
		return nil, fmt.Errorf("check settings: %w", err)
	}
	if s.Shots < 0 || s.Shots > len(s.Exemplars) {
		return nil, fmt.Errorf("check settings: %d shots need as many worked examples, and there are %d", s.Shots, len(s.Exemplars))
	}
	for i := range s.Exemplars {
		if err := checkExemplar(&s.Exemplars[i]); err != nil {
			return nil, fmt.Errorf("check settings: worked example %d: %w", i+1, err)
		}
	}
	return &Asker{Chatter: c, Set: set, Settings: s}, nil
}

// Answer asks the question.
func (a *Asker) Answer(ctx context.Context, r eval.Request) (eval.Reply, error) {
	c, err := a.BuildChat(r)
	if err != nil {
		return eval.Reply{}, err
	}
	reply, err := a.Chatter.Chat(ctx, c)
	reply.Sent = a.DescribeSent(&r)
	return reply, err
}

// DescribeSent describes what the call about a request sends beside its text.
func (a *Asker) DescribeSent(r *eval.Request) eval.Sent {
	m, s := r.Run.Config.Modality, &r.Sample
	out := eval.Sent{Known: true, Params: a.Settings.Params}
	if f, err := a.Set.findTemplate(a.Settings.Prompts, QuestionTemplate(s.Kind, m, a.Settings.Shots), QuestionLanguage(s.Question, a.Settings.Language)); err == nil {
		out.Prompt = f.text.Ref.Hash
	}
	if s.Kind == eval.KindChoice {
		out.Shots = a.Settings.Shots
	}
	switch m {
	case eval.WithImage, eval.WithoutImages:
		out.Images = s.CountHeldImages()
		out.Lacking = max(s.CountImages()-out.Images, 0)
	case eval.GreyImage: // in the place of each, and none of them is the sample's
		out.Images, out.Lacking = max(len(s.Pictures), 1), s.CountImages()
	case eval.TextOnly, eval.BaseText, eval.ModalityUnset:
		out.Lacking = s.CountImages()
	}
	return out
}

// BuildChat builds what the model is told. Its errors are failures: of the sample when
// a picture or a worked example is missing, else of the configuration.
func (a *Asker) BuildChat(r eval.Request) (eval.Chat, error) {
	m := r.Run.Config.Modality
	if m == eval.ModalityUnset {
		return eval.Chat{}, newConfigurationError("the run has no modality")
	}
	name := QuestionTemplate(r.Sample.Kind, m, a.Settings.Shots)
	if name == "" {
		return eval.Chat{}, sampleFailure("sample %s has no kind", r.Sample.ID)
	}
	item := Item{Language: QuestionLanguage(r.Sample.Question, a.Settings.Language), Question: r.Sample.Question, Hint: r.Sample.Hint, Options: r.Shown.Options}
	if name == ChoiceShots {
		item.Shots = a.chooseWorkedExamples(&r.Sample)
		if len(item.Shots) < a.Settings.Shots {
			return eval.Chat{}, sampleFailure("sample %s is a worked example itself, and there is none to take its place", r.Sample.ID)
		}
	}
	pictures, err := a.picturesForModality(&r)
	if err != nil {
		return eval.Chat{}, err
	}
	placed := len(pictures)
	if m == eval.WithoutImages && placed < r.Sample.CountImages() {
		placed = 0 // their marks would name other ones
	}
	chat, _, err := a.Set.FillTemplateWithPictures(a.Settings.Prompts, name, item, placed)
	chat.Pictures = pictures
	return chat, err
}

// picturesForModality loads those that go along with a request.
func (a *Asker) picturesForModality(r *eval.Request) ([][]byte, error) {
	switch s := &r.Sample; r.Run.Config.Modality {
	case eval.WithImage:
		if n := s.CountImages(); n > len(s.Pictures) {
			return nil, sampleFailure("sample %s names image %d, and has %d", s.ID, n, len(s.Pictures))
		}
		return LoadPictures(s, r.Pictures)
	case eval.WithoutImages:
		held := *s
		held.Pictures = slices.DeleteFunc(slices.Clone(s.Pictures), func(p eval.Picture) bool { return p.Hash == "" })
		return LoadPictures(&held, r.Pictures)
	case eval.GreyImage:
		return a.makeGrayPictures(r)
	case eval.TextOnly, eval.BaseText, eval.ModalityUnset:
	}
	return nil, nil
}

// chooseWorkedExamples chooses the first worked examples that are not the item itself.
func (a *Asker) chooseWorkedExamples(s *eval.Sample) []eval.Exemplar {
	others := eval.Select(a.Settings.Exemplars, func(e eval.Exemplar) bool {
		return !eval.Either(e.Sample == "", e.Question == s.Question, e.Sample == s.ID)
	})
	return others[:min(len(others), a.Settings.Shots)]
}

// LoadPictures loads the sample's own, all of them: a question is never asked
// without a picture that belongs to it. A nil read holds none.
func LoadPictures(s *eval.Sample, read func(eval.PictureHash) ([]byte, error)) ([][]byte, error) {
	var out [][]byte
	for _, p := range s.Pictures {
		data, err := loadPictureBytes(s, p, read)
		if err != nil {
			return nil, err
		}
		out = append(out, data)
	}
	return out, nil
}

// makeGrayPictures makes grey pictures of the sizes of the sample's own, at least one.
func (a *Asker) makeGrayPictures(r *eval.Request) ([][]byte, error) {
	var out [][]byte
	for _, p := range r.Sample.Pictures {
		data, _ := loadPictureBytes(&r.Sample, p, r.Pictures) // one that is not held has the size of none
		picture, err := a.grey.makeLike(data, a.Settings.Edge)
		if err != nil {
			return nil, err
		}
		out = append(out, picture)
	}
	if len(out) > 0 {
		return out, nil
	}
	picture, err := a.grey.makeLike(nil, a.Settings.Edge)
	return [][]byte{picture}, err
}

func loadPictureBytes(s *eval.Sample, p eval.Picture, read func(eval.PictureHash) ([]byte, error)) ([]byte, error) {
	label := p.Name
	label = cmp.Or(label, string(p.Hash))
	if p.Hash == "" || read == nil {
		return nil, sampleFailure("the project does not hold picture %q of sample %s", label, s.ID)
	}
	data, err := read(p.Hash)
	switch {
	case errors.Is(err, eval.ErrNotFound), err == nil && len(data) == 0:
		return nil, sampleFailure("the project does not hold picture %q of sample %s", label, s.ID)
	case err != nil:
		return nil, sampleFailure("read picture %q of sample %s: %v", label, s.ID, err)
	}
	return data, nil
}

func sampleFailure(format string, args ...any) error {
	return &eval.Failure{Kind: eval.FailureSample, Unasked: true, Message: fmt.Sprintf(format, args...)}
}

// DrawExemplars draws worked examples for k-shot prompts from a dataset: k of its multiple-choice samples
// with a ground truth, and one more to take the place of an example that is the item itself. Fewer when the
// dataset has fewer. The draw depends on the seed and the samples' ids alone, not on their order.
func DrawExemplars(samples iter.Seq[eval.Sample], k int, seed uint64) []eval.Exemplar {
	if k <= 0 {
		return nil
	}
	type ticket struct {
		at uint64
		e  eval.Exemplar
	}
	var drawn []ticket
	for s := range samples {
		e := eval.Exemplar{Sample: s.ID, Question: s.Question, Options: s.Options, Answer: s.Answer}
		if s.Kind != eval.KindChoice || checkExemplar(&e) != nil {
			continue
		}
		t := ticket{drawOrder(seed, s.ID), e}
		i, _ := slices.BinarySearchFunc(drawn, t, func(a, b ticket) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.e.Sample, b.e.Sample))
		})
		if i <= k {
			drawn = slices.Insert(drawn, i, t)
			drawn = drawn[:min(len(drawn), k+1)]
		}
	}
	return eval.Map(drawn, func(t ticket) eval.Exemplar { return t.e })
}

func drawOrder(seed uint64, id eval.SampleID) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, seed))
	_, _ = h.Write([]byte(id))
	x := h.Sum64() // FNV alone leaves neighbouring ids close to each other
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// ReadExemplars reads worked examples from JSON lines {"question", "options", "answer"}:
// options an object by letter, or a list lettered from A. An error names the line.
func ReadExemplars(r io.Reader) ([]eval.Exemplar, error) {
	var out []eval.Exemplar
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, bound.Text)
	n := 0
	for lines.Scan() {
		n++
		text := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff")))
		if len(text) == 0 {
			continue
		}
		e, err := readExemplar(text)
		if err != nil {
			return nil, fmt.Errorf("read worked example, line %d: %w", n, err)
		}
		out = append(out, e)
	}
	return out, eval.WrapError(lines.Err(), "read worked examples after line %d", n)
}

func readExemplar(line []byte) (eval.Exemplar, error) {
	var in struct {
		Question string          `json:"question"`
		Options  json.RawMessage `json:"options"`
		Answer   eval.Choice     `json:"answer"`
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return eval.Exemplar{}, err
	}
	e := eval.Exemplar{Question: in.Question, Answer: in.Answer}
	var list []string
	if err := json.Unmarshal(in.Options, &list); err == nil {
		for i, text := range list {
			e.Options = append(e.Options, eval.Option{Letter: eval.Choice(rune('A' + i)), Text: text})
		}
		return e, checkExemplar(&e)
	}
	var byLetter map[eval.Choice]string
	if err := json.Unmarshal(in.Options, &byLetter); err != nil {
		return eval.Exemplar{}, errors.New("options are neither an object by letter nor a list")
	}
	e.Options = eval.Map(slices.Sorted(maps.Keys(byLetter)), func(l eval.Choice) eval.Option { return eval.Option{Letter: l, Text: byLetter[l]} })
	return e, checkExemplar(&e)
}

func checkExemplar(e *eval.Exemplar) error {
	if e.Question == "" {
		return errors.New("it has no question")
	}
	right := false
	for _, o := range e.Options {
		if len(o.Letter) != 1 || o.Letter < "A" || o.Letter > "Z" {
			return fmt.Errorf("option %q is not lettered A to Z", o.Letter)
		}
		right = right || o.Letter == e.Answer
	}
	if !right {
		return fmt.Errorf("answer %q is none of its options", e.Answer)
	}
	return nil
}
