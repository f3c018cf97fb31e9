package rules

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/eval/extract"
	"concord/eval/extract/pattern"
)

var nameOfFile = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)

// LoadSets reads the files of rules in folders. Of two with one name that in the
// earlier folder counts. What cannot be read is left out, and told as a problem
// that names the file; a folder that is not there is none.
func LoadSets(folders ...string) (sets []extract.Set, problems []error) {
	taken := make(map[string]bool)
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.toml"))
		if err != nil { // the folder's name has signs of a pattern
			problems = append(problems, fmt.Errorf("rules in %s: %w", folder, err))
		}
		for _, path := range files {
			name := nameOf(path)
			if taken[name] {
				continue
			}
			taken[name] = true
			s, err := Read(path)
			if err != nil {
				problems = append(problems, fmt.Errorf("rules %s: %w", path, err))
				continue
			}
			sets = append(sets, s)
		}
	}
	return sets, problems
}

func nameOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".toml") }

// Read reads a file of rules. Their name is the file's, without its ending.
func Read(path string) (extract.Set, error) {
	name := nameOf(path)
	if !nameOfFile.MatchString(name) {
		return extract.Set{}, errors.New("want a file name of small letters, digits, - and _, and then .toml")
	}
	if _, err := extract.BuiltInSet(name); err == nil {
		return extract.Set{}, errors.New("a built-in rule set has that name: rename the file")
	}
	data, err := cli.ReadFile(path, pattern.MaxBytes)
	if err != nil {
		return extract.Set{}, err
	}
	r, err := pattern.ParseRules(data)
	if err != nil {
		return extract.Set{}, err
	}
	return extract.NewSet(name, r, r.SampleKind()), nil
}
