package column

import (
	"bytes"
	_ "embed" // of the layouts
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"concord/eval"

	"github.com/pelletier/go-toml/v2"
)

// Table says what the columns of benchmark files are: the names that a column
// of a role may have, and the layouts that are published.
type Table struct {
	Roles   map[string][]string `toml:"roles"`
	Layouts []Layout            `toml:"layout"`
}

// Layout is the layout of a file's columns. layouts.toml says what the fields mean.
type Layout struct {
	Name    string            `toml:"name"`
	Match   []string          `toml:"match"`
	Without []string          `toml:"without"`
	File    string            `toml:"file"`
	Values  map[string]string `toml:"values"`
	Columns map[string]string `toml:"columns"`
	ID      string            `toml:"id"`
	Number  bool              `toml:"number"`
	Repeat  bool              `toml:"repeat"`
	Bare    bool              `toml:"bare"`
	Several bool              `toml:"several"`
	Notes   []string          `toml:"notes"`
	Metric  string            `toml:"metric"`
	Score   string            `toml:"score"`
	Groups  map[string]string `toml:"groups"`
}

//go:embed layouts.toml
var shipped []byte

var table = sync.OnceValues(func() (*Table, error) { return parseLayouts(shipped, &Table{}) })

// ReadOwnLayouts reads layouts of one's own: they come before those that are shipped,
// and their names of roles before the others.
func ReadOwnLayouts(path string) (*Table, error) {
	text, err := os.ReadFile(path) //nolint:gosec // named by the user
	if err != nil {
		return nil, err
	}
	base, err := table()
	if err != nil {
		return nil, err
	}
	t, err := parseLayouts(text, base)
	return t, eval.WrapError(err, "read %s", filepath.Base(path))
}

func parseLayouts(text []byte, behind *Table) (*Table, error) {
	t := Table{Roles: map[string][]string{}}
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&t); err != nil {
		return nil, err
	}
	for role := range t.Roles {
		if role != note && !slices.Contains(roles, role) {
			return nil, newUnknownRoleError(role)
		}
	}
	for i := range t.Layouts {
		if err := t.Layouts[i].validate(); err != nil {
			return nil, fmt.Errorf("layout %q: %w", t.Layouts[i].Name, err)
		}
	}
	for role, names := range behind.Roles {
		t.Roles[role] = slices.Concat(t.Roles[role], names)
	}
	t.Layouts = slices.Concat(t.Layouts, behind.Layouts)
	return &t, nil
}

func (c *Layout) validate() error {
	if c.Name == "" || len(c.Match) == 0 {
		return fmt.Errorf("it needs a name, and columns to match")
	}
	for _, p := range slices.AppendSeq([]string{c.File}, maps.Values(c.Values)) {
		if _, err := regexp.Compile(p); err != nil {
			return err
		}
	}
	_, err := parseRoleSpecs(c.Columns)
	return err
}

// scoreFit gives how well a file fits the layout: 0 is not at all. First are the first
// values of its columns; the patterns were checked.
func (c *Layout) scoreFit(first map[string]string, names ...string) int {
	some := func(either string, ok func(value string) bool) bool {
		return slices.ContainsFunc(strings.Split(either, "|"), func(n string) bool {
			v, there := first[n]
			return there && ok(v)
		})
	}
	there := func(either string) bool { return some(either, func(string) bool { return true }) }
	score := 10 * len(c.Match)
	if slices.ContainsFunc(c.Match, func(m string) bool { return !there(m) }) || slices.ContainsFunc(c.Without, there) {
		return 0
	}
	if c.File != "" {
		score += 25
		if file := regexp.MustCompile("(?i)" + c.File); !slices.ContainsFunc(names, file.MatchString) {
			return 0
		}
	}
	for column, pattern := range c.Values {
		score += 15
		if !some(column, regexp.MustCompile(pattern).MatchString) {
			return 0
		}
	}
	return score
}

// chooseLayout chooses the layout that fits a file best, the first of several; an empty one: none does.
func (t *Table) chooseLayout(first map[string]string, names ...string) *Layout {
	best, most := &Layout{}, 0
	for i := range t.Layouts {
		if score := t.Layouts[i].scoreFit(first, names...); score > most {
			best, most = &t.Layouts[i], score
		}
	}
	return best
}
