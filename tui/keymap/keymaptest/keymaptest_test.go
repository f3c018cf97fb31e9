package keymaptest

import (
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
)

func TestMissing(t *testing.T) {
	b := key.NewBinding(key.WithKeys("ctrl+z", "1", "A", "ctrl+q"), key.WithHelp("u", "undo"))
	if got := strings.Join(FindMissingKeys([]key.Binding{b}, keymap.Review), ","); got != "ctrl+q (undo)" {
		t.Error(got)
	}
	if got := strings.Join(FindMissingKeys([]key.Binding{b}, keymap.Criteria), ","); got != "A (undo),ctrl+q (undo)" {
		t.Error(got)
	}
}
