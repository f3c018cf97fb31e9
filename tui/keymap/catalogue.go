package keymap

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed keys.toml
var keysFile []byte

// actionRow is a row of the catalogue: an action, a change of one that is there
// already, or the rows of a set.
type actionRow struct {
	Set    string   `toml:"set"`
	Action string   `toml:"action"`
	Says   string   `toml:"says"`
	Keys   []string `toml:"keys"`
	Former []string `toml:"former"`
	Fixed  string   `toml:"fixed"`
	Page   bool     `toml:"page"`
}

// actionRows are rows of the catalogue; sets are those that they may name.
type actionRows []actionRow

// Catalogue is every action of the app, place by place, Everywhere first. The file
// keys.toml has it.
var Catalogue = sync.OnceValue(func() []Section {
	var file struct {
		Set   map[string]actionRows `toml:"set"`
		Place []struct {
			Name    Place      `toml:"name"`
			Letters string     `toml:"letters"`
			Actions actionRows `toml:"actions"`
		} `toml:"place"`
	}
	if err := toml.NewDecoder(bytes.NewReader(keysFile)).DisallowUnknownFields().Decode(&file); err != nil {
		panic(fmt.Sprintf("keys.toml: %v", err))
	}
	var out []Section
	for _, p := range file.Place {
		letters := slices.Index(letterNames, p.Letters)
		if letters < 0 {
			panic(fmt.Sprintf("keys.toml: %s: letters are %q", p.Name, p.Letters))
		}
		out = append(out, Section{Place: p.Name, Letters: Letters(letters), Actions: p.Actions.expand(file.Set, nil)}) //nolint:gosec // of three
	}
	return slices.Clip(out)
})

// expand adds the actions of rows to those that are there.
func (rows actionRows) expand(sets map[string]actionRows, out []Action) []Action {
	for _, r := range rows {
		if r.Set != "" {
			if sets[r.Set] == nil {
				panic("keys.toml: no set " + r.Set)
			}
			out = sets[r.Set].expand(sets, out)
			continue
		}
		i := slices.IndexFunc(out, func(a Action) bool { return a.Name == r.Action })
		if i < 0 {
			out = append(out, Action{Name: r.Action, Desc: r.Says, Keys: r.Keys, Former: r.Former, Fixed: r.Fixed, Page: r.Page})
			continue
		}
		if r.Says != "" {
			out[i].Desc = r.Says
		}
		if r.Keys != nil {
			out[i].Keys = r.Keys
		}
		if r.Former != nil {
			out[i].Former = r.Former
		}
	}
	return out
}
