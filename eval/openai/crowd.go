package openai

import (
	"container/list"
	"context"
	"sync"
)

// crowd holds the number of calls under way to what the endpoint bears: half
// as many after a sign of overload, one more after as many successes as there
// may be calls (additive increase, multiplicative decrease, as TCP does).
type crowd struct {
	mu      sync.Mutex
	most    int
	allowed int
	inside  int
	good    int // successes since allowed last changed
	era     int // counts the cuts
	queue   list.List
}

func newCrowd(most int) *crowd { return &crowd{most: most, allowed: most} }

// sign is what the end of a call says about the endpoint's load.
type sign uint8

const (
	signNone   sign = iota // nothing: cancelled, or broken for other reasons
	signGood               // it answered
	signStrain             // it refused for load, or took too long
)

// enter waits for a place. It returns the era that it was given in, or why
// ctx ended.
func (c *crowd) enter(ctx context.Context) (era int, err error) {
	c.mu.Lock()
	if c.inside < c.allowed && c.queue.Len() == 0 {
		c.inside++
		era = c.era
		c.mu.Unlock()
		return era, nil
	}
	place := make(chan int, 1)
	waiter := c.queue.PushBack(place)
	c.mu.Unlock()
	select {
	case era = <-place:
		return era, nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-place: // given and given up at the same moment
		c.inside--
		c.admit()
	default:
		c.queue.Remove(waiter)
	}
	return 0, ctx.Err()
}

// leave gives the place back. Calls that entered before the last cut say
// nothing new about it, so a burst of refusals cuts once per round trip.
func (c *crowd) leave(era int, s sign) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inside--
	switch {
	case s == signStrain && era == c.era:
		c.allowed = max(c.allowed/2, 1)
		c.good = 0
		c.era++
	case s == signGood && c.allowed < c.most:
		if c.good++; c.good >= c.allowed {
			c.allowed++
			c.good = 0
		}
	}
	c.admit()
}

// admit lets in who waited longest; the caller holds mu.
func (c *crowd) admit() {
	for c.inside < c.allowed && c.queue.Len() > 0 {
		place := c.queue.Remove(c.queue.Front()).(chan int)
		c.inside++
		place <- c.era
	}
}

// look is the number allowed, inside and waiting.
func (c *crowd) look() (allowed, inside, waiting int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.allowed, c.inside, c.queue.Len()
}
