import { defineProblem } from '../base/problem.ts'

/**
 * How many characters may be said with a change, such as the comment of a check-in. It goes with the event to everybody who is told,
 * and stays in the audit log, of which a page shows a thousand rows.
 */
export const maxRemark = 10_000

export const remarkTooLong = defineProblem(
  'remarkTooLong',
  'invalid',
  (of: { characters: number; max: number }) =>
    `The comment has ${of.characters} characters, and at most ${of.max} are allowed. Shorten it, or attach the text as a file.`,
)

/** For what a client says. @throws remarkTooLong */
export function requireShortRemark(text: string | null): string | null {
  if (text !== null && text.length > maxRemark) throw remarkTooLong({ characters: text.length, max: maxRemark })
  return text
}

/** For what the server says with words of others, such as the title of a workflow: whoever is at work could not shorten it. */
export function shortRemark(text: string): string {
  return text.length <= maxRemark ? text : text.slice(0, maxRemark).toWellFormed()
}
