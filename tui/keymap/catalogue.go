package keymap

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed keys.toml
var keysFile []byte

// actionRow is a row of the catalogue: an action, a change of one that is there, or the rows of a set.
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

// Catalogue is every action of the app, place by place, Everywhere first. The file keys.toml has it.
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
		out = append(out, Section{Place: p.Name, Letters: Letters(letters), Actions: p.Actions.expandSets(file.Set, nil)}) //nolint:gosec // of three
	}
	return slices.Clip(out)
})

func (rows actionRows) expandSets(sets map[string]actionRows, out []Action) []Action {
	for _, r := range rows {
		if r.Set != "" {
			if sets[r.Set] == nil {
				panic("keys.toml: no set " + r.Set)
			}
			out = sets[r.Set].expandSets(sets, out)
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

// Place is where keys have their meanings: a screen, or a part of one in which they mean something
// else. The zero value is where keys mean what they say, whatever somebody chose: text that is typed, a
// question that waits for yes or no.
type Place string

// The places. A name with two words is a part of the screen that the first word names.
const (
	Everywhere       Place = "everywhere" // all the others
	Runs             Place = "runs"
	Queues           Place = "queues"
	Review           Place = "review"
	ReviewEnd        Place = "review end"     // nothing is left to answer
	ReviewMarking    Place = "review marking" // the options of an ambiguous answer
	Votes            Place = "votes"
	Criteria         Place = "criteria"
	CriteriaPage     Place = "criteria page"
	CriteriaDatasets Place = "criteria datasets" // which dataset
	Curate           Place = "curate"
	CurateDatasets   Place = "curate datasets"
	Compare          Place = "compare"
	Adjudicate       Place = "adjudicate"
	Report           Place = "report"
	Samples          Place = "samples"
	Pairs            Place = "pairs"
	Judging          Place = "judge pairs"

	// Where a picture fills the screen.
	ReviewPicture     Place = "review image"
	VotesPicture      Place = "votes image"
	AdjudicatePicture Place = "compare image"
	CuratePicture     Place = "curate image"
	SamplesPicture    Place = "samples image"
	PairsPicture      Place = "pairs image"
	CriteriaPicture   Place = "criteria image"
	AuthoringPicture  Place = "authoring image"
)

// Action is one thing that keys do at a place.
type Action struct {
	Name, Desc string
	// Keys are those that it has unless a person chose others, by the names
	// that bubbletea gives keys. The screen is sent the first.
	Keys []string
	// Former are its keys in the former layout; nil: the same.
	Former []string
	// Fixed is why no others can be chosen; "" when they can.
	Fixed string
	// Page reports whether it opens a page, which is found by its name.
	Page bool
}

// Letters tells what letters are at a place.
type Letters uint8

// What letters are.
const (
	Commands Letters = iota // keys like others
	Reserved                // no command; they are, in the former layout
	Options                 // options of an item, in either case; in the former layout in upper case alone
)

// letterNames are what letters are, as the catalogue writes it.
var letterNames = []string{"", "reserved", "options"}

// Section is all that keys do at a place, beside what they do everywhere. The
// digits from 1 to 9 are labels everywhere.
type Section struct {
	Place   Place
	Letters Letters
	Actions []Action
}

// The places of pages: screens that open by a message of their own.
const (
	Guideline  Place = "guideline"
	People     Place = "people"
	SecondLook Place = "second_look"
	Authoring  Place = "authoring"
	Begin      Place = "begin" // where a file was brought in, or nothing is there yet
)

// PlacesOfScreen is a place and the others of the same screen.
func (m *Keymap) PlacesOfScreen(p Place) []Place {
	screen, _, _ := strings.Cut(string(p), " ")
	out := []Place{p}
	for _, s := range m.allSections() {
		if first, _, _ := strings.Cut(string(s.Place), " "); first == screen && s.Place != p {
			out = append(out, s.Place)
		}
	}
	return out
}

// HasAction reports whether there is an action at a place, by its name.
func (m *Keymap) HasAction(at Place, action string) bool {
	for _, s := range m.allSections() {
		if s.Place == at {
			return slices.ContainsFunc(s.Actions, func(a Action) bool { return a.Name == action })
		}
	}
	return false
}
