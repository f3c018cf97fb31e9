package tui

import (
	"os"
	"regexp"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/tui/widget"
)

// TestGlossaryIsTheVocabulary: one table of terms for users and engineers.
func TestGlossaryIsTheVocabulary(t *testing.T) {
	page, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	words := widget.LegendGroups()[1].Keys
	if len(words) < 16 {
		t.Errorf("the glossary has %d words", len(words))
	}
	for _, w := range words {
		term := w.Help().Key
		if !regexp.MustCompile(`(?m)^\| [^|]*\b` + term + `\b[^|]*\|`).Match(page) {
			t.Errorf("%s is not in the vocabulary of ARCHITECTURE.md", term)
		}
	}
}

func TestGlossaryIsInTheHelp(t *testing.T) {
	p := helpPage{open: true}
	p.filter.StartTyping()
	for _, r := range "adjudication" {
		p.handleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}, 10)
	}
	lines := p.drawLines(theme(termenv.Ascii, true), []widget.Group{}, 100, 20)
	for _, l := range lines {
		if regexp.MustCompile(`decision on a disagreement`).MatchString(l) {
			return
		}
	}
	t.Errorf("no glossary in %q", lines)
}

// Where wide columns would be cut, narrower ones have room.
func TestKeysStandInNarrowerColumns(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := place{keys: []string{"?"}}.at(t)
		for _, size := range [][2]int{{160, 56}, {200, 50}} {
			if lines := strings.Join(o.linesAt(size[0], size[1]), "\n"); !strings.Contains(lines, "units that depend on each") || strings.Contains(lines, "lines more below") {
				t.Errorf("%v: the glossary is cut:\n%s", size, lines)
			}
		}
	})
}
