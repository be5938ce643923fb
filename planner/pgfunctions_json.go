package planner

import (
	"slices"
	"strings"

	"github.com/sessiondb/sessiondb/catalog"
	"github.com/sessiondb/sessiondb/wire"
)

func jsonFunctions() []catalog.Function {
	return append(jsonTextFunctions(), jsonbOperators()...)
}

// jsonTextFunctions read and write json.
func jsonTextFunctions() []catalog.Function {
	const text = catalog.TypeVarchar
	texts := catalog.ListType(catalog.Simple(text))
	one := func(name string, f func(n *jsonNode) string) catalog.Function {
		return catalog.Function{
			Name: name, Params: types(text), Result: catalog.Simple(text),
			Call: func(a []any) (any, error) {
				n, err := parseJSON(arg[string](a, 0))
				if err != nil {
					return nil, err
				}
				return f(n), nil
			},
		}
	}
	return []catalog.Function{
		one("sessiondb_jsonb", func(n *jsonNode) string { return n.canonical().in(plainJSON()) }),
		one("sessiondb_json_build", func(n *jsonNode) string { return n.in(builtJSON()) }),
		one("sessiondb_json_object_agg", func(n *jsonNode) string {
			return n.in(jsonStyle{comma: ", ", colon: " : ", open: "{ ", close: " }", outer: true})
		}),
		one("sessiondb_json_strip_nulls", func(n *jsonNode) string {
			n.stripNulls()
			return n.in(compactJSON())
		}),
		one("sessiondb_jsonb_pretty", func(n *jsonNode) string {
			var b strings.Builder
			n.canonical().pretty(&b, "")
			return b.String()
		}),
		{
			Name: "sessiondb_json_agg", Params: types(text, catalog.TypeBoolean), Result: catalog.Simple(text),
			Call: func(a []any) (any, error) {
				n, err := parseJSON(arg[string](a, 0))
				if err != nil {
					return nil, err
				}
				comma := ", "
				if arg[bool](a, 1) { // rows and arrays stand on lines of their own
					comma = ", \n "
				}
				return n.in(jsonStyle{comma: comma, outer: true}), nil
			},
		},
		{
			Name: "sessiondb_json_path", Params: []catalog.Type{catalog.Simple(text), texts}, Result: catalog.Simple(text),
			Call: func(a []any) (any, error) { return jsonAt(arg[string](a, 0), arg[[]any](a, 1)) },
		},
		{
			Name: "sessiondb_json_object", Params: []catalog.Type{texts, texts}, Result: catalog.Simple(text),
			Call: func(a []any) (any, error) {
				n, err := objectOf(arg[[]any](a, 0), arg[[]any](a, 1))
				if err != nil {
					return nil, err
				}
				return n.in(builtJSON()), nil
			},
		},
	}
}

// jsonbOperators are what the operators of jsonb, and the functions that change
// a value, call.
func jsonbOperators() []catalog.Function {
	const text = catalog.TypeVarchar
	texts := catalog.ListType(catalog.Simple(text))
	return []catalog.Function{
		{
			Name: "sessiondb_jsonb_concat", Params: types(text, text), Result: catalog.Simple(text),
			Call: func(a []any) (any, error) {
				left, right, err := parsePair(arg[string](a, 0), arg[string](a, 1))
				if err != nil {
					return nil, err
				}
				return concatenateJSON(left, right).canonical().in(plainJSON()), nil
			},
		},
		{
			Name: "sessiondb_jsonb_contains", Params: types(text, text), Result: catalog.Simple(catalog.TypeBoolean),
			Call: func(a []any) (any, error) {
				left, right, err := parsePair(arg[string](a, 0), arg[string](a, 1))
				if err != nil {
					return nil, err
				}
				return left.containsTop(right), nil
			},
		},
		{
			Name: "sessiondb_jsonb_has", Params: []catalog.Type{catalog.Simple(text), texts, catalog.Simple(catalog.TypeBoolean)}, Result: catalog.Simple(catalog.TypeBoolean),
			Call: func(a []any) (any, error) {
				n, err := parseJSON(arg[string](a, 0))
				if err != nil {
					return nil, err
				}
				all := arg[bool](a, 2)
				for _, k := range arg[[]any](a, 1) {
					if key, given := k.(string); given && n.has(key) != all {
						return !all, nil
					}
				}
				return all, nil
			},
		},
		{
			Name: "sessiondb_jsonb_without", Params: []catalog.Type{catalog.Simple(text), texts}, Result: catalog.Simple(text),
			Call: func(a []any) (any, error) {
				n, err := parseJSON(arg[string](a, 0))
				if err != nil {
					return nil, err
				}
				keys, err := jsonPathSteps(arg[[]any](a, 1))
				if err != nil {
					return nil, err
				}
				if err := n.canonical().without(keys); err != nil {
					return nil, err
				}
				return n.in(plainJSON()), nil
			},
		},
		{
			Name: "sessiondb_jsonb_edit", Params: []catalog.Type{catalog.Simple(text), catalog.Simple(text), texts, catalog.Simple(text)}, Result: catalog.Simple(text),
			Call: func(a []any) (any, error) {
				return jsonEdited(arg[string](a, 0), arg[string](a, 1), arg[[]any](a, 2), arg[string](a, 3))
			},
		},
	}
}

func parsePair(a, b string) (left, right *jsonNode, err error) {
	if left, err = parseJSON(a); err != nil {
		return nil, nil, err
	}
	right, err = parseJSON(b)
	return left, right, err
}

// builtJSON is how json_build_object and the like write.
func builtJSON() jsonStyle {
	return jsonStyle{comma: ", ", colon: " : ", open: "{", close: "}", outer: true}
}

// jsonPathSteps are the steps of a path.
func jsonPathSteps(path []any) ([]string, error) {
	steps := make([]string, len(path))
	for i, p := range path {
		step, ok := p.(string)
		if !ok {
			return nil, wire.Errorf("22004", "path element at position %d is null", i+1)
		}
		steps[i] = step
	}
	return steps, nil
}

// jsonAt is what a path leads to, as it was written; NULL if nothing is there.
func jsonAt(text string, path []any) (any, error) {
	n, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	if slices.Contains(path, nil) {
		return nil, nil //nolint:nilnil // NULL
	}
	steps, err := jsonPathSteps(path)
	if err != nil {
		return nil, err
	}
	if n = n.at(steps); n == nil {
		return nil, nil //nolint:nilnil // NULL
	}
	return n.in(compactJSON()), nil
}

// jsonEdited is jsonb_set, jsonb_insert and #-, by the name of the edit.
func jsonEdited(name, text string, path []any, value string) (any, error) {
	n, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	v, err := parseJSON(value)
	if err != nil {
		return nil, err
	}
	steps, err := jsonPathSteps(path)
	if err != nil {
		return nil, err
	}
	if n.kind != '{' && n.kind != '[' {
		return nil, wire.Errorf("22023", "cannot set path in scalar")
	}
	edits := map[string]jsonEdit{"replace": jsonReplace, "set": jsonSet, "before": jsonInsertBefore, "after": jsonInsertAfter, "remove": jsonRemove}
	if err := n.canonical().edit(steps, edits[name], v.canonical()); err != nil {
		return nil, err
	}
	return n.canonical().in(plainJSON()), nil
}
