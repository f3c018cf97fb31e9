package column

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// roles are what a column can be. Those of kitNames have another name in the
// rows.
var roles = []string{
	"index", "group", "question", "hint", "options", "answer", "image", "image_path", "category", "coarse", "fine", "taxonomy",
	"split", "source", "bench", "kind", "prediction", "model",
}

var kitNames = map[string]string{"group": "g_index", "coarse": "l2-category", "fine": "l2_category", "model": "gen_model_id"}

func kitName(role string) string {
	if n, ok := kitNames[role]; ok {
		return n
	}
	return role
}

func unknownRole(role string) error {
	return fmt.Errorf("unknown role %q: want one of %s", role, strings.Join(roles, ", "))
}

// spec says which columns make a role: parts, each the first of several names
// that is there.
type spec struct {
	encoding string
	parts    [][]string // patterns
	constant string
	fixed    bool // the constant, in every row
}

// parseSpecs reads what is said of roles.
func parseSpecs(written map[string]string) (map[string]spec, error) {
	out := make(map[string]spec, len(written))
	for role, text := range written {
		if !slices.Contains(roles, role) {
			return nil, unknownRole(role)
		}
		s, err := parseSpec(text)
		if err != nil {
			return nil, err
		}
		out[role] = s
	}
	return out, nil
}

// parseSpec reads "encoding:column", "a|b", "a+b", "choice_*" or "=text".
func parseSpec(written string) (s spec, err error) {
	if text, ok := strings.CutPrefix(written, "="); ok {
		return spec{constant: text, fixed: true}, nil
	}
	if encoding, rest, ok := strings.Cut(written, ":"); ok {
		if _, known := encodings[encoding]; !known {
			return s, fmt.Errorf("unknown encoding %q in %q: want one of %s", encoding, written, strings.Join(encodingNames(), ", "))
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

// ParseMap reads what --map says: roles and their columns, between commas.
func ParseMap(written string) (map[string]string, error) {
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
	_, err := parseSpecs(out)
	return out, err
}

// places are the columns of a spec among names; nil where one of its parts has
// none.
func (s *spec) places(names []string, taken func(int) bool) (out []int) {
	for _, either := range s.parts {
		before := len(out)
		for _, pattern := range either {
			for i, n := range names {
				if len(out) == before || strings.Contains(pattern, "*") {
					if !taken(i) && !slices.Contains(out, i) && sameName(pattern, n) {
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
		slices.SortFunc(out[before:], func(a, b int) int { return naturally(names[a], names[b]) })
	}
	return out
}

// sameName compares a column with a pattern, without case.
func sameName(pattern, name string) bool {
	if pattern == name {
		return true
	}
	ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(strings.TrimSpace(name)))
	return err == nil && ok
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return sameName(pattern, name) })
}

// naturally compares image_2 with image_10.
func naturally(a, b string) int {
	if len(a) != len(b) && strings.TrimRight(a, "0123456789") == strings.TrimRight(b, "0123456789") {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
