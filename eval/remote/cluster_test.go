package remote

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"concord/eval"
)

// cluster is a server that is none of the holder's.
type cluster struct {
	*server.Server
	url string
}

func startCluster(t *testing.T, port int, certs *tls.Config, more ...func(*server.Options)) cluster {
	t.Helper()
	o := &server.Options{
		Host: "127.0.0.1", Port: port, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(), DisableJetStreamBanner: true, TLSConfig: certs,
	}
	for _, change := range more {
		change(o)
	}
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server takes no connections")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return cluster{s, eval.Either(certs == nil, "nats://", "tls://") + s.Addr().String()}
}

// port is one for a server that starts twice.
func port(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// holdAt has a holder of one model at a cluster, which is waited for.
func holdAt(t *testing.T, url string, a Access, model string) *rig {
	t.Helper()
	nc, err := Join(url, a, "holder", func(string) {}, func(err error) { t.Error(err) })
	if err == nil {
		t.Cleanup(nc.Close)
		err = AwaitConnection(t.Context(), nc)
	}
	if err != nil {
		t.Fatal(err)
	}
	return hold(t, nc, model)
}

func named(name string) chatter {
	return func(context.Context, eval.Chat) (eval.Reply, error) { return eval.Reply{Text: name}, nil }
}

// streams are those of the cluster.
func (r *rig) streams() (names []string) {
	r.t.Helper()
	for name := range r.holder.js.StreamNames(r.t.Context()).Name() {
		names = append(names, name)
	}
	return names
}

func TestHoldersShareACluster(t *testing.T) {
	t.Parallel()
	c := startCluster(t, -1, nil)
	one, other := holdAt(t, c.url, Access{}, "one"), holdAt(t, c.url, Access{}, "other")
	joinBy(t, c.url, Access{}, "w1", "one", named("w1"))
	w2 := joinBy(t, c.url, Access{}, "w2", "other", named("w2"))
	for _, at := range []struct {
		r    *rig
		want string
	}{{one, "w1"}, {other, "w2"}} {
		if reply, err := at.r.answer(ask(1, "x")); err != nil || reply.Text != at.want {
			t.Errorf("%v %v: want %s", reply.Text, err, at.want)
		}
	}
	one.holder.Close("the run is done", true)
	if reply, err := other.answer(ask(2, "x")); err != nil || reply.Text != "w2" {
		t.Error(reply, err)
	}
	if left := other.streams(); len(left) != 1 || left[0] != streamPrefix+other.holder.session {
		t.Errorf("streams %v", left)
	}
	select {
	case err := <-w2.ended:
		t.Errorf("a worker of another holder has left: %v", err)
	default:
	}
}

// What a killed holder left is removed by the next one, and what another one has is not.
func TestQueueOfAKilledHolderIsRemoved(t *testing.T) {
	t.Parallel()
	c := startCluster(t, -1, nil)
	alive, dead := holdAt(t, c.url, Access{}, "m"), holdAt(t, c.url, Access{}, "m")
	dead.nc.Close()
	for c.NumClients() > 1 { // until the server knows, the dead one's subscriptions are those of somebody who is slow
		time.Sleep(time.Millisecond)
	}
	next := holdAt(t, c.url, Access{}, "m")
	left := strings.Join(next.streams(), " ")
	if strings.Contains(left, dead.holder.session) || !strings.Contains(left, alive.holder.session) {
		t.Errorf("streams %s", left)
	}
}

// A cluster that is away is waited for, and the queue that it has lost is made anew.
func TestClusterThatStartsAnew(t *testing.T) {
	t.Parallel()
	at := port(t)
	c := startCluster(t, at, nil)
	r := holdAt(t, c.url, Access{}, "m")
	replies := make(chan error, 1)
	go func() {
		_, err := r.answer(ask(1, "one"))
		replies <- err
	}()
	eventually(t, "the call is in the queue", func() bool {
		s, err := r.holder.js.Stream(t.Context(), streamPrefix+r.holder.session)
		if err != nil {
			return false
		}
		info, err := s.Info(t.Context())
		return err == nil && info.State.Msgs == 1
	})
	c.Shutdown()
	c.WaitForShutdown()
	w := join(t, c.url, "w", echo)
	for line := range w.lines {
		if strings.Contains(line, "trying again until it answers") {
			break
		}
	}
	more := make(chan error, 1)
	go func() {
		_, err := r.answer(ask(2, "two"))
		more <- err
	}()
	time.Sleep(100 * time.Millisecond) // it finds no queue
	startCluster(t, at, nil)
	for _, replies := range []chan error{replies, more} {
		if err := <-replies; err != nil {
			t.Error(err)
		}
	}
	said := strings.Join(r.holder.TakeLines(), "\n")
	for _, want := range []string{"the cluster has lost the queue", "the queue takes no call", "the queue takes calls again"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said:\n%s", want, said)
		}
	}
}

func TestClusterOverTLS(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	cert := x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, &cert, &cert, public, private)
	if err != nil {
		t.Fatal(err)
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	c := startCluster(t, -1, &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: private}}, MinVersion: tls.VersionTLS13})
	r := holdAt(t, c.url, Access{CA: ca}, "m")
	joinBy(t, c.url, Access{CA: ca}, "w", "m", echo)
	if _, err := r.answer(ask(1, "one")); err != nil {
		t.Error(err)
	}
	stranger := join(t, c.url, "stranger", echo)
	for line := range stranger.lines {
		if strings.Contains(line, "certificate") {
			break
		}
	}
	if _, err := Join(c.url, Access{Creds: "not there"}, "w", func(string) {}, func(error) {}); err == nil {
		t.Error("credentials that are not there are taken")
	}
}

// A cluster whose operator vouches for accounts lets holder and workers in by their credentials alone.
func TestClusterWantsCredentials(t *testing.T) {
	t.Parallel()
	key := func(create func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
		pair, err := create()
		if err != nil {
			t.Fatal(err)
		}
		public, _ := pair.PublicKey()
		return pair, public
	}
	operator, of := key(nkeys.CreateOperator)
	account, name := key(nkeys.CreateAccount)
	claims := jwt.NewOperatorClaims(of)
	accounts := &server.MemAccResolver{}
	_, system := key(nkeys.CreateAccount)
	for _, one := range []string{name, system} {
		a := jwt.NewAccountClaims(one)
		if one != system {
			a.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
		}
		signed, err := a.Encode(operator)
		if err == nil {
			err = accounts.Store(one, signed)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c := startCluster(t, -1, nil, func(o *server.Options) {
		o.TrustedOperators, o.AccountResolver, o.SystemAccount = []*jwt.OperatorClaims{claims}, accounts, system
	})
	creds := func(expires time.Time) string {
		user, public := key(nkeys.CreateUser)
		u := jwt.NewUserClaims(public)
		u.Expires = expires.Unix()
		token, err := u.Encode(account)
		if err != nil {
			t.Fatal(err)
		}
		seed, _ := user.Seed()
		text, err := jwt.FormatUserConfig(token, seed)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "user.creds")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	later := time.Now().Add(time.Hour)
	r := holdAt(t, c.url, Access{Creds: creds(later)}, "m")
	joinBy(t, c.url, Access{Creds: creds(later)}, "w", "m", echo)
	if _, err := r.answer(ask(1, "one")); err != nil {
		t.Error(err)
	}
	for _, a := range []Access{{}, {Creds: creds(time.Now().Add(-time.Hour))}} {
		stranger := joinBy(t, c.url, a, "stranger", "m", echo)
		if err := <-stranger.ended; err == nil || !strings.Contains(err.Error(), "credentials") {
			t.Error(err)
		}
	}
}

func TestWorkerIsTakenByWhomItFits(t *testing.T) {
	t.Parallel()
	c := startCluster(t, -1, nil)
	holdAt(t, c.url, Access{}, "other")
	r := holdAt(t, c.url, Access{}, "m")
	join(t, c.url, "w", echo)
	if _, err := r.answer(ask(1, "one")); err != nil {
		t.Error(err)
	}
	unfit := joinBy(t, c.url, Access{}, "unfit", "third", echo)
	if err := <-unfit.ended; err == nil || !strings.Contains(err.Error(), "has no model") {
		t.Error(err)
	}
}

// showing asks with pictures.
func showing(sample eval.Ordinal, pictures ...[]byte) eval.Request {
	q := ask(sample, "what is this?")
	byHash := make(map[eval.PictureHash][]byte)
	for _, p := range pictures {
		h := eval.PictureHash(hashBytes(p))
		byHash[h] = p
		q.Sample.Pictures = append(q.Sample.Pictures, eval.Picture{Hash: h})
	}
	q.Pictures = func(h eval.PictureHash) ([]byte, error) { return byHash[h], nil }
	return q
}

func TestImagesComeInPiecesAndOnce(t *testing.T) {
	t.Parallel()
	r := holdAt(t, startCluster(t, -1, nil).url, Access{}, "m")
	asked := make(chan string, 100)
	if _, err := r.nc.Subscribe(r.subject("image"), func(m *nats.Msg) { asked <- string(m.Data) }); err != nil {
		t.Fatal(err)
	}
	large, small := bytes.Repeat([]byte("large"), 2*pieceBytes/5), []byte("small")
	got := make(chan [][]byte, 2)
	join(t, r.nc.ConnectedUrl(), "w", func(ctx context.Context, c eval.Chat) (eval.Reply, error) {
		got <- c.Pictures
		return echo(ctx, c)
	})
	for i := range eval.Ordinal(2) {
		if _, err := r.answer(showing(i, large, small)); err != nil {
			t.Fatal(err)
		}
		if p := <-got; len(p) != 2 || !bytes.Equal(p[0], large) || !bytes.Equal(p[1], small) {
			t.Errorf("%d pictures of %d and %d bytes", len(p), len(p[0]), len(p[1]))
		}
	}
	if n := len(asked); n != 3 {
		t.Errorf("%d pieces were asked for, want 2 and 1, once", n)
	}
	rec := Recorder{&stored{facts: make(map[eval.Key]int)}, r.holder}
	for i := range eval.Ordinal(2) {
		if err := rec.Record(t.Context(), eval.Fact{Prediction: eval.Prediction{Key: eval.Key{Run: 1, Sample: i}}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.holder.lent) != 0 {
		t.Errorf("%d images are kept for no call", len(r.holder.lent))
	}
}

func TestImageThatIsAmiss(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	w := join(t, r.url(), "w", echo)
	for i, c := range []struct{ hash, want string }{{hashBytes([]byte("other")), "has it no more"}, {"", "another hash"}} {
		data := []byte("picture")
		u := &unit{id: r.holder.session + "/" + c.want, key: eval.Key{Run: 1, Sample: eval.Ordinal(i)}, answer: make(chan Result, 1)}
		call := Call{ID: u.id, Session: r.holder.session, Model: "m", Chat: eval.Chat{Turns: []eval.Turn{{}}}, Images: []Image{{c.hash, len(data)}}}
		if c.hash == "" {
			call.Images[0].Hash = hashBytes([]byte("another"))
		}
		u.data = encodeMessage(call)
		r.holder.mu.Lock()
		r.holder.out[u.id] = u
		if c.hash == "" {
			r.holder.lent[call.Images[0].Hash] = &lent{data: data, calls: 1}
		}
		r.holder.mu.Unlock()
		if err := r.holder.publishCall(t.Context(), u); err != nil {
			t.Fatal(err)
		}
		if got := <-u.answer; got.Failure == nil || got.Failure.Kind != eval.FailureTransient || !strings.Contains(got.Failure.Message, c.want) {
			t.Errorf("%s: %+v", c.want, got.Failure)
		}
	}
	for line := range w.lines {
		if strings.Contains(line, "another hash") {
			break
		}
	}
}

func TestShelfIsBounded(t *testing.T) {
	s := shelf{most: 10}
	for _, one := range []string{"12345", "abcde", "ABCDE", "longer than all of it"} {
		s.shelveImage(one, []byte(one))
	}
	if s.getImage("12345") != nil || string(s.getImage("ABCDE")) != "ABCDE" || s.getImage("longer than all of it") != nil || s.bytes != 10 {
		t.Errorf("%d bytes of %v", s.bytes, s.order)
	}
}
