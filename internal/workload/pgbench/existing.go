package pgbench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plimsoll/internal/base/input"
	"plimsoll/internal/client/pgscript"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/database"
)

// derivedSchema returns the data that are meant if only a DSN and scripts are set: those of one's own scripts are one's
// own.
func derivedSchema(vals record.Params) string {
	if vals[database.ParamDSN] == "" {
		return schemaPgbench
	}
	sources, err := sourcesOf(vals[paramScript])
	// an error: the name of a file
	if err != nil || slices.ContainsFunc(sources, func(s source) bool { return !s.builtin }) {
		return schemaOwn
	}
	return schemaPgbench
}

// derivedScale returns the scale: of existing data 1, as pgbench has it for scripts of one's own.
func derivedScale(vals record.Params) string {
	if vals[paramSchema] == schemaOwn {
		return "1"
	}
	return "20"
}

// ownSchema reports whether the data are the user's own, which no scale describes.
func ownSchema(vals record.Params) bool { return vals[paramSchema] == schemaOwn }

// inlineInit replaces the name of a file by its text.
func inlineInit(value string) (string, error) {
	if value == "" || written(value) {
		return value, nil
	}
	text, err := input.ReadText(value, maxText)
	if err != nil {
		return "", fmt.Errorf("read %s: %w\nhint: a file's name stands for its text, read on the host that runs plimsoll",
			paramInit, err)
	}
	if !strings.Contains(string(text), ";") {
		return "", fmt.Errorf("%s: %s contains no SQL statement\nhint: each ends with a semicolon", paramInit, value)
	}
	return string(text), nil
}

// existingSet returns the user's own data.
func existingSet(p workload.Params) database.Set {
	return database.Set{
		Name: Name, Existing: true, Init: p.Text(paramInit),
		Compile: func(ctx context.Context, c *pgx.Conn) error { return compile(ctx, c, p.Text(paramScript)) },
	}
}

// The SQLSTATEs of a statement that refers to something which is not there (schema, column, function), or may not, or
// that is no SQL.
func missing() []string {
	return []string{undefinedTable, "3F000", "42703", "42883", insufficientPrivilege, syntaxError}
}

// missingHint returns the hint for such an error: the user's own statements could have made the object unless they ran.
func missingHint(code, init string) string {
	const right = "is it the right database? A DSN names it: postgres://USER@HOST/DATABASE"
	switch {
	case code == insufficientPrivilege:
		return "GRANT the role its privileges on the object and its schema"
	case code == syntaxError:
		return "the server's version may lack the syntax"
	case init != "":
		return right + "; the statements of --" + paramInit + " did not make it where the script looks, see search_path"
	}
	return right + "; --" + paramInit + " FILE.sql makes what is missing"
}

// The other SQLSTATEs with hints of their own.
const (
	insufficientPrivilege = "42501"
	syntaxError           = "42601"
)

// compile has the server compile the statements of scripts. Those that follow one that makes or chooses objects are
// left out: what they refer to is not there yet.
func compile(ctx context.Context, c *pgx.Conn, scripts string) error {
	sources, err := sourcesOf(scripts)
	if err != nil {
		return err
	}
	for _, s := range sources {
		program, err := pgscript.Parse([]pgscript.Source{s.Source}, false)
		if err != nil {
			return err
		}
		for _, statement := range program.Scripts[0].Statements {
			if slices.Contains([]string{"create", "set", "do", "alter", "declare", "prepare"}, statement.Word) {
				break
			}
			_, err := c.PgConn().Prepare(ctx, "", statement.Text, nil)
			var refused *pgconn.PgError
			if errors.As(err, &refused) && slices.Contains(missing(), refused.Code) {
				return fmt.Errorf("%s, line %d: %w\nhint: %s", statement.Script, statement.Line, err, missingHint(refused.Code, ""))
			}
			if err != nil && !errors.As(err, &refused) {
				return err
			}
		}
	}
	return nil
}
