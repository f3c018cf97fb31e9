package doctor

import (
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"

	screen "concord/tui/term"
)

func TestDoctorLooksAtTheTerminal(t *testing.T) {
	check := func(s Terminal, env map[string]string, want ...string) {
		t.Helper()
		s.getenv = func(k string) string { return env[k] }
		var all Findings
		CheckTerminal(s, &all)
		text := all.FormatText(80, nil)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("no %q in\n%s", w, text)
			}
		}
	}
	big := Terminal{width: 120, height: 40, colours: "TrueColor", dark: true}
	check(big, map[string]string{"TERM": "xterm-kitty", "LANG": "de_DE.UTF-8", "TMUX": "x", "SSH_CONNECTION": "x"},
		"120x40 cells, TERM=xterm-kitty, through tmux and ssh", "LANG=de_DE.UTF-8", "TrueColor, background taken for dark", "all is well")
	check(big, map[string]string{"LANG": "C.UTF-8", "LC_ALL": "C"}, "LC_ALL=C is no UTF-8 locale", "nothing is broken, 1 to look at")
	check(big, map[string]string{"NO_COLOR": "1"}, "none, as NO_COLOR says", "LANG is not set, which is no UTF-8 locale")
	kitty := big
	kitty.session = screen.NewSession([]string{"TERM=xterm-kitty"}, screen.Replies{
		Version: "kitty(0.35.2)", Cell: image.Pt(10, 20), Kitty: true, Complete: true, Background: color.White,
	}, screen.Mux{})
	kitty.dark = kitty.session.Dark
	check(kitty, nil, "is kitty 0.35.2, cells of 10x20 px", "images    sharp (kitty's protocol)", "which the terminal says is light")
	kitty.images = screen.ImagesSixel
	check(kitty, nil, "images    sharp (sixel): as asked for")
	kitty.wrong = errors.New("no such way")
	check(kitty, nil, "broken  images    no such way")
	muffled := big
	muffled.session = screen.NewSession([]string{"TERM=tmux-256color", "TMUX=x"}, screen.Replies{}, screen.Mux{In: true, Outer: screen.Brand{Name: "ghostty"}})
	check(muffled, nil, "around tmux is ghostty, and answers nothing", "look    images    half blocks: tmux hands no images on", "allow-passthrough on")
	check(Terminal{width: 40, height: 10, colours: "Ascii"}, nil, "look    terminal  40x10 cells: the app wants 60x24", "colours   none")
	check(Terminal{fit: screen.ErrNoTerminal}, map[string]string{"LANG": "en_US.utf8"}, "ok      terminal  no terminal", "all is well")
	check(Terminal{fit: screen.ErrDumb}, nil, "look    terminal  TERM=dumb")
}

func TestFindingsFitTheTerminal(t *testing.T) {
	var all Findings
	all.addBroken("endpoint \x1b[31mred", strings.Repeat("advice ", 20), "%v", errors.New(strings.Repeat("words ", 30)))
	for _, line := range strings.Split(all.FormatText(70, nil), "\n") {
		if len([]rune(line)) > 70 {
			t.Errorf("%d cells: %q", len([]rune(line)), line)
		}
		if strings.Contains(line, "\x1b") {
			t.Errorf("a control character: %q", line)
		}
	}
}
