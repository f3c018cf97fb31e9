package remote

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"concord/eval"
)

// Server is a NATS server within this process, with streams in memory.
type Server struct{ *server.Server }

// StartServer starts a server at host:port, with an empty folder of its own, and waits
// until it takes connections.
func StartServer(addr, folder string) (s Server, err error) {
	opts := &server.Options{
		NoSigs: true, NoLog: true, MaxPayload: 64 << 20, MaxPending: 256 << 20,
		JetStream: true, StoreDir: folder, JetStreamMaxStore: 1 << 20, DisableJetStreamBanner: true,
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
func (s Server) Connect() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(s.Server), nats.Name("holder"))
}

// Close ends the server; its streams are gone with it.
func (s Server) Close() {
	s.Shutdown()
	s.WaitForShutdown()
}

// Join connects to the server of a join URL, and again whenever the connection is lost;
// say is told of both. The first attempt waits as well.
func Join(join, name string, say func(string)) (*nats.Conn, error) {
	u, err := url.Parse(join)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "nats" {
		return nil, errors.New("--join: want the URL that the holder prints, as nats://127.0.0.1:4222")
	}
	again := func(*nats.Conn) { say(u.Host + ": connected") }
	lost := func(_ *nats.Conn, err error) {
		if err != nil {
			say(fmt.Sprintf("%s: %v; trying again until it answers", u.Host, err))
		}
	}
	nc, err := nats.Connect(
		join, nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.RetryOnFailedConnect(true), nats.Timeout(5*time.Second),
		nats.PingInterval(5*time.Second), nats.ReconnectBufSize(-1), nats.ConnectHandler(again), nats.ReconnectHandler(again), nats.DisconnectErrHandler(lost),
	)
	if err == nil && !nc.IsConnected() {
		say(u.Host + ": no answer; trying again until it answers")
	}
	return nc, eval.WrapError(err, "connect to %s", u.Host)
}

// IsLoopback reports whether an address is reached from this machine alone.
func IsLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
}
