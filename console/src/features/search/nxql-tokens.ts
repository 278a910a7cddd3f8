export type TokenKind = 'word' | 'text' | 'number' | 'sign' | 'blank'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly start: number
}

const patterns: readonly (readonly [TokenKind, RegExp])[] = [
  ['blank', /\s+/y],
  // To its end, or to that of the query while it is being typed.
  ['text', /'(?:[^'\\]|\\.)*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$)/y],
  ['number', /-?\d+(?:\.\d+)?/y],
  ['word', /[A-Za-z_][\w:/*.-]*/y],
  ['sign', /<=|>=|!=|<>|[\s\S]/y],
]

/** The parts of a query, whether or not it makes sense: nothing is left out, so that they join to it again. */
export function tokensOf(query: string): readonly Token[] {
  const tokens: Token[] = []
  let start = 0
  while (start < query.length) {
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = start
      const [text] = pattern.exec(query) ?? []
      if (text === undefined) continue
      tokens.push({ kind, text, start })
      start += text.length
      break
    }
  }
  return tokens
}

/** What stands in quotes. */
export function unquoted(text: string): string {
  const inner = text.slice(1, text.length > 1 && text.endsWith(text.charAt(0)) ? -1 : undefined)
  return inner.replaceAll(/\\(.)/g, '$1')
}
