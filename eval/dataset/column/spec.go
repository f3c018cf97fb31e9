package column

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/dataset/internal/fastio"
)

// roles are what a column can be. Those of kitNames have another name in the rows.
var roles = []string{
	"index", "group", "question", "hint", "options", "answer", "image", "image_path", "category", "coarse", "fine", "taxonomy",
	"split", "source", "bench", "kind", "prediction", "model",
}

var kitNames = map[string]string{"group": "g_index", "coarse": "l2-category", "fine": "l2_category", "model": "gen_model_id"}

func kitColumnName(role string) string { return cmp.Or(kitNames[role], role) }

func newUnknownRoleError(role string) error {
	return fmt.Errorf("unknown role %q: want one of %s", role, strings.Join(roles, ", "))
}

// roleSpec says which columns make a role: parts, each the first of several names that is there.
type roleSpec struct {
	encoding string
	parts    [][]string // patterns
	constant string
	fixed    bool // the constant, in every row
}

func parseRoleSpecs(written map[string]string) (map[string]roleSpec, error) {
	out := make(map[string]roleSpec, len(written))
	for role, text := range written {
		if !slices.Contains(roles, role) {
			return nil, newUnknownRoleError(role)
		}
		s, err := parseRoleSpec(text)
		if err != nil {
			return nil, err
		}
		out[role] = s
	}
	return out, nil
}

// parseRoleSpec reads "encoding:column", "a|b", "a+b", "choice_*" or "=text".
func parseRoleSpec(written string) (s roleSpec, err error) {
	if text, ok := strings.CutPrefix(written, "="); ok {
		return roleSpec{constant: text, fixed: true}, nil
	}
	if encoding, rest, ok := strings.Cut(written, ":"); ok {
		if _, known := encodings[encoding]; !known {
			return s, fmt.Errorf("unknown encoding %q in %q: want one of %s", encoding, written, strings.Join(slices.Sorted(maps.Keys(encodings)), ", "))
		}
		s.encoding, written = encoding, rest
	}
	if written == "" {
		return s, nil
	}
	for part := range strings.SplitSeq(written, "+") {
		either := strings.Split(part, "|")
		for _, pattern := range either {
			if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
				return s, fmt.Errorf("%q names no column", written)
			}
		}
		s.parts = append(s.parts, either)
	}
	return s, nil
}

// ParseRoleMap reads what --map says: roles and their columns, between commas.
func ParseRoleMap(written string) (map[string]string, error) {
	out := make(map[string]string)
	for one := range strings.SplitSeq(written, ",") {
		role, columns, ok := strings.Cut(strings.TrimSpace(one), "=")
		if !ok {
			return nil, fmt.Errorf("%q: want ROLE=COLUMN, such as options=choices,answer=index0:answer", one)
		}
		if role == "id" {
			role = "index"
		}
		out[role] = columns
	}
	_, err := parseRoleSpecs(out)
	return out, err
}

// findColumns finds the columns of a spec among names; nil where one of its parts has none.
func (s *roleSpec) findColumns(names []string, taken func(int) bool) (out []int) {
	for _, either := range s.parts {
		before := len(out)
		for _, pattern := range either {
			for i, n := range names {
				if len(out) == before || strings.Contains(pattern, "*") {
					if !taken(i) && !slices.Contains(out, i) && matchesColumn(pattern, n) {
						out = append(out, i)
					}
				}
			}
			if len(out) > before {
				break
			}
		}
		if len(out) == before {
			return nil
		}
		slices.SortFunc(out[before:], func(a, b int) int { return compareByTrailingNumber(names[a], names[b]) })
	}
	return out
}

// matchesColumn compares a column with a pattern, without case.
func matchesColumn(pattern, name string) bool {
	if pattern == name {
		return true
	}
	ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(strings.TrimSpace(name)))
	return err == nil && ok
}

func matchesAnyPattern(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matchesColumn(pattern, name) })
}

// compareByTrailingNumber compares image_2 with image_10.
func compareByTrailingNumber(a, b string) int {
	if len(a) != len(b) && strings.TrimRight(a, "0123456789") == strings.TrimRight(b, "0123456789") {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// encodings make the cell of a role of what a file holds. Nil leaves it: lists,
// letters, paths and base64 are told apart when a cell is read.
var encodings = map[string]func(cell []byte) []byte{
	"index0": func(cell []byte) []byte { return indexToLetter(cell, 0) },
	"index1": func(cell []byte) []byte { return indexToLetter(cell, 1) },
	"bool":   decodeYesNo,
	"human":  func(cell []byte) []byte { return extractFirstTurn(cell, "human") },
	"gpt":    func(cell []byte) []byte { return extractFirstTurn(cell, "gpt") },
	"task":   func(cell []byte) []byte { return taskName.ReplaceAll(cell, []byte("$1")) },
	"pope":   func(cell []byte) []byte { return popeCategory.Find(cell) },
	"joined": func(cell []byte) []byte {
		if list, ok := fastio.ParseTextList(cell); ok {
			return bytes.Join(list, []byte(","))
		}
		return cell
	},
	"letter": nil, "text": nil, "list": nil, "and": nil, "path": nil, "bytes": nil, "base64": nil,
}

// taskName is BLINK's: val_Art_Style_1 is of Art_Style.
var taskName = regexp.MustCompile(`^(?:val|test)_(.+)_\d+$`)

// popeCategory is POPE's: the questions of coco_pope_random are of random.
var popeCategory = regexp.MustCompile(`adversarial|popular|random`)

// indexToLetter is the letter of an index, counted from a base. A negative one is none; what is no number stays.
func indexToLetter(cell []byte, base int) []byte {
	n, err := strconv.Atoi(strings.TrimSuffix(string(bytes.TrimSpace(cell)), ".0"))
	switch n -= base; {
	case err != nil:
		return cell
	case n < 0 || n > 25:
		return []byte{} // no choice, which is an answer all the same
	}
	return []byte{'A' + byte(n)}
}

func decodeYesNo(cell []byte) []byte {
	switch strings.ToLower(string(bytes.TrimSpace(cell))) {
	case "1", "true", "1.0":
		return []byte(eval.Yes)
	case "0", "false", "0.0":
		return []byte(eval.No)
	}
	return cell
}

// extractFirstTurn gives the first turn of somebody in a list of turns, without the mark of an image before it.
func extractFirstTurn(cell []byte, who string) []byte {
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

// fillRowTemplate gives a template with a row's cells. A column that is not there is empty.
func fillRowTemplate(template string, names []string, cells [][]byte) string {
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

func isImageName(cell []byte) bool {
	const longest = 512
	return len(cell) < longest && bytes.IndexByte(cell, '.') >= 0 && imageName.Match(bytes.TrimSpace(cell))
}

// splitImageCells divides the images of a row in those that it holds and those that it names.
func splitImageCells(cells [][]byte) (held, named []byte) {
	var bytesOf, names []string
	for _, cell := range cells {
		for _, one := range SplitImageCell(cell) {
			switch one = bytes.TrimSpace(one); {
			case len(one) == 0 || bytes.EqualFold(one, []byte("null")) || bytes.Equal(one, []byte("None")):
			case isImageName(one):
				names = append(names, string(one))
			default:
				bytesOf = append(bytesOf, string(one))
			}
		}
	}
	return marshalOneOrList(bytesOf), marshalOneOrList(names)
}

func marshalOneOrList(texts []string) []byte {
	switch v := EncodeOneOrList(texts).(type) {
	case string:
		return []byte(v)
	case []string:
		out, _ := json.Marshal(v) // texts always marshal
		return out
	}
	return nil
}
