import { defineProblem } from '../base/problem.ts'

// What people say with a change, or write for others to do, is shown to all who are told: in a list of tasks, in the log, in mails. Nobody
// fills such a page for them with one text.

export const textTooLong = defineProblem(
  'textTooLong',
  'invalid',
  (of: { what: string; characters: number; max: number }) =>
    `${of.what} has ${of.characters} characters, and at most ${of.max} are allowed. Shorten it; what is longer belongs into a file or a document.`,
)

/** @param what as a sentence about it begins. @throws textTooLong */
export function requireShort(what: string, text: string, max: number): string {
  if (text.length > max) throw textTooLong({ what, characters: text.length, max })
  return text
}

/**
 * How many characters may be said with a change, such as the comment of a check-in. It goes with the event to everybody who is told,
 * and stays in the audit log, of which a page shows a thousand rows.
 */
export const maxRemark = 10_000

/** For what a client says. @throws textTooLong */
export function requireShortRemark(text: string): string {
  return requireShort('The comment', text, maxRemark)
}

/** For what the server says with words of others, such as the title of a workflow: whoever is at work could not shorten it. */
export function shortRemark(text: string): string {
  return text.length <= maxRemark ? text : text.slice(0, maxRemark).toWellFormed()
}
