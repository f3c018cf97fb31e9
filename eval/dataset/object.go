package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"unicode/utf8"

	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/problem"
)

// objects reads JSON arrays of objects and JSON lines. An object becomes a
// row whose columns are its names; null is an empty cell, and a list or an
// object within stays JSON.
func (s *source) objects(in io.Reader, yield func(row, error) bool) error {
	return s.eachObject(fastio.NewElements(in, s.path, s.format != FormatJSON), yield)
}

// eachObject makes rows of the objects that are cut out.
func (s *source) eachObject(els *fastio.Elements, yield func(row, error) bool) error {
	var head *header
	for {
		text, line, err := els.Next()
		var p *Problem
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.As(err, &p):
			return err
		}
		r := row{line: line, head: head}
		if err == nil {
			if r, err = s.object(head, text, line); err != nil {
				var next *Problem
				if next = problem.At(s.path, line, "%s", err); !els.Lines && errors.Is(err, fastio.ErrNoObject) {
					next = els.Retreat(line, err.Error())
				}
				err = next
			} else {
				head = r.head
			}
		}
		if !yield(r, err) {
			return nil
		}
	}
}

// object makes a row of one object. The last header serves again when the
// names are the same.
func (s *source) object(last *header, text []byte, line int) (row, error) {
	var values map[string]json.RawMessage
	var err error
	if s.format == FormatInspect {
		values, err = s.log.fromInspect(text)
	} else {
		values, err = fastio.ParseObject(text)
	}
	if err != nil {
		return row{}, err
	}
	switch {
	case s.asIs, s.format == FormatInspect:
	case s.format == FormatLMMS:
		values = fromLMMS(values)
	default:
		values = fromBench(values)
	}
	names := slices.Sorted(maps.Keys(values))
	if last == nil || !slices.Equal(last.names, names) {
		last = newHeader(names)
	}
	r := row{line: line, head: last, cells: make([][]byte, len(names)), broken: !utf8.Valid(text)}
	for i, n := range names {
		r.cells[i] = fastio.Text(values[n])
	}
	return r, nil
}

// fromLMMS gives a sample record of lmms-eval the names of VLMEvalKit. The
// question's own fields are in doc, where a task logs it, and its category
// is in the entry of the task's score.
func fromLMMS(in map[string]json.RawMessage) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	var doc map[string]json.RawMessage
	if json.Unmarshal(in["doc"], &doc) == nil {
		for _, n := range []string{"index", "question", "hint", "options", "answer", "category", "split", "source"} {
			if v, ok := doc[n]; ok {
				out[n] = v
			}
		}
		for c := 'A'; c <= 'Z'; c++ {
			if v, ok := doc[string(c)]; ok {
				out[string(c)] = v
			}
		}
	}
	if v, ok := doc["L2-category"]; ok {
		out["l2-category"] = v
	}
	rename := func(to, from string) {
		if v, ok := in[from]; ok && out[to] == nil {
			out[to] = v
		}
	}
	rename("index", "doc_id")
	rename("question", "input")
	rename("answer", "target")
	rename("image_path", "input_media")
	fromLMMSScores(out, in)
	out["prediction"] = firstText(in["filtered_resps"], in["resps"])
	return out
}

// fromLMMSScores takes the category and the score of a sample record: entries
// of the task's metrics have them, or the score alone.
func fromLMMSScores(out, in map[string]json.RawMessage) {
	for _, n := range slices.Sorted(maps.Keys(in)) {
		var entry struct {
			Category json.RawMessage `json:"category"`
			Fine     json.RawMessage `json:"l2_category"` // of MMStar, where category is the coarse one
			Score    json.RawMessage `json:"score"`
		}
		if json.Unmarshal(in[n], &entry) != nil {
			continue
		}
		if out["category"] == nil && len(entry.Category) > 0 {
			out["category"] = entry.Category
			if len(entry.Fine) > 0 {
				out["l2_category"] = entry.Fine
			}
		}
		if out[columnScores] == nil && len(entry.Score) > 0 {
			put(out, columnScores, []logScore{{Scorer: "lmms-eval/" + n, Right: scoredRight(entry.Score), Raw: string(fastio.Text(entry.Score))}})
		}
	}
}

// firstText returns the first string within nested lists.
func firstText(values ...json.RawMessage) json.RawMessage {
	for _, v := range values {
		v = bytes.TrimSpace(v)
		var list []json.RawMessage
		switch {
		case bytes.HasPrefix(v, []byte(`"`)):
			return v
		case json.Unmarshal(v, &list) == nil && len(list) > 0:
			if s := firstText(list[0]); s != nil {
				return s
			}
		}
	}
	return nil
}
