package demo

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"path"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"concord/eval"
)

// Project is the whole demo as data.
type Project struct {
	Dataset  eval.Dataset // Hash is left to whoever stores it
	Samples  []eval.Sample
	Pictures map[eval.PictureHash][]byte // PNG
	Models   []*Model                    // from the weakest to the strongest
	Judge    string                      // the judge behind Model.RecordedJudgment
	Queue    Queue
	Open     Open
}

// Queue is what the demo's review queue is made from.
type Queue struct {
	Name      string
	Rules     string  // the rule set whose unparsable predictions are enrolled
	Rate      float64 // share of them, 1 for all
	Guideline string
}

// DatasetName is the name of the demo's dataset.
const DatasetName eval.DatasetName = "demo"

// JudgeName is the recorded judge's name, which says what it is wherever it appears.
const JudgeName = "recorded-judge (synthetic)"

const guideline = `Read what the answer says, not what is right.
An option: the answer means exactly this one, in whatever words.
None: it means no option, only describes, is empty or breaks off.
Ambiguous: it names several and settles on none.
Refused: it declines to answer.`

// Speed is how fast a model answers when it is played back, so that the three
// runs, started together, last about a minute.
type Speed struct {
	Fixed       time.Duration
	Jitter      time.Duration // up to so much more
	Concurrency int           // questions at once
}

// ReplyDelay is how long a reply takes: Fixed, and a part of Jitter drawn from a seed, sample and pass.
func (s Speed) ReplyDelay(seed uint64, id eval.SampleID, p eval.Pass) time.Duration {
	if s.Jitter <= 0 {
		return s.Fixed
	}
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d/%s.%d", seed, id, p)
	return s.Fixed + time.Duration(h.Sum64()%uint64(s.Jitter))
}

// Model is a made-up model with recorded answers for every pass.
type Model struct {
	Name    string
	Speed   Speed
	answers map[samplePass]answer
}

type samplePass struct {
	sample eval.SampleID
	pass   eval.Pass
}

// answer is a recorded reply, and what there is to read in it.
type answer struct {
	reply         eval.Reply
	meant, judged eval.Extraction
	raw           string
	free          bool // written by hand, for no rule to read
}

// RecordedReply is the recorded answer, if there is one.
func (m *Model) RecordedReply(id eval.SampleID, p eval.Pass) (eval.Reply, bool) {
	a, ok := m.answers[samplePass{id, p}]
	return a.reply, ok
}

// RecordedJudgment is how the recorded judge reads the answer; about one in seven of
// those that rules cannot read it reads wrong. Run and time are left open.
func (m *Model) RecordedJudgment(s *eval.Sample, p eval.Pass) (eval.Judgment, bool) {
	a, ok := m.answers[samplePass{s.ID, p}]
	if !ok {
		return eval.Judgment{}, false
	}
	return eval.Judgment{
		Key:   eval.Key{Sample: s.Ordinal, Pass: p},
		Judge: JudgeName, Extraction: a.judged, Raw: a.raw,
	}, true
}

// JudgmentUnderPrompt is how the recorded judge would read the answer under another prompt,
// which luck stands for: half of what it reads wrong it reads right then, and about one in
// twelve of the others it reads as none of the options.
func (m *Model) JudgmentUnderPrompt(luck uint64, s *eval.Sample, p eval.Pass) (eval.Judgment, bool) {
	j, ok := m.RecordedJudgment(s, p)
	a := m.answers[samplePass{s.ID, p}]
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d/%s.%d/%s", luck, s.ID, p, a.reply.Text)
	switch n := h.Sum64() % 12; {
	case a.judged.AlignmentClass() != a.meant.AlignmentClass():
		if n < 6 {
			j.Extraction, j.Raw = a.meant, string(a.meant.Choice)
		}
	case n == 0:
		j.Extraction = eval.Extraction{Status: eval.None}
	}
	return j, ok
}

// BuildProject builds the project: it reads the questions and the images, and deals the answers out.
func BuildProject() (*Project, error) {
	book, err := readAnswerBook()
	if err != nil {
		return nil, err
	}
	pictures, err := loadImages()
	if err != nil {
		return nil, err
	}
	p := &Project{
		Dataset:  eval.Dataset{Name: DatasetName, Samples: len(book.questions), Complete: true, Synthetic: true},
		Pictures: make(map[eval.PictureHash][]byte, len(pictures)),
		Judge:    JudgeName,
		Queue:    Queue{Name: "unparsed-demo", Rules: "concord", Rate: 1, Guideline: guideline},
	}
	for i := range book.questions {
		q := &book.questions[i]
		drawn, ok := pictures[q.Picture]
		if !ok {
			return nil, fmt.Errorf("question %s: no picture %q", q.ID, q.Picture)
		}
		p.Pictures[drawn.hash] = drawn.png
		p.Samples = append(p.Samples, q.toSample(eval.Ordinal(i), eval.Picture{Hash: drawn.hash, Name: q.Picture + ".png"}))
	}
	p.Models = writeModelAnswers(book, p.Samples)
	return p, p.readOpenQuestions(pictures)
}

//go:embed data/images/*.png
var imageFiles embed.FS

// demoImage is an image of the demo. Tests hold the drawings that it comes from.
type demoImage struct {
	hash eval.PictureHash
	png  []byte
}

// loadImages loads all of them by the name that questions use.
func loadImages() (map[string]demoImage, error) {
	const folder = "data/images"
	files, err := imageFiles.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("read images: %w", err)
	}
	out := make(map[string]demoImage, len(files))
	for _, f := range files {
		data, err := imageFiles.ReadFile(path.Join(folder, f.Name()))
		if err != nil {
			return nil, fmt.Errorf("read image: %w", err)
		}
		sum := sha256.Sum256(data)
		out[strings.TrimSuffix(f.Name(), ".png")] = demoImage{eval.PictureHash(hex.EncodeToString(sum[:])), data}
	}
	return out, nil
}

// Open is the part of the demo with open answers: one model's, graded by criteria.
type Open struct {
	Dataset      eval.Dataset // Hash is left to whoever stores it
	Samples      []eval.Sample
	Questions    []OpenQuestion // of the samples, in their order
	Model, Queue string
}

// OpenQuestion is an open question with its recorded answer.
type OpenQuestion struct {
	ID       eval.SampleID   `toml:"id"`
	Picture  string          `toml:"picture"`
	Text     string          `toml:"text"`
	Answer   string          `toml:"answer"`
	Criteria []OpenCriterion `toml:"criteria"`
}

// OpenCriterion is something that a good answer does, or must not do.
type OpenCriterion struct {
	ID      string   `toml:"id"`
	Text    string   `toml:"text"`
	Weight  float64  `toml:"weight"`
	Partial *float64 `toml:"partial"` // what it counts when it is met in part; nil: it is not
	Judged  string   `toml:"judged"`  // the recorded judge's verdict
	Says    string   `toml:"says"`    // and its reason
}

// readOpenQuestions reads the open questions, and has the project hold their images.
func (p *Project) readOpenQuestions(pictures map[string]demoImage) error {
	raw, err := data.ReadFile("data/open.toml")
	if err != nil {
		return fmt.Errorf("read demo: %w", err)
	}
	var page struct {
		Question []OpenQuestion `toml:"question"`
	}
	if err := toml.Unmarshal(raw, &page); err != nil {
		return fmt.Errorf("read demo open: %w", err)
	}
	p.Open = Open{Questions: page.Question, Model: p.Models[len(p.Models)-1].Name, Queue: "with-criteria"}
	for i, q := range page.Question {
		drawn, ok := pictures[q.Picture]
		if !ok {
			return fmt.Errorf("question %s: no picture %q", q.ID, q.Picture)
		}
		p.Pictures[drawn.hash] = drawn.png
		p.Open.Samples = append(p.Open.Samples, eval.Sample{
			Ordinal: eval.Ordinal(i), ID: q.ID, Kind: eval.KindOpen, Question: q.Text,
			Pictures: []eval.Picture{{Hash: drawn.hash, Name: q.Picture + ".png"}}, Split: "demo", Source: "synthetic",
		})
	}
	n := len(page.Question)
	p.Open.Dataset = eval.Dataset{Name: DatasetName + "-open", Samples: n, NoTruth: n, Complete: true, Synthetic: true}
	return nil
}
