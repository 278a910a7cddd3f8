import { defineProblem } from '../../base/problem.ts'
import { sanitisedText } from '../../model/properties/value-bounds.ts'

/** Longer ones are mistakes: every reader of a document is shown its tags. */
export const maxLabelLength = 250

export const emptyTag = defineProblem(
  'emptyTag',
  'invalid',
  (of: { label: string }) =>
    `Invalid empty tag: of '${shortened(of.label)}' nothing is left without spaces, slashes, backslashes, apostrophes and %.`,
)

export const tagTooLong = defineProblem(
  'tagTooLong',
  'invalid',
  (of: { label: string }) =>
    `The tag '${shortened(of.label)}' has ${of.label.length} characters, and at most ${maxLabelLength} are allowed.`,
)

export interface LabelRules {
  /** Spaces, slashes, backslashes and apostrophes are dropped. */
  readonly sanitises: boolean
}

/**
 * The text as a tag is stored: in lower case and without what would mean something in a query (contract: adapters 7.1).
 * @throws emptyTag, tagTooLong
 */
export function cleanLabel(text: string, rules: LabelRules): string {
  const label = cleanTerm(text, rules).replaceAll('%', '').normalize('NFC')
  if (label.trim() === '') throw emptyTag({ label: text })
  if (label.length > maxLabelLength) throw tagTooLong({ label })
  return label
}

/** The same of what somebody is looking for: a % stands for any letters. It may be empty. */
export function cleanTerm(text: string, { sanitises }: LabelRules): string {
  const lower = sanitisedText(text).toLowerCase()
  // Some systems send letters apart from their accents: the two forms look the same.
  return (sanitises ? lower.replace(/[\s/\\']/gu, '') : lower).normalize('NFC')
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text
}
