package prompt

import (
	"bufio"
	"bytes"
	"cmp"
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

// Draw draws worked examples for k-shot prompts from a dataset: k of its
// multiple-choice samples with a ground truth, and one more to take the place
// of an example that is the item itself. Fewer when the dataset has fewer. The
// draw depends on the seed and the samples' ids alone, not on their order.
func Draw(samples iter.Seq[eval.Sample], k int, seed uint64) []eval.Exemplar {
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
		t := ticket{lot(seed, s.ID), e}
		i, _ := slices.BinarySearchFunc(drawn, t, func(a, b ticket) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.e.Sample, b.e.Sample))
		})
		if i <= k {
			drawn = slices.Insert(drawn, i, t)
			drawn = drawn[:min(len(drawn), k+1)]
		}
	}
	out := make([]eval.Exemplar, len(drawn))
	for i, t := range drawn {
		out[i] = t.e
	}
	return out
}

func lot(seed uint64, id eval.SampleID) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, seed))
	_, _ = h.Write([]byte(id))
	x := h.Sum64() // FNV alone leaves neighbouring ids close to each other
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// ReadExemplars reads worked examples from JSON lines {"question", "options",
// "answer"}: options an object by letter, or a list lettered from A. An error
// names the line.
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
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read worked examples after line %d: %w", n, err)
	}
	return out, nil
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
	for _, l := range slices.Sorted(maps.Keys(byLetter)) {
		e.Options = append(e.Options, eval.Option{Letter: l, Text: byLetter[l]})
	}
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
