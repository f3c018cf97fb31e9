package store

import (
	"errors"
	"testing"
	"time"

	"concord/annotate"
	"concord/eval"
)

func TestPeople(t *testing.T) {
	s := openTest(t, Options{})
	ctx := t.Context()
	put := func(was annotate.Person, role annotate.Role, keys ...string) annotate.Person {
		t.Helper()
		next := got[annotate.Person](t)(was.NextVersion(role, keys, "own", clock()))
		must(t, s.People().Put(ctx, next))
		return next
	}
	ann := put(annotate.Person{Name: "ann"}, annotate.RoleAnnotator, "k1")
	bob := put(annotate.Person{Name: "bob"}, annotate.RoleOwner, "k2", "k3")
	later := put(ann, annotate.RoleCurator, "k1", "k4")
	same(t, got[[]annotate.Person](t)(s.People().List()), []annotate.Person{later, bob})
	same(t, got[[]annotate.Person](t)(s.People().History()), []annotate.Person{ann, later, bob})

	refused := func(p annotate.Person, what string) {
		t.Helper()
		if err := s.People().Put(ctx, p); !errors.Is(err, annotate.ErrConflict) {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused(later, "the version that stands")
	refused(annotate.Person{Name: "cy", Role: annotate.RoleAnnotator, Keys: []string{"k4"}, Version: 1}, "somebody else's key")
	put(later, annotate.RoleNone)
	put(annotate.Person{Name: "cy"}, annotate.RoleAnnotator, "k4")
}

func TestLeasesAreKept(t *testing.T) {
	s := openTest(t, Options{})
	ctx := t.Context()
	lease := func(who annotate.Annotator, sample eval.Ordinal) annotate.Lease {
		return annotate.Lease{Item: annotate.NewItemKey(eval.Key{Run: 1, Sample: sample}), Who: who, Until: clock().Add(time.Minute)}
	}
	must(t, s.Leases().Put(ctx, "q", lease("ann", 1), lease("bob", 2)))
	must(t, s.Leases().Put(ctx, "p", lease("ann", 9)))
	must(t, s.Leases().Put(ctx, "q", lease("ann", 3)))
	same(t, got[[]annotate.Lease](t)(s.Leases().OfQueue("q")), []annotate.Lease{lease("ann", 3), lease("bob", 2)})
	must(t, s.Leases().Put(ctx, "q", annotate.Lease{Who: "ann"}))
	same(t, got[[]annotate.Lease](t)(s.Leases().OfQueue("q")), []annotate.Lease{lease("bob", 2)})
}
