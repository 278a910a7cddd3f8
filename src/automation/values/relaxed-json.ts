import { findJson, type Json } from '../../base/json.ts'

/** Undefined when the text is no JSON, not even one whose field names lack their quotes, as `{name: "a"}`. */
export function findRelaxedJson(text: string): Json | undefined {
  return findJson(text) ?? findJson(withQuotedNames(text))
}

const bareName = /(\s*)([A-Za-z_$][\w$.-]*)(?=\s*:)/y

/** Looks at each character a few times at most, whatever is missing at the end. */
function withQuotedNames(text: string): string {
  const parts: string[] = []
  const mark = /["{,]/g
  let from = 0
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') {
      mark.lastIndex = endOfQuoted(text, mark.lastIndex)
      continue
    }
    bareName.lastIndex = mark.lastIndex
    const [, blanks, name] = bareName.exec(text) ?? []
    if (name === undefined) continue
    parts.push(text.slice(from, mark.lastIndex), `${blanks}"${name}"`)
    from = bareName.lastIndex
    mark.lastIndex = from
  }
  return parts.join('') + text.slice(from)
}

/** Behind the closing quote; the end of the text where there is none. */
function endOfQuoted(text: string, start: number): number {
  const special = /["\\]/g
  special.lastIndex = start
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    if (found[0] === '"') return special.lastIndex
    special.lastIndex += 1
  }
  return text.length
}
