// Command sessiondb serves DuckDB files, with session views that stay right
// when late events arrive, to any Postgres client.
//
//	sessiondb serve --database events.duckdb     serve a file until SIGINT or SIGTERM
//	sessiondb demo                               tell the story on a bundled web log
//	sessiondb version
//
// Every flag of serve is also an environment variable (SESSIONDB_LISTEN and so
// on). An error is one line on standard error and exit code 1; a wrong command
// line exits with 80.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/alecthomas/kong"
)

// version is what --version and the server's start-up message say.
const version = "0.1.0"

type commandLine struct {
	Serve   serveCommand     `cmd:"" help:"Serve a DuckDB database to Postgres clients until SIGINT or SIGTERM."`
	Demo    demoCommand      `cmd:"" help:"Load a real web log, deliver events late, and show which sessions they merge."`
	Version versionCommand   `cmd:"" help:"Print the version."`
	Print   kong.VersionFlag `name:"version" help:"Print the version and exit."`
}

type versionCommand struct{}

// Run prints the version on standard output.
func (versionCommand) Run() error {
	_, err := fmt.Println(versionLine())
	return err
}

func versionLine() string {
	return fmt.Sprintf("sessiondb %s (%s, %s/%s)", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func main() {
	// The first signal ends the context and so stops the server gracefully; a
	// second one finds the default handler again and kills the process.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)

	var line commandLine
	parsed := kong.Parse(&line,
		kong.Name("sessiondb"),
		kong.Description("Session views that stay right when late events bridge, on DuckDB, over the Postgres protocol."),
		kong.UsageOnError(),
		kong.Vars{"version": versionLine()},
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	parsed.FatalIfErrorf(parsed.Run())
}
