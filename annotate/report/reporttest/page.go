package reporttest

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
)

// Markup is a name that would be markup, a script or a terminal's command.
const Markup = `m"><script>alert(1)</script>{{.}}'` + "\x1b[2J\u202e"

var (
	links  = regexp.MustCompile(`(?i)(src|href|url|@import)\s*[=(]\s*"?[^#"]`)
	charts = regexp.MustCompile(`(?s)<svg.*?</svg>`)
)

// CheckPage checks that nothing from outside is markup in a page, that nothing in it
// leads elsewhere, that its charts are XML, and how often each text stands in it.
func CheckPage(t *testing.T, page string, times map[string]int) {
	t.Helper()
	for _, bad := range []string{"<script", "\x1b", "\u202e", "ZgotmplZ", "{{"} {
		if at := strings.Index(strings.ReplaceAll(page, "{{.}}", ""), bad); at >= 0 {
			t.Errorf("%q stands in the page", bad)
		}
	}
	if found := links.FindString(page); found != "" {
		t.Errorf("the page leads elsewhere: %s", found)
	}
	for want, n := range times {
		if strings.Count(page, want) != n {
			t.Errorf("%q occurs %d times, want %d", want, strings.Count(page, want), n)
		}
	}
	for _, svg := range charts.FindAllString(page, -1) {
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, svg)
			}
		}
	}
}
