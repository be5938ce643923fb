package wire

import (
	"net"
	"time"
)

// Client is the connection as its Session sees it. Notify, Cancel and
// Terminate may be called from any goroutine; the other methods only from
// within a call that the server makes to the session, its statements and
// portals. A Client made by hand, for a test, has no connection: its methods
// do nothing.
type Client struct {
	// Params are the start-up parameters: user, database, application_name
	// and the rest; options given as -c name=value stand here by name.
	Params     map[string]string
	RemoteAddr net.Addr
	ProcessID  uint32

	conn *conn
}

// Report sets what a ParameterStatus says about a setting: during
// Backend.Open in those of the start-up, later at once.
func (c *Client) Report(name, value string) {
	if c.conn != nil {
		c.conn.report(name, value)
	}
}

// Notice sends a NoticeResponse, as ResultWriter.Notice does, where there is
// no ResultWriter: from Session.Sync, for one. It goes out with what follows.
func (c *Client) Notice(notice *Error) {
	if c.conn != nil {
		c.conn.notice(notice)
	}
}

// SetLocation sets the session's time zone, in which a timestamp with time
// zone is written as text, and read from text that names no zone. It starts
// as Config.ServerParams["TimeZone"].
func (c *Client) SetLocation(loc *time.Location) {
	if c.conn != nil {
		c.conn.rows.SetLocation(loc)
	}
}

// Statement finds a statement that the client prepared by a Parse message.
// Postgres lets SQL's EXECUTE name it.
func (c *Client) Statement(name string) (Statement, bool) {
	if c.conn == nil {
		return nil, false
	}
	s, ok := c.conn.store.statements[name]
	return s, ok
}

// Deallocate closes a statement that the client prepared by a Parse message,
// as SQL's DEALLOCATE must. It reports whether there was one.
func (c *Client) Deallocate(name string) bool {
	if c.conn == nil {
		return false
	}
	return c.conn.store.closeStatement(name)
}

// DeallocateAll closes every statement that the client prepared by Parse
// messages, for DEALLOCATE ALL and DISCARD ALL.
func (c *Client) DeallocateAll() {
	if c.conn != nil {
		c.conn.store.closeStatements()
	}
}

// Notify queues a NotificationResponse from the session pid. The client gets
// it when it is idle outside a transaction, or when its transaction ends.
// It reports false, and logs that, when the client has let maxNotes
// notifications pile up: this one is then not delivered.
func (c *Client) Notify(channel, payload string, pid uint32) bool {
	if c.conn == nil {
		return false
	}
	return c.conn.notify(note{channel: channel, payload: payload, pid: pid})
}

// Cancel ends the statement that runs now, as a CancelRequest does; cause is
// what its context then tells (ErrCanceled for the usual message).
func (c *Client) Cancel(cause error) {
	if c.conn != nil {
		c.conn.running.stop(cause)
	}
}

// Terminate ends the connection, whatever it does now, with reason as its
// last, fatal error (ErrShutdown for the usual message).
func (c *Client) Terminate(reason *Error) {
	if c.conn == nil {
		return
	}
	fatal := *reason
	fatal.Severity = SeverityFatal
	c.conn.cancel(&fatal)
}
