package remote

import (
	"crypto/tls"
	"errors"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"concord/eval"
)

// Server is a NATS server within this process, with streams in memory.
type Server struct {
	*server.Server
	own    string // the token of this process
	admits func(token string) bool
}

// Check lets in who has a token.
func (s *Server) Check(c server.ClientAuthentication) bool {
	return c.GetOpts().Token == s.own || s.admits(c.GetOpts().Token)
}

// StartServer starts a server at host:port, with an empty folder of its own, and waits
// until it takes connections. Without an identity whoever comes is let in, in the clear.
func StartServer(addr, folder string, id *Identity, now func() time.Time) (*Server, error) {
	s := &Server{own: newID()}
	opts := &server.Options{
		NoSigs: true, NoLog: true, MaxPayload: 8 << 20,
		JetStream: true, StoreDir: folder, JetStreamMaxStore: 1 << 20, DisableJetStreamBanner: true,
	}
	if id != nil {
		s.admits = func(token string) bool { return id.Admits(token, now()) }
		opts.CustomClientAuthentication, opts.TLSTimeout = s, 5
		opts.TLSConfig = &tls.Config{Certificates: []tls.Certificate{id.cert()}, MinVersion: tls.VersionTLS13}
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

// Connect connects within the process.
func (s *Server) Connect() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(s.Server), nats.Token(s.own), nats.Name("holder"))
}

// Close ends the server; its streams are gone with it.
func (s *Server) Close() {
	s.Shutdown()
	s.WaitForShutdown()
}
