import { findJson, type Json } from '../base/json.ts'

/** Undefined when the text is no JSON, not even one whose field names lack their quotes, as `{name: "a"}`. */
export function findRelaxedJson(text: string): Json | undefined {
  return findJson(text) ?? findJson(withQuotedNames(text))
}

const quotedOrName = /"(?:[^"\\]|\\[\s\S])*"|([{,]\s*)([A-Za-z_$][\w$.-]*)(?=\s*:)/g

function withQuotedNames(text: string): string {
  return text.replace(quotedOrName, (found, before: string | undefined, name: string) =>
    before === undefined ? found : `${before}"${name}"`,
  )
}
