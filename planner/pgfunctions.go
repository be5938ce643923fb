package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

// registerFunctions makes the functions known to DuckDB that the macros of
// pgcatalog call: what Postgres computes and SQL over DuckDB's functions cannot
// say. Lists are returned as JSON, which the macros read.
func registerFunctions(ctx context.Context, db *catalog.DB) error {
	var list []catalog.Function
	list = append(list, formatFunctions()...)
	list = append(list, intervalFunctions()...)
	list = append(list, regexpFunctions(&regexpCache{compiled: map[[2]string]*pgRegexp{}})...)
	list = append(list, jsonFunctions()...)
	list = append(list, byteFunctions()...)
	for i := range list {
		call := list[i].Call
		list[i].Call = func(args []any) (any, error) {
			v, err := call(args)
			return v, withState(err)
		}
	}
	return db.Register(ctx, list)
}

// withState writes the SQLSTATE of an error in front of its text.
func withState(err error) error {
	var e *wire.Error
	if !errors.As(err, &e) {
		return err
	}
	return fmt.Errorf("[%s] %s", e.Code, e.Message)
}

// types are parameters of types without parameters.
func types(ids ...catalog.TypeID) []catalog.Type {
	list := make([]catalog.Type, len(ids))
	for i, id := range ids {
		list[i] = catalog.Simple(id)
	}
	return list
}

// arg is an argument, or the zero value for NULL.
func arg[T any](args []any, i int) T {
	v, _ := args[i].(T)
	return v
}

func formatFunctions() []catalog.Function {
	const text, whole = catalog.TypeVarchar, catalog.TypeBigInt
	texts := catalog.ListType(catalog.Simple(text))
	return []catalog.Function{
		{
			Name: "sessiondb_number_text", Params: types(text, text, whole), Result: catalog.Simple(text),
			Call: func(a []any) (any, error) {
				return formatNumber(arg[string](a, 0), arg[string](a, 1), int(arg[int64](a, 2)))
			},
		},
		{
			Name: "sessiondb_time_text", Params: types(whole, whole, text, text), Result: catalog.Simple(text),
			Call: func(a []any) (any, error) {
				f := fieldsOfTime(arg[int64](a, 0))
				f.offset = int(arg[int64](a, 1))
				template := arg[string](a, 3)
				if strings.Contains(strings.ToUpper(template), "TZ") {
					f.zone = zoneAbbreviation(arg[string](a, 2), arg[int64](a, 0)-arg[int64](a, 1)*microsOfSecond)
				}
				return f.format(template)
			},
		},
		{
			Name: "sessiondb_interval_text", Params: types(catalog.TypeInterval, text), Result: catalog.Simple(text),
			Call: func(a []any) (any, error) {
				return fieldsOfInterval(wire.Interval(arg[catalog.Interval](a, 0))).format(arg[string](a, 1))
			},
		},
		{
			Name: "sessiondb_to_number", Params: types(text, text), Result: catalog.Simple(text),
			Call: func(a []any) (any, error) { return parseNumber(arg[string](a, 0), arg[string](a, 1)) },
		},
		{
			Name: "sessiondb_to_time", Params: types(text, text), Result: catalog.Simple(whole),
			Call: func(a []any) (any, error) {
				micros, _, err := parseTime(arg[string](a, 0), arg[string](a, 1))
				return micros, err
			},
		},
		{
			Name: "sessiondb_time_zoned", Params: types(text, text), Result: catalog.Simple(catalog.TypeBoolean),
			Call: func(a []any) (any, error) {
				_, zoned, err := parseTime(arg[string](a, 0), arg[string](a, 1))
				return zoned, err
			},
		},
		{
			Name: "sessiondb_format", Params: []catalog.Type{catalog.Simple(text), texts}, Result: catalog.Simple(text),
			Call: func(a []any) (any, error) { return formatText(arg[string](a, 0), arg[[]any](a, 1)) },
		},
		{
			Name: "sessiondb_parse_ident", Params: types(text, catalog.TypeBoolean), Result: catalog.Simple(text),
			Call: func(a []any) (any, error) {
				return listJSON(parseIdentifier(arg[string](a, 0), arg[bool](a, 1)))
			},
		},
	}
}

// listJSON is a list as JSON; NULL if it is nil.
func listJSON(list []any, err error) (any, error) {
	if err != nil || list == nil {
		return nil, err
	}
	text, err := json.Marshal(list)
	return string(text), err
}

func intervalFunctions() []catalog.Function {
	const interval = catalog.TypeInterval
	plain := func(name string, f func(catalog.Interval) catalog.Interval) catalog.Function {
		return catalog.Function{
			Name: name, Params: types(interval), Result: catalog.Simple(interval),
			Call: func(a []any) (any, error) { return f(arg[catalog.Interval](a, 0)), nil },
		}
	}
	scaled := func(name string, f func(catalog.Interval, float64) (catalog.Interval, error)) catalog.Function {
		return catalog.Function{
			Name: name, Params: types(interval, catalog.TypeDouble), Result: catalog.Simple(interval),
			Call: func(a []any) (any, error) { return f(arg[catalog.Interval](a, 0), arg[float64](a, 1)) },
		}
	}
	return []catalog.Function{
		plain("sessiondb_justify_days", justifyDays),
		plain("sessiondb_justify_hours", justifyHours),
		plain("sessiondb_justify_interval", justifyInterval),
		scaled("sessiondb_interval_times", scaleInterval),
		scaled("sessiondb_interval_divided", divideInterval),
	}
}

// maxRegexps bounds the patterns that are kept compiled.
const maxRegexps = 256

// A regexpCache keeps compiled patterns by their text and options.
type regexpCache struct {
	mu       sync.Mutex
	compiled map[[2]string]*pgRegexp
}

func (c *regexpCache) get(pattern, options string) (*pgRegexp, error) {
	key := [2]string{pattern, options}
	c.mu.Lock()
	defer c.mu.Unlock()
	if re := c.compiled[key]; re != nil {
		return re, nil
	}
	re, err := compileRegexp(pattern, options)
	if err != nil {
		return nil, err
	}
	if len(c.compiled) >= maxRegexps {
		clear(c.compiled)
	}
	c.compiled[key] = re
	return re, nil
}

func regexpFunctions(cache *regexpCache) []catalog.Function {
	const text, whole = catalog.TypeVarchar, catalog.TypeBigInt
	// Every function's first two arguments are the text and the pattern, and
	// its last one the options.
	with := func(name string, result catalog.TypeID, more []catalog.TypeID, f func(re *pgRegexp, s string, a []any) (any, error)) catalog.Function {
		params := append(append([]catalog.TypeID{text, text}, more...), text)
		return catalog.Function{
			Name: name, Params: types(params...), Result: catalog.Simple(result),
			Call: func(a []any) (any, error) {
				re, err := cache.get(arg[string](a, 1), arg[string](a, len(a)-1))
				if err != nil {
					return nil, err
				}
				return f(re, arg[string](a, 0), a[2:])
			},
		}
	}
	numbers := []catalog.TypeID{whole, whole, whole}
	return []catalog.Function{
		with("sessiondb_regexp_matches", text, nil, func(re *pgRegexp, s string, _ []any) (any, error) { return listJSON(re.matches(s), nil) }),
		with("sessiondb_regexp_split", text, nil, func(re *pgRegexp, s string, _ []any) (any, error) { return listJSON(re.split(s), nil) }),
		with("sessiondb_regexp_count", whole, numbers[:1], func(re *pgRegexp, s string, a []any) (any, error) {
			part, _, err := fromCharacter(s, arg[int64](a, 0))
			return int64(len(re.re.FindAllStringIndex(part, -1))), err
		}),
		with("sessiondb_regexp_substr", text, numbers, func(re *pgRegexp, s string, a []any) (any, error) {
			m, err := re.nth(s, arg[int64](a, 0), arg[int64](a, 1), arg[int64](a, 2))
			if err != nil || m == nil {
				return nil, err
			}
			return s[m[0]:m[1]], nil
		}),
		with("sessiondb_regexp_instr", whole, append(numbers, whole), func(re *pgRegexp, s string, a []any) (any, error) {
			m, err := re.nth(s, arg[int64](a, 0), arg[int64](a, 1), arg[int64](a, 3))
			if err != nil || m == nil {
				return int64(0), err
			}
			end := arg[int64](a, 2)
			if end != 0 && end != 1 {
				return nil, wire.Errorf("22023", `invalid value for parameter "endoption": %d`, end)
			}
			return int64(len([]rune(s[:m[end]]))) + 1, nil
		}),
		with("sessiondb_regexp_replace", text, []catalog.TypeID{text, whole, whole}, func(re *pgRegexp, s string, a []any) (any, error) {
			return re.replace(s, arg[string](a, 0), arg[int64](a, 1), arg[int64](a, 2))
		}),
		{
			Name: "sessiondb_similar_part", Params: types(text, text, text), Result: catalog.Simple(text),
			Call: func(a []any) (any, error) {
				return similarPart(arg[string](a, 0), arg[string](a, 1), arg[string](a, 2))
			},
		},
	}
}
