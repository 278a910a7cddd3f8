import { parseEmbedded } from '../../automation/expressions/parse-expression.ts'
import { defineProblem } from '../../base/problem.ts'

export const wrongTextTemplate = defineProblem(
  'wrongTextTemplate',
  'invalid',
  (of: { line: number; what: string }) => `The template is wrong in line ${of.line}: ${of.what}.`,
)

/** A piece of a template. Expressions are those of chains, as they are written. */
export type TemplatePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly expression: string }
  | { readonly kind: 'list'; readonly expression: string; readonly item: string; readonly pieces: readonly TemplatePiece[] }
  | { readonly kind: 'choice'; readonly branches: readonly TemplateBranch[] }

/** Taken by the first whose condition holds; one without a condition always is. */
export interface TemplateBranch {
  readonly condition: string | undefined
  readonly pieces: readonly TemplatePiece[]
}

export const templateLanguages = ['ftl', 'mvel'] as const
/** In `office`, tags of `ftl` may stand in square brackets as well: whoever types `<` in an office program may get something else. */
export type TemplateLanguage = (typeof templateLanguages)[number] | 'office'

/** What stands between texts, whichever language it is written in. */
export type TemplateMark =
  | { readonly kind: 'value' | 'if' | 'elseif'; readonly expression: string }
  | { readonly kind: 'list'; readonly expression: string; readonly item: string }
  | { readonly kind: 'else' | 'remark' }
  /** Of whatever was begun last, or of that alone. */
  | { readonly kind: 'end'; readonly of?: 'list' | 'branch' }

export interface FoundMark {
  readonly mark: TemplateMark
  readonly start: number
  readonly end: number
}

// Of what expressions may be, and of levels that anybody writes.
const [longestExpression, deepest] = [20_000, 50]

/**
 * Reads a template. In `ftl`: `${…}`, `<#if …>`, `<#elseif …>`, `<#else>`, `</#if>`, `<#list … as x>`, `</#list>` and `<#-- … -->`; in
 * `mvel`: `@{…}`, `@if{…}`, `@else{}`, `@else{…}`, `@foreach{x : …}`, `@end{}` and `@comment{…}`. Nothing in it runs but expressions.
 * @throws wrongTextTemplate, expressionWrong
 */
export function parseTextTemplate(source: string, language: TemplateLanguage): readonly TemplatePiece[] {
  const wrong = (at: number, what: string) => wrongTextTemplate({ line: source.slice(0, at).split('\n').length, what })
  return assemblePieces(partsOf(source, language, wrong), (what) => wrong(source.length, what))
}

/** What a template is made of, in its order, before lists and conditions have their content inside. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mark'; readonly mark: TemplateMark; wrong(what: string): Error }

function* partsOf(source: string, language: TemplateLanguage, wrong: Wrong): Generator<TemplatePart> {
  let from = 0
  for (const { mark, start, end } of marksIn(source, language, wrong)) {
    if (start > from) yield { kind: 'text', text: source.slice(from, start) }
    yield { kind: 'mark', mark, wrong: (what) => wrong(start, what) }
    from = end
  }
  if (from < source.length) yield { kind: 'text', text: source.slice(from) }
}

/** @throws expressionWrong, and what `wrong` makes of a mistake and its place */
export function* marksIn(source: string, language: TemplateLanguage, wrong: Wrong): Generator<FoundMark> {
  let found = findMark(source, 0, language, wrong)
  while (found !== undefined) {
    yield found
    found = findMark(source, found.end, language, wrong)
  }
}

/** Puts what stands between the beginning and the end of a list or a condition inside of it. `unended` tells what has no end. */
export function assemblePieces(parts: Iterable<TemplatePart>, unended: (what: string) => Error): readonly TemplatePiece[] {
  const open: OpenPiece[] = [{ kind: 'whole', pieces: [] }]
  const add = (piece: TemplatePiece) => void open.at(-1)?.pieces.push(piece)
  for (const part of parts) {
    if (part.kind === 'text') {
      add(part)
      continue
    }
    if (open.length > deepest) throw part.wrong(`it has more than ${deepest} levels`)
    takeMark(part.mark, open, add, (what) => part.wrong(what))
  }
  if (open.length > 1) throw unended(`a ${open.at(-1)?.kind === 'list' ? 'list' : 'condition'} has no end`)
  return open[0]?.pieces ?? []
}

type OpenPiece =
  | { readonly kind: 'whole'; readonly pieces: TemplatePiece[] }
  | { readonly kind: 'list'; readonly pieces: TemplatePiece[]; readonly expression: string; readonly item: string }
  | {
      readonly kind: 'branch'
      readonly pieces: TemplatePiece[]
      readonly condition: string | undefined
      readonly before: readonly TemplateBranch[]
    }

function takeMark(
  mark: TemplateMark,
  open: OpenPiece[],
  add: (piece: TemplatePiece) => void,
  wrong: (what: string) => Error,
): void {
  switch (mark.kind) {
    case 'remark':
      break
    case 'value':
      add({ kind: 'value', expression: mark.expression })
      break
    case 'if':
      open.push({ kind: 'branch', pieces: [], condition: mark.expression, before: [] })
      break
    case 'list':
      open.push({ kind: 'list', pieces: [], expression: mark.expression, item: mark.item })
      break
    case 'elseif':
    case 'else':
      open.push(nextBranch(open.pop(), mark.kind === 'elseif' ? mark.expression : undefined, wrong))
      break
    case 'end':
      add(endedPiece(open.pop(), mark.of, wrong))
  }
}

function nextBranch(branch: OpenPiece | undefined, condition: string | undefined, wrong: (what: string) => Error): OpenPiece {
  if (branch?.kind !== 'branch' || branch.condition === undefined) throw wrong('there is no condition that this is the else of')
  const before = [...branch.before, { condition: branch.condition, pieces: branch.pieces }]
  return { kind: 'branch', pieces: [], condition, before }
}

function endedPiece(
  ended: OpenPiece | undefined,
  of: 'list' | 'branch' | undefined,
  wrong: (what: string) => Error,
): TemplatePiece {
  if (ended === undefined || ended.kind === 'whole' || (of ?? ended.kind) !== ended.kind)
    throw wrong('this ends nothing that was begun')
  if (ended.kind === 'list') return ended
  return { kind: 'choice', branches: [...ended.before, { condition: ended.condition, pieces: ended.pieces }] }
}

/** Makes an error of a place in the source and what is wrong there. */
type Wrong = (at: number, what: string) => Error

const openings = {
  ftl: /\$\{|<#--|<#(?:if|elseif|list)\s|<#else\s*\/?>|<\/#(?:if|list)>/g,
  mvel: /@\{|@(?:if|else|foreach|end|comment)\{/g,
  office: /\$\{|[<[]#--|[<[]#(?:if|elseif|list)\s|[<[]#else\s*\/?[>\]]|[<[]\/#(?:if|list)[>\]]/g,
} as const satisfies Record<TemplateLanguage, RegExp>

function findMark(source: string, from: number, language: TemplateLanguage, wrong: Wrong): FoundMark | undefined {
  const pattern = new RegExp(openings[language])
  pattern.lastIndex = from
  const found = pattern.exec(source)
  if (found === null) return undefined
  const [opening] = found
  const start = found.index
  const inner = start + opening.length
  return { start, ...(language === 'mvel' ? mvelMark : ftlMark)(source, opening, inner, (what) => wrong(start, what)) }
}

type ReadMark = Pick<FoundMark, 'mark' | 'end'>

function ftlMark(source: string, opening: string, inner: number, wrong: (what: string) => Error): ReadMark {
  if (opening === '${') return valueMark(source, inner)
  const close = opening.startsWith('[') ? ']' : '>'
  const tag = opening.slice(1)
  if (tag === '#--') {
    const end = source.indexOf(`--${close}`, inner)
    if (end === -1) throw wrong('a remark has no end')
    return { mark: { kind: 'remark' }, end: end + 3 }
  }
  if (/^#else[\s/>\]]/.test(tag)) return { mark: { kind: 'else' }, end: inner }
  if (tag.startsWith('/#')) return { mark: { kind: 'end', of: tag.startsWith('/#list') ? 'list' : 'branch' }, end: inner }
  const end = tagEnd(source, inner, close)
  if (end === undefined) throw wrong(`${opening.trim()} has no ${close}`)
  const written = source.slice(inner, end).trim()
  if (!tag.startsWith('#list')) {
    return { mark: { kind: tag.startsWith('#elseif') ? 'elseif' : 'if', expression: written }, end: end + 1 }
  }
  const [, expression = '', item = ''] = /^(.+)\sas\s+([A-Za-z_]\w*)$/s.exec(written) ?? []
  if (item === '') throw wrong('write <#list … as x>')
  return { mark: { kind: 'list', expression: expression.trim(), item }, end: end + 1 }
}

/** Where a tag ends: behind what stands in quotes and brackets. */
function tagEnd(source: string, from: number, close: string): number | undefined {
  let depth = 0
  let quote = ''
  for (let at = from; at < Math.min(source.length, from + longestExpression); at += 1) {
    const character = source.charAt(at)
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if ('(['.includes(character)) depth += 1
    else if (character === close && depth <= 0) return at
    else if (')]'.includes(character)) depth -= 1
  }
  return undefined
}

function mvelMark(source: string, opening: string, inner: number, wrong: (what: string) => Error): ReadMark {
  const closing = source.indexOf('}', inner)
  if (closing === -1) throw wrong(`${opening} has no }`)
  switch (opening) {
    case '@{':
      return valueMark(source, inner)
    case '@comment{':
      return { mark: { kind: 'remark' }, end: closing + 1 }
    case '@end{':
      return { mark: { kind: 'end' }, end: closing + 1 }
    case '@if{':
      return conditionMark(source, inner, 'if')
    case '@else{':
      if (source.slice(inner, closing).trim() === '') return { mark: { kind: 'else' }, end: closing + 1 }
      return conditionMark(source, inner, 'elseif')
    default: {
      const [whole = '', item = ''] = /^\s*([A-Za-z_]\w*)\s*:/.exec(source.slice(inner, inner + longestExpression)) ?? []
      if (item === '') throw wrong('write @foreach{x : …}')
      const { mark, end } = valueMark(source, inner + whole.length)
      return { mark: { kind: 'list', expression: mark.expression, item }, end }
    }
  }
}

function conditionMark(source: string, inner: number, kind: 'if' | 'elseif'): ReadMark {
  const { mark, end } = valueMark(source, inner)
  return { mark: { kind, expression: mark.expression }, end }
}

/** An expression up to the `}` that ends it, which may not be the next one. @throws expressionWrong */
function valueMark(source: string, inner: number): { mark: { kind: 'value'; expression: string }; end: number } {
  const written = source.slice(inner, inner + longestExpression)
  const { end } = parseEmbedded(written, 0)
  return { mark: { kind: 'value', expression: written.slice(0, end).trim() }, end: inner + end + 1 }
}
