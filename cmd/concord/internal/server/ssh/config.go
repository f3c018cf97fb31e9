package ssh

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"golang.org/x/crypto/ssh"

	"concord/cmd/concord/internal/keys"
)

// ErrNobody is what Who gives of a key by which nobody comes in, or wraps; any
// other error is that it could not be found out.
var ErrNobody = errors.New("nobody's key")

// Config says who comes in and what for. What is zero gets its default.
type Config struct {
	// HostKeys are what the server shows to be itself (see HostKey). Without
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

	Sessions  int // at once (64)
	PerPerson int // of them, for one person (4); from this machine as many as there are
	Attempts  int // keys tried on one connection (6)
	Failures  int // connections of one address that do not get in, a minute (20); then its next ones wait a moment each. As many by each known key

	Handshake time.Duration // until somebody is in, and until a connection has a session (15 s)
	Idle      time.Duration // a session without a typed byte (30 min); negative: for ever
	Stall     time.Duration // a client that takes no output (20 s)
	Keepalive time.Duration // how often a client is asked whether it is there (15 s); after three without an answer it is not
	Grace     time.Duration // for Enter to return after its context ended (5 s)

	Log *slog.Logger // who came when, and why somebody did not; nothing of it reaches a screen
	Now func() time.Time
}

// withDefaults fills in what is zero.
func (c Config) withDefaults() Config {
	for _, n := range []struct {
		at   *int
		most int
	}{{&c.Sessions, 64}, {&c.PerPerson, 4}, {&c.Attempts, 6}, {&c.Failures, 20}} {
		if *n.at <= 0 {
			*n.at = n.most
		}
	}
	for _, d := range []struct {
		at   *time.Duration
		long time.Duration
	}{
		{&c.Handshake, 15 * time.Second},
		{&c.Idle, 30 * time.Minute},
		{&c.Stall, 20 * time.Second},
		{&c.Keepalive, 15 * time.Second},
		{&c.Grace, 5 * time.Second},
	} {
		if *d.at == 0 {
			*d.at = d.long
		}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// New makes a gate; nobody comes in before Serve or Admit.
func New(c Config) (*Gate, error) {
	if c.Enter == nil {
		return nil, errors.New("make SSH server: no function for sessions")
	}
	if len(c.HostKeys) > 0 && c.Who == nil {
		return nil, errors.New("make SSH server: nobody to say whose a key is")
	}
	c = c.withDefaults()
	g := &Gate{
		cfg:       c,
		door:      newDoor(4*c.Sessions, c.Failures),
		links:     make(map[*link]struct{}),
		sessions:  make(map[*session]struct{}),
		listeners: make(map[net.Listener]struct{}),
	}
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
	g.hosts = hosts
	return g, nil
}

// version is what the server calls itself on the line.
const version = "SSH-2.0-concord"

// algorithms are those of people's keys. No certificate is among them, and
// neither is a signature with SHA-1.
func algorithms() []string {
	return []string{
		ssh.KeyAlgoED25519, ssh.KeyAlgoSKED25519, ssh.KeyAlgoSKECDSA256,
		ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521,
		ssh.KeyAlgoRSASHA256, ssh.KeyAlgoRSASHA512,
	}
}

// visitorKey is where a handshake leaves who came in.
type visitorKey struct{}

// client is who a connection belongs to.
type visitor struct {
	name  string
	key   keys.Key
	local bool
}

// byKey lets a caller in who proves to hold a key that Who knows. What Who says
// of a key is kept with that key: a client may ask about one and come with another.
func (g *Gate) byKey(from *caller) *ssh.ServerConfig {
	c := &ssh.ServerConfig{
		ServerVersion:           version,
		MaxAuthTries:            g.cfg.Attempts,
		PublicKeyAuthAlgorithms: algorithms(),
		PublicKeyCallback: func(conn ssh.ConnMetadata, pub ssh.PublicKey) (*ssh.Permissions, error) {
			v, err := g.known(keys.Of(pub))
			if err != nil {
				if g.door.tells(from.place, g.cfg.Now()) {
					g.cfg.Log.Info("ssh: key refused", "address", conn.RemoteAddr().String(), "as", clean(conn.User()),
						"key", ssh.FingerprintSHA256(pub), "why", err)
				}
				return nil, err
			}
			g.door.shows(from, v.key.Fingerprint, g.cfg.Now())
			return &ssh.Permissions{ExtraData: map[any]any{visitorKey{}: v}}, nil
		},
		AuthLogCallback: func(conn ssh.ConnMetadata, method string, err error) {
			if err != nil && method != "none" && method != "publickey" && g.door.tells(from.place, g.cfg.Now()) {
				g.cfg.Log.Info("ssh: refused", "address", conn.RemoteAddr().String(), "as", clean(conn.User()), "way", clean(method))
			}
		},
	}
	for _, h := range g.hosts {
		c.AddHostKey(h)
	}
	return c
}

// besides is for connections of this machine, which need no key.
func besides(hosts []ssh.Signer) *ssh.ServerConfig {
	c := &ssh.ServerConfig{ServerVersion: version, NoClientAuth: true}
	for _, h := range hosts {
		c.AddHostKey(h)
	}
	return c
}

// known asks whose a key is.
func (g *Gate) known(key keys.Key) (visitor, error) {
	name, err := g.cfg.Who(key)
	switch {
	case err != nil:
		return visitor{}, err
	case name == "":
		return visitor{}, ErrNobody
	}
	return visitor{name: name, key: key}, nil
}
