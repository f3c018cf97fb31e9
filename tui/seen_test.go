package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
)

// A terminal that is too small shows no item, and no key is taken there but the
// one that quits.
func TestNoKeyActsOnATerminalThatIsTooSmall(t *testing.T) {
	everywhere(t, func(t *testing.T, _ place, o *office) {
		before := o.View()
		for _, size := range [][2]int{{10, 3}, {30, 8}, {39, 24}, {120, 11}} {
			o.size(size[0], size[1])
			for _, k := range roamed() {
				if k != "ctrl+c" {
					o.send(keymap.NewKeyMsg(k))
				}
			}
			o.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("abcABC123"), Paste: true})
		}
		o.size(120, 40)
		if after := o.View(); after != before || len(o.notebook.Acts) > 0 || o.quits {
			t.Errorf("keys did something: acts %d, quits %v\nbefore\n%s\nafter\n%s", len(o.notebook.Acts), o.quits, before, after)
		}
	})
}

// A key that records counts for what had been on the terminal long enough when
// it was typed, and for nothing else.
func TestKeysCountForWhatWasSeen(t *testing.T) {
	inBubble(t, "label", func(t *testing.T) {
		o := newOffice(t)
		o.press("v", "enter")
		press := func(keys string, front any, age time.Duration) {
			_, cmd := o.HandleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(keys)}, front, age)
			o.do(cmd)
		}
		front := o.FrontItem()
		if front == nil {
			t.Fatalf("nothing is selected:\n%s", o.View())
		}
		for name, try := range map[string]func(){
			"nothing shown": func() { press("1", nil, 0) },
			"too early":     func() { press("1", front, settled-1) },
			"typed before":  func() { press("1", front, -time.Millisecond) },
			"another item":  func() { press("1", "another", typingPause-1) },
		} {
			if try(); len(o.notebook.Acts) != 0 {
				t.Fatalf("%s: recorded %+v", name, o.notebook.Acts)
			}
		}
		told := func(want string) {
			t.Helper()
			if got := o.View(); strings.Contains(got, "ignored") != (want != "") || !strings.Contains(got, want) {
				t.Errorf("does not say %q:\n%s", want, got)
			}
		}
		told("4 keys ignored")
		burst := ""
		for range 15 {
			burst += "1A2B"
		}
		for i := 0; i < len(burst); i += 15 { // as it is read at once
			press(burst[i:i+15], front, time.Hour)
		}
		if len(o.notebook.Acts) != 1 {
			t.Fatalf("60 keys at once recorded %d acts", len(o.notebook.Acts))
		}
		told("59 keys ignored")
		now := o.FrontItem()
		press("1", now, typingPause-1)
		press("1", now, 2*typingPause-2)
		if len(o.notebook.Acts) != 1 {
			t.Errorf("keys in one go with those that were ignored recorded something")
		}
		told("61 keys ignored")
		press("1", now, 3*typingPause-2)
		if len(o.notebook.Acts) != 2 {
			t.Errorf("a key on what was seen recorded nothing")
		}
		told("")
	})
}
