import { createCache } from '../../base/cache/bounded-cache.ts'
import { parseEmbedded, parseExpression } from './parse-expression.ts'
import type { Expression } from './syntax.ts'

const mark = 'expr:'

/** A text of a chain that is to be evaluated: one expression, or texts and expressions in turns. */
export type Template =
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'text'; readonly parts: readonly (string | Expression)[] }

export function isTemplate(text: string): boolean {
  return text.startsWith(mark)
}

/**
 * A declared memo. Chains have few and short ones; conditions that clients send may be all different, and take fifty times their
 * length when read. Nothing invalidates one: a text always means the same.
 */
const templates = createCache<string, Template>({ maxBytes: 25_000_000, sizeOf: (_, text) => 50 * text.length })

/** Reads a text with or without `expr:` before it. @throws expressionWrong */
export function parseTemplate(text: string): Template {
  const known = templates.get(text)
  if (known !== undefined) return known
  const template = readTemplate(isTemplate(text) ? text.slice(mark.length) : text)
  templates.set(text, template)
  return template
}

function readTemplate(text: string): Template {
  if (text.trim() === '') return { kind: 'text', parts: [] }
  if (!text.includes('@{')) return { kind: 'expression', expression: parseExpression(text) }
  return { kind: 'text', parts: partsIn(text) }
}

function partsIn(text: string): readonly (string | Expression)[] {
  const parts: (string | Expression)[] = []
  let from = 0
  for (let start = text.indexOf('@{'); start >= 0; start = text.indexOf('@{', from)) {
    if (start > from) parts.push(text.slice(from, start))
    const { expression, end } = parseEmbedded(text, start + 2)
    parts.push(expression)
    from = end + 1
  }
  return from < text.length ? [...parts, text.slice(from)] : parts
}
