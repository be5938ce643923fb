package catalog

/*
#include <stdint.h>

// Prototypes of DuckDB's C interface; the handles are opaque.
extern void *duckdb_create_task_state(void *database);
extern uint64_t duckdb_execute_n_tasks_state(void *state, uint64_t max_tasks);
extern void duckdb_finish_execution(void *state);
extern void duckdb_destroy_task_state(void *state);
*/
import "C"

import (
	"sync"
	"time"
	"unsafe"
)

// DuckDB's own threads would be woken for every statement, also for one that
// takes less time than the waking: handing the work over and back doubles the
// latency of a small commit. So DuckDB starts no threads; a statement runs on
// the thread that calls it, and is assisted by threads of ours once it has run
// for a while.

// assistAfter is how long a statement runs alone.
const assistAfter = 2 * time.Millisecond

// assistants are the threads that help statements which take long. They end
// with close.
type assistants struct {
	state unsafe.Pointer

	mu      sync.Mutex
	wake    sync.Cond
	wanting int // statements that want help now
	closed  bool
	threads sync.WaitGroup
}

// startAssistants starts n threads for a DuckDB instance.
func startAssistants(database unsafe.Pointer, n int) *assistants {
	a := &assistants{state: C.duckdb_create_task_state(database)}
	a.wake.L = &a.mu
	for range n {
		a.threads.Add(1)
		go a.run()
	}
	return a
}

// run executes tasks as long as a statement wants help, a few at a time.
func (a *assistants) run() {
	defer a.threads.Done()
	const batch, shortest, longest = 16, 100 * time.Microsecond, 5 * time.Millisecond
	pause := shortest
	for a.wanted() {
		if C.duckdb_execute_n_tasks_state(a.state, batch) > 0 {
			pause = shortest
			continue
		}
		time.Sleep(pause) // nothing to do for now: the client may be slow to read
		pause = min(2*pause, longest)
	}
}

// wanted waits until a statement wants help; it is false at the end.
func (a *assistants) wanted() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.wanting == 0 && !a.closed {
		a.wake.Wait()
	}
	return !a.closed
}

// close ends the threads. No statement may run any more.
func (a *assistants) close() {
	a.mu.Lock()
	a.closed = true
	a.wake.Broadcast()
	a.mu.Unlock()
	a.threads.Wait()
	C.duckdb_finish_execution(a.state)
	C.duckdb_destroy_task_state(a.state)
}

// An assistance is the help that one statement gets, from begin to end.
type assistance struct {
	from  *assistants
	timer *time.Timer

	mu    sync.Mutex
	given bool
	ended bool
}

// begin lets the statement be helped once it has run for assistAfter.
func (a *assistants) begin() *assistance {
	s := &assistance{from: a}
	s.timer = time.AfterFunc(assistAfter, s.give)
	return s
}

func (s *assistance) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || s.given {
		return
	}
	s.given = true
	s.from.add(1)
}

// end is called once, by whoever began.
func (s *assistance) end() {
	s.timer.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.given {
		s.from.add(-1)
	}
}

func (a *assistants) add(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wanting += n
	a.wake.Broadcast()
}
