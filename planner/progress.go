package planner

import (
	"context"
	"fmt"
	"time"

	"github.com/sessiondb/sessiondb/wire"
)

// progressEvery is how often the client hears that a statement goes on, if
// Options does not say.
const progressEvery = 5 * time.Second

// reporting does work, which may take long and writes nothing to out, and tells
// the client by NOTICEs that it goes on, and how far DuckDB is with the
// statement of its own that it runs.
func (s *session) reporting(ctx context.Context, out *wire.ResultWriter, what string, work func() error) (err error) {
	if !s.settings.showsNotice(wire.SeverityNotice) {
		return work()
	}
	if err := s.conn.MeasureProgress(ctx, true); err != nil {
		return err
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		s.reportProgress(ctx, out, what, done)
	}()
	defer func() {
		close(done)
		<-ended
		// A transaction that failed takes no more statements, and loses nothing by this one.
		if stop := s.conn.MeasureProgress(context.WithoutCancel(ctx), false); err == nil {
			err = stop
		}
	}()
	return work()
}

func (s *session) reportProgress(ctx context.Context, out *wire.ResultWriter, what string, done <-chan struct{}) {
	began, tick := time.Now(), time.NewTicker(s.engine.progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-ctx.Done():
			return
		case now := <-tick.C:
			text := fmt.Sprintf("%s goes on after %s", what, now.Sub(began).Round(s.engine.progressEvery))
			if percent := s.conn.Progress(); percent > 0 {
				text += fmt.Sprintf(": %.0f %% of the current step", percent)
			}
			out.Notice(wire.Noticef("%s", text))
		}
	}
}
