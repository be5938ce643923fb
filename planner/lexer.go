package planner

import "strings"

// TokenKind says what a Token is.
type TokenKind uint8

// The kinds of tokens, after Postgres's lexical rules.
const (
	TokenSpace    TokenKind = iota // white space
	TokenComment                   // -- to the end of the line, or /* nested */
	TokenWord                      // unquoted identifier or keyword; Text is folded to lower case
	TokenQuoted                    // "quoted" or U&"quoted" identifier; Text is the name
	TokenString                    // 'string', E'', N'', U&'' or $tag$string$tag$; Text is its value
	TokenBits                      // B'' or X''; Text is b or x and the digits
	TokenParam                     // $1; Text is the digits
	TokenNumber                    // integer or decimal, as it stands
	TokenOperator                  // longest match of the operator characters
	TokenPunct                     // ( ) [ ] { } , ; . : :: := => and every byte that is nothing else
	TokenEnd                       // after the last token; never in Lex's result
)

// A Token is one lexical element: source[Start:End].
type Token struct {
	Kind       TokenKind
	Text       string // the value, as the kind says; the source text for the rest
	Start, End int    // byte offsets
}

// is reports whether the token is the unquoted word, given in lower case.
func (t Token) is(word string) bool { return t.Kind == TokenWord && t.Text == word }

// isPunct reports whether the token is the punctuation or operator s.
func (t Token) isPunct(s string) bool {
	return (t.Kind == TokenPunct || t.Kind == TokenOperator) && t.Text == s
}

// isIdent reports whether the token can be an identifier.
func (t Token) isIdent() bool { return t.Kind == TokenWord || t.Kind == TokenQuoted }

// Lex cuts sql into tokens that cover it without a gap. An error is what
// Postgres says of an unterminated string, comment or identifier, 42601 with
// its position.
func Lex(sql string) ([]Token, error) {
	l := lexer{src: sql}
	tokens := make([]Token, 0, len(sql)/3+4)
	for l.pos < len(sql) {
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, t)
	}
	return tokens, nil
}

// significant drops white space and comments, in place.
func significant(tokens []Token) []Token {
	out := tokens[:0]
	for _, t := range tokens {
		if t.Kind != TokenSpace && t.Kind != TokenComment {
			out = append(out, t)
		}
	}
	return out
}

// A lexer reads src from pos on.
type lexer struct {
	src string
	pos int
}

func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

// take makes a token of the text from start to end, where the lexer goes on.
func (l *lexer) take(kind TokenKind, end int) Token {
	t := Token{Kind: kind, Text: l.src[l.pos:end], Start: l.pos, End: end}
	l.pos = end
	return t
}

func (l *lexer) next() (Token, error) {
	c := l.src[l.pos]
	switch {
	case isSpace(c):
		return l.take(TokenSpace, l.run(l.pos, isSpace)), nil
	case c == '-' && l.at(l.pos+1) == '-':
		return l.take(TokenComment, l.lineEnd(l.pos)), nil
	case c == '/' && l.at(l.pos+1) == '*':
		return l.blockComment()
	case c == '\'':
		return l.quotedString(l.pos, plainString)
	case c == '"':
		return l.quotedIdent(l.pos, false)
	case c == '$':
		return l.dollar()
	case isDigit(c), c == '.' && isDigit(l.at(l.pos+1)):
		return l.number()
	case isIdentStart(c):
		return l.word()
	case isOperator(c):
		return l.operator(), nil
	}
	return l.punct(), nil
}

// run is the end of the bytes from i on for which f holds.
func (l *lexer) run(i int, f func(byte) bool) int {
	for i < len(l.src) && f(l.src[i]) {
		i++
	}
	return i
}

func (l *lexer) lineEnd(i int) int {
	if n := strings.IndexAny(l.src[i:], "\r\n"); n >= 0 {
		return i + n
	}
	return len(l.src)
}

func (l *lexer) blockComment() (Token, error) {
	depth, i := 0, l.pos
	for i < len(l.src) {
		switch {
		case l.src[i] == '/' && l.at(i+1) == '*':
			depth, i = depth+1, i+2
		case l.src[i] == '*' && l.at(i+1) == '/':
			depth, i = depth-1, i+2
			if depth == 0 {
				return l.take(TokenComment, i), nil
			}
		default:
			i++
		}
	}
	return Token{}, l.unterminated("unterminated /* comment")
}

// unterminated is the error about the token that starts at the lexer's place.
func (l *lexer) unterminated(what string) error {
	return errorAt(l.src, l.pos, codeSyntax, "%s at or near \"%s\"", what, l.src[l.pos:])
}

// word reads an identifier or keyword, or the literal that its one letter
// introduces.
func (l *lexer) word() (Token, error) {
	if quote := l.at(l.pos + 1); quote == '\'' {
		switch l.src[l.pos] {
		case 'e', 'E':
			return l.quotedString(l.pos+1, escapeString)
		case 'n', 'N':
			return l.quotedString(l.pos+1, plainString)
		case 'b', 'B', 'x', 'X':
			return l.bitString()
		}
	}
	if c := l.src[l.pos]; (c == 'u' || c == 'U') && l.at(l.pos+1) == '&' {
		switch l.at(l.pos + 2) {
		case '\'':
			return l.quotedString(l.pos+2, unicodeString)
		case '"':
			return l.quotedIdent(l.pos+2, true)
		}
	}
	t := l.take(TokenWord, l.run(l.pos, isIdentPart))
	t.Text = foldCase(t.Text)
	return t, nil
}

// foldCase lowers ASCII letters, as Postgres folds unquoted names in UTF-8.
func foldCase(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; 'A' <= c && c <= 'Z' {
			return foldFrom(s, i)
		}
	}
	return s
}

func foldFrom(s string, from int) string {
	b := []byte(s)
	for i := from; i < len(b); i++ {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// number reads 1, 1_000, 0x1F, 0o17, 0b11, 1.5, .5, 5. and 1e-5.
func (l *lexer) number() (Token, error) {
	end := l.numberEnd(l.pos)
	if isIdentStart(l.at(end)) {
		return Token{}, l.junk("numeric literal", end)
	}
	return l.take(TokenNumber, end), nil
}

func (l *lexer) numberEnd(i int) int {
	if l.src[i] == '0' {
		if end, ok := l.radix(i); ok {
			return end
		}
	}
	i = l.run(i, isDigitOrUnderscore)
	if l.at(i) == '.' && l.at(i+1) != '.' {
		i = l.run(i+1, isDigitOrUnderscore)
	}
	return l.exponent(i)
}

// junk is the error about letters that follow a number, which goes on to end,
// without a blank between.
func (l *lexer) junk(what string, end int) error {
	return errorAt(l.src, l.pos, codeSyntax, "trailing junk after %s at or near \"%s\"", what, l.src[l.pos:l.run(end, isIdentPart)])
}

func (l *lexer) radix(i int) (end int, ok bool) {
	var digit func(byte) bool
	switch l.at(i + 1) {
	case 'x', 'X':
		digit = isHexDigit
	case 'o', 'O', 'b', 'B':
		digit = isDigitOrUnderscore
	default:
		return 0, false
	}
	end = l.run(i+2, digit)
	return end, end > i+2
}

// exponent is the end of the exponent that may start at i.
func (l *lexer) exponent(i int) int {
	if c := l.at(i); c != 'e' && c != 'E' {
		return i
	}
	j := i + 1
	if c := l.at(j); c == '+' || c == '-' {
		j++
	}
	if !isDigit(l.at(j)) {
		return i
	}
	return l.run(j, isDigitOrUnderscore)
}

// operator reads by Postgres's rule: the longest run of operator characters
// that starts no comment, less trailing signs unless a character that no SQL
// operator has stands in it.
func (l *lexer) operator() Token {
	end := l.run(l.pos, isOperator)
	for i := l.pos + 1; i+1 < end; i++ {
		if two := l.src[i : i+2]; two == "--" || two == "/*" {
			end = i
			break
		}
	}
	if !strings.ContainsAny(l.src[l.pos:end], "~!@#^&|`?%") {
		for end > l.pos+1 && (l.src[end-1] == '+' || l.src[end-1] == '-') {
			end--
		}
	}
	if l.src[l.pos:end] == "=>" {
		return l.take(TokenPunct, end)
	}
	return l.take(TokenOperator, end)
}

func (l *lexer) punct() Token {
	if l.src[l.pos] == ':' {
		if c := l.at(l.pos + 1); c == ':' || c == '=' {
			return l.take(TokenPunct, l.pos+2)
		}
	}
	return l.take(TokenPunct, l.pos+1)
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isDigitOrUnderscore(c byte) bool { return isDigit(c) || c == '_' }

func isHexDigit(c byte) bool {
	return isDigitOrUnderscore(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func isIdentStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}

func isIdentPart(c byte) bool { return isIdentStart(c) || isDigit(c) || c == '$' }

func isOperator(c byte) bool { return strings.IndexByte("~!@#^&|`?+-*/%<>=", c) >= 0 }
