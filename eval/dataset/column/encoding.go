package column

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
)

// encodings make the cell of a role of what a file holds. Nil leaves it: lists,
// letters, paths and base64 are told apart when a cell is read.
var encodings = map[string]func(cell []byte) []byte{
	"index0": func(cell []byte) []byte { return letterAt(cell, 0) },
	"index1": func(cell []byte) []byte { return letterAt(cell, 1) },
	"bool":   yesNo,
	"human":  func(cell []byte) []byte { return said(cell, "human") },
	"gpt":    func(cell []byte) []byte { return said(cell, "gpt") },
	"task":   func(cell []byte) []byte { return taskName.ReplaceAll(cell, []byte("$1")) },
	"joined": func(cell []byte) []byte {
		if list, ok := fastio.ParseList(cell); ok {
			return bytes.Join(list, []byte(","))
		}
		return cell
	},
	"letter": nil, "text": nil, "list": nil, "and": nil, "path": nil, "bytes": nil, "base64": nil,
}

func encodingNames() []string { return slices.Sorted(maps.Keys(encodings)) }

// taskName is BLINK's: val_Art_Style_1 is of Art_Style.
var taskName = regexp.MustCompile(`^(?:val|test)_(.+)_\d+$`)

// letterAt is the letter of an index, counted from a base. A negative one is
// none; what is no number stays.
func letterAt(cell []byte, base int) []byte {
	n, err := strconv.Atoi(strings.TrimSuffix(string(bytes.TrimSpace(cell)), ".0"))
	switch n -= base; {
	case err != nil:
		return cell
	case n < 0 || n > 25:
		return []byte{} // no choice, which is an answer all the same
	}
	return []byte{'A' + byte(n)}
}

func yesNo(cell []byte) []byte {
	switch strings.ToLower(string(bytes.TrimSpace(cell))) {
	case "1", "true", "1.0":
		return []byte(eval.Yes)
	case "0", "false", "0.0":
		return []byte(eval.No)
	}
	return cell
}

// said is the first turn of somebody in a list of turns, without the mark of an
// image before it.
func said(cell []byte, who string) []byte {
	var turns []struct{ From, Value string }
	if json.Unmarshal(cell, &turns) != nil {
		return cell
	}
	for _, t := range turns {
		if t.From == who {
			return []byte(strings.TrimSpace(strings.Replace(t.Value, "<image>", "", 1)))
		}
	}
	return nil
}

// template is text with {column} and {column:n} filled in.
var templateMark = regexp.MustCompile(`\{([^{}]+?)(?::(-?\d+))?\}`)

// filled is a template with a row's cells. A column that is not there is empty.
func filled(template string, names []string, cells [][]byte) string {
	return templateMark.ReplaceAllStringFunc(template, func(mark string) string {
		m := templateMark.FindStringSubmatch(mark)
		for name := range strings.SplitSeq(m[1], "|") {
			at := slices.Index(names, name)
			if at < 0 || at >= len(cells) {
				continue
			}
			text := strings.TrimSpace(string(cells[at]))
			if m[2] == "" {
				return text
			}
			parts := strings.Split(text, "_")
			n, _ := strconv.Atoi(m[2]) // of digits
			if n < 0 {
				n += len(parts)
			}
			if n >= 0 && n < len(parts) {
				return parts[n]
			}
		}
		return ""
	})
}

var imageName = regexp.MustCompile(`(?i)^[^\n\r]{1,400}\.(?:jpe?g|png|gif|webp|bmp|tiff?)$`)

// isImageName tells the name of an image from its bytes.
func isImageName(cell []byte) bool {
	const longest = 512
	return len(cell) < longest && bytes.IndexByte(cell, '.') >= 0 && imageName.Match(bytes.TrimSpace(cell))
}

// imageCells divides the images of a row in those that it holds and those that
// it names.
func imageCells(cells [][]byte) (held, named []byte) {
	var bytesOf, names []string
	for _, cell := range cells {
		for _, one := range Images(cell) {
			switch one = bytes.TrimSpace(one); {
			case len(one) == 0 || bytes.EqualFold(one, []byte("null")) || bytes.Equal(one, []byte("None")):
			case isImageName(one):
				names = append(names, string(one))
			default:
				bytesOf = append(bytesOf, string(one))
			}
		}
	}
	return listOrOne(bytesOf), listOrOne(names)
}

func listOrOne(texts []string) []byte {
	switch v := OneOrList(texts).(type) {
	case string:
		return []byte(v)
	case []string:
		out, _ := json.Marshal(v) // texts always marshal
		return out
	}
	return nil
}
