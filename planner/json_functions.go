package planner

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/sessiondb/sessiondb/wire"
)

// jsonNode is a JSON value as it was written: members keep their order, and
// numbers and strings their text.
type jsonNode struct {
	kind  byte   // { [ " 0 (a number) t f n
	text  string // of what has no parts
	keys  []string
	items []*jsonNode
}

// parseJSON reads a JSON text.
func parseJSON(text string) (*jsonNode, error) {
	bad := func() error { return wire.Errorf("22P02", "invalid input syntax for type json") }
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	node, err := readJSON(d)
	if err != nil {
		return nil, bad()
	}
	if _, err := d.Token(); err == nil {
		return nil, bad()
	}
	return node, nil
}

func readJSON(d *json.Decoder) (*jsonNode, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := t.(json.Delim)
	if !ok {
		return scalarJSON(t), nil
	}
	n := &jsonNode{kind: byte(delim)}
	for d.More() {
		if n.kind == '{' {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			name, _ := key.(string)
			n.keys = append(n.keys, name)
		}
		item, err := readJSON(d)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
	}
	_, err = d.Token()
	return n, err
}

func scalarJSON(t json.Token) *jsonNode {
	switch v := t.(type) {
	case json.Number:
		return &jsonNode{kind: '0', text: v.String()}
	case string:
		return &jsonNode{kind: '"', text: quoteJSON(v)}
	case bool:
		text := strconv.FormatBool(v)
		return &jsonNode{kind: text[0], text: text}
	default:
		return &jsonNode{kind: 'n', text: "null"}
	}
}

// quoteJSON writes a string of JSON.
func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// A jsonStyle says how the parts of JSON are set apart.
type jsonStyle struct {
	comma, colon, open, close string
	// outer says that what is below the value itself is compact.
	outer bool
}

// compactJSON is how json functions write, plainJSON how jsonb is printed.
func compactJSON() jsonStyle { return jsonStyle{comma: ",", colon: ":", open: "{", close: "}"} }
func plainJSON() jsonStyle   { return jsonStyle{comma: ", ", colon: ": ", open: "{", close: "}"} }

// write appends the node.
func (n *jsonNode) write(b *strings.Builder, style jsonStyle) {
	below := style
	if style.outer {
		below = compactJSON()
	}
	switch n.kind {
	case '{':
		b.WriteString(style.open)
		for i, item := range n.items {
			if i > 0 {
				b.WriteString(style.comma)
			}
			b.WriteString(quoteJSON(n.keys[i]) + style.colon)
			item.write(b, below)
		}
		b.WriteString(style.close)
	case '[':
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteString(style.comma)
			}
			item.write(b, below)
		}
		b.WriteByte(']')
	default:
		b.WriteString(n.text)
	}
}

func (n *jsonNode) in(style jsonStyle) string {
	var b strings.Builder
	n.write(&b, style)
	return b.String()
}

// canonical brings the node into the form of jsonb: of equal keys the last one
// stands, and shorter keys come first.
func (n *jsonNode) canonical() *jsonNode {
	for _, item := range n.items {
		item.canonical()
	}
	if n.kind != '{' {
		return n
	}
	last := map[string]*jsonNode{}
	for i, k := range n.keys {
		last[k] = n.items[i]
	}
	n.keys, n.items = n.keys[:0], n.items[:0]
	for k := range last {
		n.keys = append(n.keys, k)
	}
	slices.SortFunc(n.keys, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	for _, k := range n.keys {
		n.items = append(n.items, last[k])
	}
	return n
}

// pretty is jsonb_pretty().
func (n *jsonNode) pretty(b *strings.Builder, indent string) {
	if n.kind != '{' && n.kind != '[' {
		b.WriteString(n.text)
		return
	}
	b.WriteByte(n.kind)
	for i, item := range n.items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + indent + "    ")
		if n.kind == '{' {
			b.WriteString(quoteJSON(n.keys[i]) + ": ")
		}
		item.pretty(b, indent+"    ")
	}
	b.WriteString("\n" + indent)
	b.WriteByte(n.kind + 2) // the closing one
}

// stripNulls takes out the members that are null.
func (n *jsonNode) stripNulls() {
	keys, items := n.keys[:0], n.items[:0]
	for i, item := range n.items {
		item.stripNulls()
		if n.kind == '{' && item.kind == 'n' {
			continue
		}
		if items = append(items, item); n.kind == '{' {
			keys = append(keys, n.keys[i])
		}
	}
	n.keys, n.items = keys, items
}

// find is the place of a step of a path: the name of a member, or the number of
// an element, from the end if it is negative; -1 if there is none.
func (n *jsonNode) find(step string) int {
	switch n.kind {
	case '{':
		for i, k := range slices.Backward(n.keys) {
			if k == step {
				return i
			}
		}
	case '[':
		if i, err := strconv.Atoi(step); err == nil {
			if i < 0 {
				i += len(n.items)
			}
			if i >= 0 && i < len(n.items) {
				return i
			}
		}
	}
	return -1
}

// at is what a path leads to; nil if nothing is there.
func (n *jsonNode) at(path []string) *jsonNode {
	for _, step := range path {
		i := n.find(step)
		if i < 0 {
			return nil
		}
		n = n.items[i]
	}
	return n
}

// jsonEdit says what is done at the end of a path.
type jsonEdit uint8

const (
	jsonReplace      jsonEdit = iota // what is there
	jsonSet                          // what is there, or add it
	jsonInsertBefore                 // an element, or add a member
	jsonInsertAfter
	jsonRemove
)

// edit changes what a path leads to.
func (n *jsonNode) edit(path []string, do jsonEdit, value *jsonNode) error {
	if len(path) == 0 || n.kind != '{' && n.kind != '[' {
		return nil
	}
	if n.kind == '[' {
		if _, err := strconv.Atoi(path[0]); err != nil {
			return wire.Errorf("22P02", `path element at position 1 is not an integer: "%s"`, path[0])
		}
	}
	i := n.find(path[0])
	if len(path) > 1 {
		if i < 0 {
			return nil
		}
		return n.items[i].edit(path[1:], do, value)
	}
	switch {
	case i < 0:
		n.add(path[0], do, value)
	case do == jsonRemove:
		n.items = slices.Delete(n.items, i, i+1)
		if n.kind == '{' {
			n.keys = slices.Delete(n.keys, i, i+1)
		}
	case do == jsonReplace || do == jsonSet:
		n.items[i] = value
	case n.kind == '{':
		return wire.Errorf("22023", "cannot replace existing key").
			WithHint("Try using the function jsonb_set to replace key value.")
	default:
		n.items = slices.Insert(n.items, i+boolInt(do == jsonInsertAfter), value)
	}
	return nil
}

// add adds what is not there: a member, or an element at the nearer end.
func (n *jsonNode) add(step string, do jsonEdit, value *jsonNode) {
	switch {
	case do == jsonReplace || do == jsonRemove:
	case n.kind == '{':
		n.keys, n.items = append(n.keys, step), append(n.items, value)
	case strings.HasPrefix(step, "-"):
		n.items = slices.Insert(n.items, 0, value)
	default:
		n.items = append(n.items, value)
	}
}

// concatenateJSON is jsonb || jsonb.
func concatenateJSON(a, b *jsonNode) *jsonNode {
	if a.kind == '{' && b.kind == '{' {
		return &jsonNode{kind: '{', keys: append(a.keys, b.keys...), items: append(a.items, b.items...)}
	}
	out := &jsonNode{kind: '['}
	for _, n := range []*jsonNode{a, b} {
		if n.kind == '[' {
			out.items = append(out.items, n.items...)
		} else {
			out.items = append(out.items, n)
		}
	}
	return out
}

// objectOf makes an object of keys and values.
func objectOf(keys, values []any) (*jsonNode, error) {
	if len(keys) != len(values) {
		return nil, wire.Errorf("2202E", "mismatched array dimensions")
	}
	out := &jsonNode{kind: '{'}
	for i, k := range keys {
		key, ok := k.(string)
		if !ok {
			return nil, wire.Errorf("22004", "null value not allowed for object key")
		}
		value := &jsonNode{kind: 'n', text: "null"}
		if text, ok := values[i].(string); ok {
			value = &jsonNode{kind: '"', text: quoteJSON(text)}
		}
		out.keys, out.items = append(out.keys, key), append(out.items, value)
	}
	return out, nil
}

// contains is jsonb @> jsonb: every part of b is in n, at its place in an
// object, and at any place in an array.
func (n *jsonNode) contains(b *jsonNode) bool {
	if n.kind != b.kind {
		return false
	}
	switch n.kind {
	case '{':
		for i, k := range b.keys {
			if at := n.find(k); at < 0 || !n.items[at].contains(b.items[i]) {
				return false
			}
		}
		return true
	case '[':
		for _, item := range b.items {
			if !slices.ContainsFunc(n.items, func(own *jsonNode) bool { return own.contains(item) }) {
				return false
			}
		}
		return true
	case '0':
		x, okX := new(big.Rat).SetString(n.text)
		y, okY := new(big.Rat).SetString(b.text)
		return okX && okY && x.Cmp(y) == 0
	default:
		return n.text == b.text
	}
}

// containsTop is contains for whole values, where an array contains what is one
// of its elements.
func (n *jsonNode) containsTop(b *jsonNode) bool {
	if n.kind == '[' && b.kind != '[' && b.kind != '{' {
		b = &jsonNode{kind: '[', items: []*jsonNode{b}}
	}
	return n.contains(b)
}

// has is jsonb ? text: the name of a member, or an element of an array.
func (n *jsonNode) has(key string) bool {
	if n.kind == '{' {
		return n.find(key) >= 0
	}
	quoted := quoteJSON(key)
	if n.kind == '[' {
		return slices.ContainsFunc(n.items, func(item *jsonNode) bool { return item.text == quoted })
	}
	return n.text == quoted
}

// without is jsonb - text[]: without the members of these names, or the
// elements.
func (n *jsonNode) without(keys []string) error {
	if n.kind != '{' && n.kind != '[' {
		return wire.Errorf("22023", "cannot delete from scalar")
	}
	names, items := n.keys[:0], n.items[:0]
	for i, item := range n.items {
		gone := slices.ContainsFunc(keys, func(k string) bool {
			return n.kind == '{' && n.keys[i] == k || n.kind == '[' && item.text == quoteJSON(k)
		})
		if gone {
			continue
		}
		if items = append(items, item); n.kind == '{' {
			names = append(names, n.keys[i])
		}
	}
	n.keys, n.items = names, items
	return nil
}
