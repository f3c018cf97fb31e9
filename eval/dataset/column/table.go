package column

import (
	"bytes"
	_ "embed" // of the layouts
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// Table says what the columns of benchmark files are: the names that a column
// of a role may have, and the layouts that are published.
type Table struct {
	Roles    map[string][]string `toml:"roles"`
	Defaults struct {
		Notes []string `toml:"notes"`
	} `toml:"defaults"`
	Layouts []Layout `toml:"layout"`
}

// Layout is the layout of a file's columns. layouts.toml says what the fields
// mean.
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

	file   *regexp.Regexp
	values map[string]*regexp.Regexp
}

//go:embed layouts.toml
var shipped []byte

var table = sync.OnceValues(func() (*Table, error) { return parseTable(shipped) })

// ReadTable reads layouts of one's own: they come before those that are shipped,
// and their names of roles before the others.
func ReadTable(path string) (*Table, error) {
	text, err := os.ReadFile(path) //nolint:gosec // named by the user
	if err != nil {
		return nil, err
	}
	t, err := parseTable(text)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	base, err := table()
	if err != nil {
		return nil, err
	}
	for role, names := range base.Roles {
		if t.Roles == nil {
			t.Roles = map[string][]string{}
		}
		t.Roles[role] = slices.Concat(t.Roles[role], names)
	}
	t.Layouts = slices.Concat(t.Layouts, base.Layouts)
	t.Defaults.Notes = slices.Concat(t.Defaults.Notes, base.Defaults.Notes)
	return t, nil
}

func parseTable(text []byte) (*Table, error) {
	var t Table
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&t); err != nil {
		return nil, err
	}
	for role := range t.Roles {
		if !slices.Contains(roles, role) {
			return nil, fmt.Errorf("unknown role %q: want one of %s", role, strings.Join(roles, ", "))
		}
	}
	for i := range t.Layouts {
		if err := t.Layouts[i].compile(); err != nil {
			return nil, fmt.Errorf("layout %q: %w", t.Layouts[i].Name, err)
		}
	}
	return &t, nil
}

// compile checks a layout and makes it ready to be compared with files.
func (c *Layout) compile() (err error) {
	if c.Name == "" || len(c.Match) == 0 {
		return errors.New("it needs a name, and columns to match")
	}
	if c.File != "" {
		if c.file, err = regexp.Compile("(?i)" + c.File); err != nil {
			return err
		}
	}
	c.values = make(map[string]*regexp.Regexp, len(c.Values))
	for column, pattern := range c.Values {
		if c.values[column], err = regexp.Compile(pattern); err != nil {
			return err
		}
	}
	for role, written := range c.Columns {
		if !slices.Contains(roles, role) {
			return fmt.Errorf("unknown role %q: want one of %s", role, strings.Join(roles, ", "))
		}
		if _, err := parseSpec(written); err != nil {
			return err
		}
	}
	return nil
}

// fit is how well a file fits the layout: 0 is not at all. First are the first
// values of its columns.
func (c *Layout) fit(first map[string]string, names ...string) int {
	has := func(either string) bool {
		return slices.ContainsFunc(strings.Split(either, "|"), func(n string) bool {
			_, ok := first[n]
			return ok
		})
	}
	for _, m := range c.Match {
		if !has(m) {
			return 0
		}
	}
	if slices.ContainsFunc(c.Without, has) {
		return 0
	}
	score := 10 * len(c.Match)
	if c.file != nil {
		if !slices.ContainsFunc(names, c.file.MatchString) {
			return 0
		}
		score += 25
	}
	for column, pattern := range c.values {
		if !slices.ContainsFunc(strings.Split(column, "|"), func(n string) bool { return pattern.MatchString(first[n]) }) {
			return 0
		}
		score += 15
	}
	return score
}

// choose is the layout that fits a file best; nil where none does.
func (t *Table) choose(first map[string]string, names ...string) *Layout {
	var best *Layout
	most := 0
	for i := range t.Layouts {
		if score := t.Layouts[i].fit(first, names...); score > most {
			best, most = &t.Layouts[i], score
		}
	}
	return best
}
