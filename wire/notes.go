package wire

import (
	"sync"

	"github.com/jackc/pgx/v5/pgproto3"
)

// maxNotes bounds the notifications that wait for one client.
const maxNotes = 8192

// A note is a notification on its way to a client.
type note struct {
	channel, payload string
	pid              uint32
}

// notes is the bounded queue of them; any goroutine may put.
type notes struct {
	mu     sync.Mutex
	queued []note
}

// put adds a note, unless the queue is full.
func (q *notes) put(n note) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queued) >= maxNotes {
		return false
	}
	q.queued = append(q.queued, n)
	return true
}

// take empties the queue.
func (q *notes) take() []note {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.queued
	q.queued = nil
	return all
}

// notify queues a note and wakes the connection, in case it is idle.
func (c *conn) notify(n note) bool {
	if !c.notes.put(n) {
		c.log.Warn("notification lost: the client reads too slowly", "channel", n.channel)
		return false
	}
	c.in.interrupt()
	return true
}

// deliver buffers the queued notifications. The caller makes sure that the
// client is outside a transaction.
func (c *conn) deliver() {
	for _, n := range c.notes.take() {
		c.out.send(&pgproto3.NotificationResponse{PID: n.pid, Channel: clean(n.channel), Payload: clean(n.payload)})
	}
}
