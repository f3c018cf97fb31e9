package keys

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
)

// told is what a file says, in one line.
func told(text string) string {
	all, problems := ParseAuthorizedKeys([]byte(text))
	var parts []string
	for _, k := range all {
		parts = append(parts, fmt.Sprintf("%d %s", k.Line, k.Name))
	}
	for _, p := range problems {
		parts = append(parts, p.Error())
	}
	return strings.Join(parts, "; ")
}

func TestAuthorized(t *testing.T) {
	check := func(name, text, want string) {
		t.Helper()
		if got := told(text); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	bare, _, _ := strings.Cut(ed25519, " ann@lab")
	check("people", "# the team\n\n"+ed25519+"\r\n  "+ecdsa+"\n"+rsa2048, "3 ann; 4 e; 5 r")
	check("nobody", "", "")
	check("a name of words", bare+" Ann Ö. @home", "1 Ann Ö.")
	check("no name", bare+"\n"+ecdsa, "2 e; line 1: "+ErrNameless.Error())
	check("no name before the @", bare+" @lab", "line 1: "+ErrNameless.Error())
	check("a name with a bell", bare+" ann\a", "line 1: a name that cannot be printed")
	check("a long name", bare+" "+strings.Repeat("n", 65), "line 1: a name of more than 64 bytes")
	check("the same again", ed25519+"\n"+bare+" ann@home", "1 ann")
	check("one key, two names", ed25519+"\n"+bare+" bob\n"+ecdsa, fmt.Sprintf("3 e; line 2: %v: line 1 (%s, ann) and line 2 (%s, bob)", ErrTwice, Fingerprint(bare), Fingerprint(bare)))
	alone, _, _ := strings.Cut(ecdsa, " e")
	namesake := fmt.Sprintf("line 2: %v: line 1 (%s, ann) and line 2 (%s, ann)", ErrNamesake, Fingerprint(bare), Fingerprint(alone))
	check("two keys, one name", ed25519+"\n"+alone+" ann@evil\n"+rsa2048, "3 r; "+namesake)
	check("two keys, one name, and one of them twice", ed25519+"\n"+alone+" ann@evil\n"+ed25519, namesake)
	check("options", `from="10.0.0.1" `+ed25519+"\n"+ecdsa, "2 e; line 1: options before a key are not kept: leave them out")
	check("a long line", strings.Repeat("x", 3*longestLine)+"\n"+ed25519, "2 ann; line 1: "+errLong.Error())
	check("a long line at the end", ed25519+"\n"+strings.Repeat("x", 3*longestLine), "1 ann; line 2: "+errLong.Error())
	check("a private key", ecdsa+"\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\n"+ed25519, "1 e; line 2: "+ErrPrivate.Error())
	check("the mark of an editor", "\ufeff"+ed25519, "1 ann")
}

func FuzzAuthorized(f *testing.F) {
	f.Add(ed25519 + "\n# comment\n" + ecdsa)
	f.Add(`command="ls \" x",no-pty ` + rsa2048)
	f.Add(signed + "\r\n" + dsa + "\n\n" + rsa1024)
	f.Add("\ufeff-----BEGIN OPENSSH PRIVATE KEY-----\n")
	f.Add("ssh-ed25519 AAAA ann\x1b[2J\n\xff\x00")
	f.Fuzz(func(t *testing.T, text string) {
		all, problems := ParseAuthorizedKeys([]byte(text))
		if lines := strings.Count(text, "\n") + 1; len(all)+len(problems) > lines {
			t.Errorf("%d keys and %d problems of %d lines", len(all), len(problems), lines)
		}
		seen := make(map[string]bool)
		for _, k := range all {
			if k.Name == "" || strings.ContainsFunc(k.Name, unicode.IsControl) || strings.Contains(k.Name, "@") {
				t.Errorf("name %q", k.Name)
			}
			if Fingerprint(k.Key.Line) != k.Key.Fingerprint || seen[k.Key.Fingerprint] {
				t.Errorf("key %q", k.Key.Line)
			}
			seen[k.Key.Fingerprint] = true
		}
	})
}
