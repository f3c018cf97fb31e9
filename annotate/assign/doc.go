// Package assign hands out items: it tracks who works in which queue, which item each of them holds,
// and how many labels each item has, so that many people work at once without doing the same twice.
//
//	Session --Take, Set--> Claim --> state of the queue --> LeaseStore
//	        <--Free, Transitions--
//
// It stores nothing but leases, which give people their item back after the process was killed, and
// refuses to know what anybody answered beyond whether answers differ. Its one invariant: nobody is
// handed an item that the store would refuse their label of, as far as the labels are known here.
package assign
