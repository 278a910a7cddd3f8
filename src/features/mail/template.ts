import { escapeHtml } from '../../base/html/escape-html.ts'
import { defineProblem } from '../../base/problem.ts'

/** What a template is filled with. A list repeats its section; a text that is empty leaves it out. */
export type TemplateValue = string | readonly TemplateValues[]
export interface TemplateValues {
  readonly [name: string]: TemplateValue | undefined
}

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string; readonly isMarkup: boolean }
  | { readonly kind: 'section'; readonly name: string; readonly isInverted: boolean; readonly parts: readonly Part[] }

/** A template as it was read, which is filled in many times. */
export type ParsedTemplate = readonly Part[]

export const wrongTemplate = defineProblem(
  'wrongTemplate',
  'invalid',
  (of: { file: string; line: number; what: string }) => `The mail template ${of.file} is wrong in line ${of.line}: ${of.what}`,
)

/** The one value that is HTML already: what a layout is put around. */
export const contentName = 'content'

const tagPattern = /\{\{\{\s*([^{}]*?)\s*\}\}\}|\{\{\s*([#^/!]?)\s*([^{}]*?)\s*\}\}/g
const namePattern = /^[A-Za-z][A-Za-z0-9]{0,39}$/

/**
 * Reads a template: `{{name}}` is a value, `{{#name}}…{{/name}}` stands where there is one, `{{^name}}…{{/name}}` where there is
 * none, `{{! … }}` is a remark. Nothing in it runs.
 * @throws wrongTemplate
 */
export function parseTemplate(file: string, source: string): ParsedTemplate {
  const root: Part[] = []
  const open: { readonly name: string; readonly isInverted: boolean; readonly parts: Part[] }[] = []
  const wrong = (index: number, what: string) => wrongTemplate({ file, line: source.slice(0, index).split('\n').length, what })
  const add = (part: Part) => void (open.at(-1)?.parts ?? root).push(part)
  let end = 0
  for (const match of source.matchAll(tagPattern)) {
    const [whole, markup, sign = '', name = markup ?? ''] = match
    if (match.index > end) add({ kind: 'text', text: source.slice(end, match.index) })
    end = match.index + whole.length
    if (sign === '!') continue
    if (!namePattern.test(name)) throw wrong(match.index, `${whole} names no value`)
    if (markup !== undefined && name !== contentName) throw wrong(match.index, `only {{{${contentName}}}} is taken as HTML`)
    if (sign === '') add({ kind: 'value', name, isMarkup: markup !== undefined })
    else if (sign !== '/') open.push({ name, isInverted: sign === '^', parts: [] })
    else {
      const section = open.pop()
      if (section?.name !== name) throw wrong(match.index, `${whole} ends nothing that was begun`)
      add({ kind: 'section', ...section })
    }
  }
  const unended = open.at(-1)
  if (unended !== undefined) throw wrong(source.length, `the section ${unended.name} has no end`)
  if (end < source.length) add({ kind: 'text', text: source.slice(end) })
  return root
}

/** Fills in a template of HTML: whatever a value holds is shown as text. */
export function renderHtml(template: ParsedTemplate, values: TemplateValues): string {
  return render(template, [values], escapeHtml)
}

/** Fills in a template of plain text. */
export function renderText(template: ParsedTemplate, values: TemplateValues): string {
  return render(template, [values], (text) => text)
}

function render(parts: ParsedTemplate, scopes: readonly TemplateValues[], write: (text: string) => string): string {
  return parts.map((part) => renderPart(part, scopes, write)).join('')
}

function renderPart(part: Part, scopes: readonly TemplateValues[], write: (text: string) => string): string {
  if (part.kind === 'text') return part.text
  const value = findValue(scopes, part.name)
  if (part.kind === 'value') return typeof value !== 'string' ? '' : part.isMarkup ? value : write(value)
  const isThere = value !== undefined && value.length > 0
  if (part.isInverted) return isThere ? '' : render(part.parts, scopes, write)
  if (!isThere) return ''
  if (typeof value === 'string') return render(part.parts, scopes, write)
  return value.map((item) => render(part.parts, [item, ...scopes], write)).join('')
}

/** Of the innermost section that has it. */
function findValue(scopes: readonly TemplateValues[], name: string): TemplateValue | undefined {
  return scopes.find((scope) => Object.hasOwn(scope, name))?.[name]
}
