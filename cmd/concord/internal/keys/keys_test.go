package keys

import (
	"strings"
	"testing"
)

const (
	ed25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOvE36yl23jfLqDMzp+gEP/hsolZ0r0FrGzrBSvK5eTu ann@lab"
	ecdsa   = "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBNJEx3dvkWbX/G5OJQuRgXGXcxN5QOhrRMRX6nJgR5HsuJedf+7hM6PFRwJ179GkJ8SVCxFnhfTX5qUxXDNkDys= e"
	rsa2048 = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDJbfgRxtD4I9/sRNMb4j8dhse6OmTIFnRw4rTzkqsx+SmafOlKjgAjw0jb3Fw7GZfcv9QM8+A98equu9sCs7Es32MoRrhXTD3Edeu9IRmfdMeAYv4CWZyAFmsoGhfXmxmn1olEyNZE/MsT6GlpeVUfTTx0l9+n9Gl4bXrUhZSGoZfEsV5/4jC480lRAgy6pGDZ1lfWhzb8i/XMQOotK6PKaGoHgYvcrHPaaku/2rCTREoeBK9Nv12nMD2BSx/ymHQE/S4S/gbm1Egt8XERJWeNuX1T0cSg44VkLLIksHCfN7745GVO2n0TD9Eo+QfUO7KeW20OdoMhKOtvun41w79P r"
	rsa1024 = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDHETManBVVe5vis+dkT7/+w6dHd6hBoo4ImvbamBOQrps0q934pexf54irOTRVcYceCG5eIeZyWHYNL1XZRGdfbbJm42bP8ABbiBWAnX/d4UxTVRwbvqZqgQnyj4j3Q2VSU8u6x9n7IPk+oM6qpb+to/vjbtdEE8EyZU3pgFbMtQ== weak"
	dsa     = "ssh-dss AAAAB3NzaC1kc3MAAACBAJELkoDuM7oXj7wt7I5oyl1WQn3JpvjP24Ofb9yHMzmE2Yx+4W6xmloTiImR2lMGmmoOlRhYfYWqIDvz3VaTvLcoFpcvEF0RgGlCCS9jhRWXioc2E1Lz69WeXi6fd31iwfl8YZEAzuU75NtPOhdEfBFqKkXfYuZZ+/vFp5LDHxD7AAAAFQCFVAiGkITKlNof8qCX/hQZi5htgwAAAIB7yiw6nFuhEYngUlXMFrcV0IFtf480gOp8KiJjTWSeqWeTCB8aTVQFqEziuN0xfvYVxQ5UVMCquGQ3Xr7YXjT2JRm7Ngcwj9TzAuoP2kBtWE3Am/QPjXuFWHQirv+F7UDwTNAoYYegVy6fD31AuZyFE7HiStkjhflyVNSsipcVRQAAAIBzyM+wI2W6slAMLbqrsIDxm/1W7ARRd1DWPh//ubN7/a6Mw9BCcv4J2PEmETBiDtHqpSNk5+6BB71OSWomQAYI49gVjx1JG8HF//1vGmlHaW9+LuTw+c6osygKeVJRftrhH7a8sLP1LbG0CyaWvwTDC6erI+e5xUtJwpFpOoFSEA== d"
	signed  = "ecdsa-sha2-nistp256-cert-v01@openssh.com AAAAKGVjZHNhLXNoYTItbmlzdHAyNTYtY2VydC12MDFAb3BlbnNzaC5jb20AAAAgZojLzpPchG58wG+1EzigHXnzJ0eRCrpnm29yTRn+suQAAAAIbmlzdHAyNTYAAABBBNJEx3dvkWbX/G5OJQuRgXGXcxN5QOhrRMRX6nJgR5HsuJedf+7hM6PFRwJ179GkJ8SVCxFnhfTX5qUxXDNkDysAAAAAAAAAAAAAAAEAAAACaWQAAAAFAAAAAXgAAAAAAAAAAP//////////AAAAAAAAAIIAAAAVcGVybWl0LVgxMS1mb3J3YXJkaW5nAAAAAAAAABdwZXJtaXQtYWdlbnQtZm9yd2FyZGluZwAAAAAAAAAWcGVybWl0LXBvcnQtZm9yd2FyZGluZwAAAAAAAAAKcGVybWl0LXB0eQAAAAAAAAAOcGVybWl0LXVzZXItcmMAAAAAAAAAAAAAADMAAAALc3NoLWVkMjU1MTkAAAAg68TfrKXbeN8uoMzOn6AQ/+GyiVnSvQWsbOsFK8rl5O4AAABTAAAAC3NzaC1lZDI1NTE5AAAAQEcaCOgBL3MAkZ4Nv5yCgbXbKcpN5EdUv7DQ7yDDz7ySihHt5WOZHWOWIAasLKfgTSZhKRTLalbq//eEScTbZQw= e"
)

// What ssh-keygen -l prints of ed25519.
const printed = "SHA256:FR3zXnXL9fYUiWSNzYr5auHGgpEObwTOmcnLqjG7fkU"

func TestParse(t *testing.T) {
	check := func(name, text, want string) {
		t.Helper()
		all, err := ParseKeys([]byte(text))
		got := ""
		for _, k := range all {
			got += k.Comment + " "
			if strings.Count(k.Line, " ") != 1 || Fingerprint(k.Line) != k.Fingerprint {
				t.Errorf("%s: line %q, fingerprint %q", name, k.Line, k.Fingerprint)
			}
		}
		if err != nil {
			got += err.Error()
		}
		if got = strings.TrimSpace(got); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	check("one", ed25519+"\n", "ann@lab")
	check("several", "# ours\n\n"+ed25519+"\r\n"+ecdsa+"\n"+rsa2048, "ann@lab e r")
	check("twice", ed25519+"\n"+ed25519, "ann@lab")
	check("nothing", "# none\n", "there is no public key")
	check("other text", ed25519+"\nhello there\n", "line 2: no public key as OpenSSH")
	check("short RSA", rsa1024, "line 1: too weak a key: RSA of 1024 bits")
	check("DSA", dsa, "line 1: too weak a key: DSA")
	check("certificate", signed, "line 1: a certificate is no key")
	check("options", "command=\"ls\",no-pty "+ed25519, "line 1: options before a key are not kept")
	check("authority", "cert-authority "+ed25519, "line 1: options before a key are not kept")
	for _, private := range []string{
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n", "-----BEGIN RSA PRIVATE KEY-----\n", "-----BEGIN ENCRYPTED PRIVATE KEY-----\n",
		"PuTTY-User-Key-File-3: ssh-ed25519\n", ed25519 + "\n-----BEGIN PRIVATE KEY-----\n",
	} {
		check("private", private, "this is a private key")
	}
	check("RFC 4716", "---- BEGIN SSH2 PUBLIC KEY ----\n", "this is a public key in another form")
	check("PKCS8", "-----BEGIN PUBLIC KEY-----\n", "this is a public key in another form")
	check("long", strings.Repeat("x", Longest+1), "it has more than 64 KiB")
}

func TestFingerprintIsWhatSSHPrints(t *testing.T) {
	if got := Fingerprint(ed25519); got != printed {
		t.Errorf("%s, want %s", got, printed)
	}
	if got := Fingerprint("nothing"); got != "" {
		t.Errorf("of no key: %s", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{ed25519, rsa1024, dsa, signed, "no-pty " + ecdsa, "ssh-rsa AAAA", "\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := ParseKeys(text)
		if (len(all) == 0) != (err != nil) {
			t.Errorf("%d keys, %v", len(all), err)
		}
		for _, k := range all {
			if Fingerprint(k.Line) != k.Fingerprint || strings.ContainsAny(k.Line, "\r\n\x1b") {
				t.Errorf("line %q", k.Line)
			}
		}
	})
}
