package demo

import (
	"fmt"

	"github.com/pelletier/go-toml/v2"

	"concord/eval"
)

// Open is the part of the demo with open answers: one model's, graded by criteria.
type Open struct {
	Dataset   eval.Dataset // Hash is left to whoever stores it
	Samples   []eval.Sample
	Questions []OpenQuestion // of the samples, in their order
	Model     string
	Queue     string
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

// readOpen reads the open questions, and has the project hold their images.
func (p *Project) readOpen(pictures map[string]demoImage) error {
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
