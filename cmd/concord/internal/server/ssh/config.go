package ssh

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"time"

	gliderlabs "github.com/gliderlabs/ssh"
	"golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"concord/cmd/concord/internal/keys"
	"concord/eval/bound"
)

// ErrNobody is what Who gives of a key by which nobody comes in, or wraps; any
// other error is that it could not be found out.
var ErrNobody = errors.New("nobody's key")

// Config says who comes in and what for. What is zero gets its default.
type Config struct {
	// HostKeys are what the server shows to be itself (see LoadHostKey). Without
	// one it serves this machine only, by Admit.
	HostKeys []ssh.Signer

	// Who says whose key it is; an error, or no name: nobody's. It is asked at
	// the handshake, and once more when a session begins, since somebody may
	// have been removed meanwhile. It may be asked from many goroutines.
	Who func(key keys.Key) (name string, err error)

	// Enter is one session, from its start to its end, which is when it
	// returns. last is the line that the person is left with. ctx ends when
	// the session must: context.Cause tells why. A panic in it ends no other.
	Enter func(ctx context.Context, t *Terminal) (last string, err error)

	Sessions  int // at once (64); four times as many connections may not be in yet, a quarter of them of one address
	PerPerson int // of them, for one person (4); from this machine as many as there are
	Attempts  int // keys tried on one connection (6)

	Handshake time.Duration // until somebody is in, and until a connection has a session (15 s)
	Idle      time.Duration // a session without a typed byte (30 min); negative: for ever
	Stall     time.Duration // a client that takes no output (20 s)
	Keepalive time.Duration // how often a client is asked whether it is there (15 s), and a third of how long it has to answer
	Grace     time.Duration // for Enter to return after its context ended (5 s)

	Log *slog.Logger // who came when, and why somebody did not; nothing of it reaches a screen
	Now func() time.Time
}

// withDefaults fills in what is zero.
func (c Config) withDefaults() Config {
	c.Sessions = cmp.Or(max(0, c.Sessions), 64)
	c.PerPerson = cmp.Or(max(0, c.PerPerson), 4)
	c.Attempts = cmp.Or(max(0, c.Attempts), 6)
	c.Handshake = cmp.Or(c.Handshake, 15*time.Second)
	c.Idle = cmp.Or(c.Idle, 30*time.Minute)
	c.Stall = cmp.Or(c.Stall, 20*time.Second)
	c.Keepalive = cmp.Or(c.Keepalive, 15*time.Second)
	c.Grace = cmp.Or(c.Grace, 5*time.Second)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// NewGate makes a gate; nobody comes in before Serve or Admit.
func NewGate(c Config) (*Gate, error) {
	if c.Enter == nil {
		return nil, errors.New("make SSH server: no function for sessions")
	}
	if len(c.HostKeys) > 0 && c.Who == nil {
		return nil, errors.New("make SSH server: nobody to say whose a key is")
	}
	c = c.withDefaults()
	hosts := c.HostKeys
	if len(hosts) == 0 {
		_, key, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return nil, fmt.Errorf("make SSH server: %w", err)
		}
		host, err := ssh.NewSignerFromSigner(key)
		if err != nil {
			return nil, fmt.Errorf("make SSH server: %w", err)
		}
		hosts = []ssh.Signer{host}
	}
	startups := &startupLimit{most: 4 * c.Sessions, lines: rate.NewLimiter(lineRate, lineBurst), places: make(map[string]*rate.Limiter)}
	g := &Gate{cfg: c, startups: startups, links: make(map[*sshLink]struct{}), sessions: make(map[*Terminal]struct{})}
	g.ctx, g.stop = context.WithCancel(context.Background())
	g.far, g.near = g.newLibraryServer(hosts), g.newLibraryServer(hosts)
	g.far.PublicKeyHandler = g.isKnownKey // without one, whoever comes is let in
	return g, nil
}

// newLibraryServer gives the library's server, which lets in whoever comes.
func (g *Gate) newLibraryServer(hosts []ssh.Signer) *gliderlabs.Server {
	s := &gliderlabs.Server{
		Version:              "concord",
		ConnCallback:         g.beginLink,
		ServerConfigCallback: g.newHandshakeConfig,
		ConnectionFailedCallback: func(conn net.Conn, err error) {
			g.logStartup("ssh: did not get in", conn, "why", cleanText(err.Error()))
		},
		ChannelHandlers: map[string]gliderlabs.ChannelHandler{"session": serveSessionChannel, "default": rejectChannel},
		RequestHandlers: map[string]gliderlabs.RequestHandler{"default": refuseForwarding},
	}
	for _, h := range hosts {
		s.AddHostKey(h)
	}
	return s
}

// visitor is who a connection belongs to.
type visitor struct {
	name  string
	key   keys.Key
	local bool
}

// isKnownKey reports whether a key is somebody's, who has yet to prove to hold it.
func (g *Gate) isKnownKey(ctx gliderlabs.Context, pub gliderlabs.PublicKey) bool {
	_, err := g.findVisitorOfKey(keys.KeyOfPublicKey(pub))
	if err != nil {
		g.logStartup("ssh: key refused", linkOfContext(ctx), "as", cleanText(ctx.User()), "key", ssh.FingerprintSHA256(pub), "why", err)
	}
	return err == nil
}

// newHandshakeConfig gives how a connection comes in: as whoever holds the key that signed. A
// client may ask about one key and come with another.
func (g *Gate) newHandshakeConfig(ctx gliderlabs.Context) *ssh.ServerConfig {
	l := linkOfContext(ctx)
	return &ssh.ServerConfig{
		MaxAuthTries:            g.cfg.Attempts,
		PublicKeyAuthAlgorithms: ssh.SupportedAlgorithms().PublicKeyAuths, // without SHA-1 and DSA
		NoClientAuthCallback: func(conn ssh.ConnMetadata) (*ssh.Permissions, error) {
			return nil, g.admitLink(l, conn)
		},
		VerifiedPublicKeyCallback: func(conn ssh.ConnMetadata, key ssh.PublicKey, p *ssh.Permissions, _ string) (_ *ssh.Permissions, err error) {
			if l.visitor, err = g.findVisitorOfKey(keys.KeyOfPublicKey(key)); err == nil {
				err = g.admitLink(l, conn)
			}
			return p, err
		},
		AuthLogCallback: func(conn ssh.ConnMetadata, method string, err error) {
			if err != nil && method != "none" && method != "publickey" {
				g.logStartup("ssh: refused", l, "as", cleanText(conn.User()), "way", cleanText(method))
			}
		},
	}
}

// findVisitorOfKey asks whose a key is.
func (g *Gate) findVisitorOfKey(key keys.Key) (visitor, error) {
	name, err := g.cfg.Who(key)
	if err == nil && name == "" {
		err = ErrNobody
	}
	return visitor{name: name, key: key}, err
}

// longestKey bounds a file of a host key, in bytes.
const longestKey = 64 << 10

// Signer is the key by which a server shows to be itself.
type Signer = ssh.Signer

// LoadHostKey reads the key by which people know the server again, and makes it
// (ed25519, as OpenSSH writes it, for this user alone) when there is none yet.
// A file that others may read is refused: whoever has the key is the server.
func LoadHostKey(path string) (key ssh.Signer, made bool, err error) {
	key, err = readHostKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, false, err
	}
	err = makeHostKey(path)
	made = err == nil
	if !made && !errors.Is(err, fs.ErrExist) { // which another process was quicker to make
		return nil, false, fmt.Errorf("make host key: %w", err)
	}
	key, err = readHostKey(path)
	return key, made, err
}

// FingerprintHostKey is what ssh prints of a host key, for people to compare.
func FingerprintHostKey(key ssh.Signer) string { return ssh.FingerprintSHA256(key.PublicKey()) }

func readHostKey(path string) (ssh.Signer, error) {
	f, err := bound.OpenRegular(path)
	if err != nil {
		return nil, fmt.Errorf("read host key: %w", err)
	}
	defer f.Close() //nolint:errcheck // it is only read
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read host key: %w", err)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("read host key: others may read or change %s (mode %04o): chmod 600 it, "+
			"or remove it for a new one if somebody may have read it", path, info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, longestKey))
	if err != nil {
		return nil, fmt.Errorf("read host key: %w", err)
	}
	key, err := ssh.ParsePrivateKey(text)
	var locked *ssh.PassphraseMissingError
	switch {
	case errors.As(err, &locked):
		return nil, fmt.Errorf("read host key: %s needs a passphrase, which a server has nobody to ask for", path)
	case err != nil:
		return nil, fmt.Errorf("read host key %s: %w", path, err)
	}
	return key, nil
}

// makeHostKey writes a new key beside its place and puts it there whole, unless there is one by then.
func makeHostKey(path string) error {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	block, err := ssh.MarshalPrivateKey(key, "concord")
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".hostkey-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // it has its place, or none
	_, err = f.Write(pem.EncodeToMemory(block))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}
