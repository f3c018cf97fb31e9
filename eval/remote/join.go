package remote

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"concord/eval"
)

// TokenFor is how long a join token is good for.
const TokenFor = 7 * 24 * time.Hour

// Identity is what a server shows of itself, and who may join it. A file keeps it, so that
// workers find the same one after a restart.
type Identity struct {
	Cert, Key []byte // as DER; the private key
	Token     string
	Until     time.Time // when the token expires
	path      string    // of the file
}

// LoadOrMakeIdentity reads the identity that a file keeps, and makes it where there is none. A
// token that has expired, or is to be revoked, gives way to a new one.
func LoadOrMakeIdentity(path string, now time.Time, revoke bool) (*Identity, error) {
	id := &Identity{path: path}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, id)
	} else if errors.Is(err, fs.ErrNotExist) {
		var public ed25519.PublicKey
		if public, id.Key, err = ed25519.GenerateKey(rand.Reader); err == nil {
			t := x509.Certificate{SerialNumber: big.NewInt(now.UnixNano()), NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(10, 0, 0)}
			id.Cert, err = x509.CreateCertificate(rand.Reader, &t, &t, public, ed25519.PrivateKey(id.Key))
		}
	}
	if err == nil && (revoke || !now.Before(id.Until)) {
		id.Token, id.Until = randomID(), now.Add(TokenFor)
		if err = os.WriteFile(path+".new", encodeMessage(id), 0o600); err == nil {
			err = os.Rename(path+".new", path)
		}
	}
	return id, eval.WrapError(err, "read identity of the workers' server from %s (without the file, another one is made)", path)
}

// AdmitsToken reports whether a token lets in at this time: that of the file, where another process
// has revoked this one's.
func (id *Identity) AdmitsToken(token string, now time.Time) bool {
	of := *id
	if data, err := os.ReadFile(id.path); err == nil {
		_ = json.Unmarshal(data, &of) // else what was read last is true
	}
	return sha256.Sum256([]byte(token)) == sha256.Sum256([]byte(of.Token)) && now.Before(of.Until)
}

// WorkerURL is what a worker is given: address, fingerprint of the certificate and token.
func (id *Identity) WorkerURL(addr string) string {
	return "tls://" + addr + "?" + url.Values{"cert": {hashBytes(id.Cert)}, "token": {id.Token}}.Encode()
}

// Access is what a cluster that others run wants beside its address.
type Access struct {
	Creds string // a file
	CA    string // a file; "": whom this machine trusts
}

// Conn is a connection to a server.
type Conn = nats.Conn

// Join connects to the server of a join URL, or to a cluster of several behind commas, and
// again whenever the connection is lost; say is told of both. The first attempt waits as well.
// Where somebody is not let in, the connection is closed, and refuse is told.
func Join(join string, a Access, name string, say func(string), refuse func(error)) (*nats.Conn, error) {
	var all, hosts []string
	var query url.Values
	for one := range strings.SplitSeq(join, ",") {
		u, err := url.Parse(one)
		if err != nil || u.Host == "" || u.User != nil || u.Scheme != "nats" && u.Scheme != "tls" {
			return nil, fmt.Errorf("%.80q: want the URL that the holder prints, as nats://127.0.0.1:4222 or tls://HOST:4222?cert=...&token=..., or that of a cluster", one)
		}
		query, hosts, all = u.Query(), append(hosts, u.Host), append(all, u.Scheme+"://"+u.Host)
	}
	host := strings.Join(hosts, ", ")
	var why atomic.Pointer[error] // that was said
	var was atomic.Bool           // it was let in
	again := func(*nats.Conn) {
		why.Store(nil)
		was.Store(true)
		say(host + ": connected")
	}
	lost := func(c *nats.Conn, err error) {
		if err == nil {
			return
		}
		if errors.Is(err, nats.ErrAuthorization) && (query.Has("token") || !was.Load()) {
			refuse(fmt.Errorf("%s does not let this process in: the token of the join URL, or the credentials, are wrong, were revoked or have expired: ask the holder for its line again (%w)", host, err))
			c.Close()
			return
		}
		if told := why.Swap(&err); told == nil || (*told).Error() != err.Error() {
			say(fmt.Sprintf("%s: %v; trying again until it answers", host, err))
		}
	}
	opts := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.RetryOnFailedConnect(true), nats.IgnoreAuthErrorAbort(),
		nats.Timeout(5 * time.Second), nats.PingInterval(5 * time.Second), nats.ReconnectBufSize(-1), nats.Token(query.Get("token")),
		nats.ConnectHandler(again), nats.ReconnectHandler(again), nats.DisconnectErrHandler(lost), nats.ReconnectErrHandler(lost),
		nats.ErrorHandler(func(c *nats.Conn, _ *nats.Subscription, err error) { lost(c, err) }),
	}
	if want := query.Get("cert"); want != "" {
		opts = append(opts, nats.Secure(newPinnedTLSConfig(want)))
	}
	if a.Creds != "" {
		opts = append(opts, nats.UserCredentials(a.Creds))
	}
	if a.CA != "" {
		opts = append(opts, nats.RootCAs(a.CA))
	}
	nc, err := nats.Connect(strings.Join(all, ","), opts...)
	return nc, eval.WrapError(err, "connect to %s", host)
}

// AwaitConnection waits until a connection stands.
func AwaitConnection(ctx context.Context, nc *nats.Conn) error {
	for !nc.IsConnected() && ctx.Err() == nil {
		sleep(ctx, beat/20)
	}
	return context.Cause(ctx)
}

// newPinnedTLSConfig trusts one certificate, whoever made it and whatever host it names.
func newPinnedTLSConfig(want string) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, InsecureSkipVerify: true, //nolint:gosec // its fingerprint is compared
		VerifyConnection: func(c tls.ConnectionState) error {
			if got := hashBytes(c.PeerCertificates[0].Raw); !strings.EqualFold(got, want) {
				return fmt.Errorf("its certificate has the fingerprint %.16s..., the join URL says %.16s...: ask the holder for the URL again", got, want)
			}
			return nil
		},
	}
}

// IsLoopback reports whether an address is reached from this machine alone.
func IsLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// Server is a NATS server within this process, with streams in memory.
type Server struct {
	*server.Server
	own    string // the token of this process
	admits func(token string) bool
	say    func(string)
	now    func() time.Time
	said   atomic.Int64 // when it was last said that somebody is not let in, in seconds
}

// Check lets in who has a token. It says once a minute that somebody has none.
func (s *Server) Check(c server.ClientAuthentication) bool {
	in := c.GetOpts().Token == s.own || s.admits(c.GetOpts().Token)
	if last, now := s.said.Load(), s.now().Unix(); !in && now-last >= 60 && s.said.CompareAndSwap(last, now) {
		s.say(fmt.Sprintf("a worker at %v is not let in: its join token is wrong, was revoked or has expired (it needs the line of the newest start)", c.RemoteAddress()))
	}
	return in
}

// StartServer starts a server at host:port, with an empty folder of its own, and waits
// until it takes connections. Without an identity whoever comes is let in, in the clear; say is
// told of those that are not.
func StartServer(addr, folder string, id *Identity, now func() time.Time, say func(string)) (*Server, error) {
	s := &Server{own: randomID(), say: say, now: now}
	opts := &server.Options{
		NoSigs: true, NoLog: true, MaxPayload: 8 << 20,
		JetStream: true, StoreDir: folder, JetStreamMaxStore: 1 << 20, DisableJetStreamBanner: true,
	}
	if id != nil {
		s.admits = func(token string) bool { return id.AdmitsToken(token, now()) }
		opts.CustomClientAuthentication, opts.TLSTimeout = s, 5
		cert := tls.Certificate{Certificate: [][]byte{id.Cert}, PrivateKey: ed25519.PrivateKey(id.Key)}
		opts.TLSConfig = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS13}
	}
	l, err := net.Listen("tcp", addr) //nolint:noctx // the server says less of a port that is taken
	if err == nil {
		host, port, _ := net.SplitHostPort(l.Addr().String())
		opts.Host = host
		opts.Port, _ = strconv.Atoi(port)
		_ = l.Close()
		s.Server, err = server.NewServer(opts)
	}
	if err == nil {
		s.Start()
		if !s.ReadyForConnections(10 * time.Second) {
			s.Close()
			err = errors.New("it takes no connections after 10 s")
		}
	}
	return s, eval.WrapError(err, "start server for workers")
}

// ConnectInProcess connects within the process.
func (s *Server) ConnectInProcess() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(s.Server), nats.Token(s.own), nats.Name("holder"))
}

// Close ends the server; its streams are gone with it.
func (s *Server) Close() {
	s.Shutdown()
	s.WaitForShutdown()
}
