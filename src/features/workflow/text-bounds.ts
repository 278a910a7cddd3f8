import { Buffer } from 'node:buffer'
import { defineProblem } from '../../base/problem.ts'
import type { Properties } from '../../model/properties/property.ts'

// What people write into workflows and tasks is shown to others: in the list of all that they have to do, and with every document that a
// workflow is about. Nobody fills such a page for them with one text.

const textTooLong = defineProblem(
  'textTooLong',
  'invalid',
  (of: { what: string; max: number }) =>
    `${of.what} has more than ${of.max} characters. Shorten it; what is longer belongs into a document.`,
)

const variablesTooLarge = defineProblem(
  'variablesTooLarge',
  'invalid',
  (of: { what: string; max: number }) =>
    `The variables of ${of.what} would have more than ${of.max} bytes in all, written as JSON. Shorten them; what is longer belongs into a file or a document.`,
)

const remarksTooLong = defineProblem(
  'remarksTooLong',
  'invalid',
  (of: { max: number }) =>
    `The remarks on the task would have more than ${of.max} characters in all. Leave the remark out, or comment on the document.`,
)

const longest = {
  'The name of the task': 250,
  'The directive': 2_000,
} as const

/** @throws textTooLong */
export function requireShort(what: keyof typeof longest, text: string | null | undefined): void {
  if ((text?.length ?? 0) > longest[what]) throw textTooLong({ what, max: longest[what] })
}

const maxRemarks = 100_000

/** Of a task, with the one that is added. @throws remarksTooLong */
export function requireFewRemarks(texts: readonly string[]): void {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > maxRemarks) throw remarksTooLong({ max: maxRemarks })
}

const maxVariableBytes = 100_000

/** What had more before there was a bound may go on, and grow by a little. @throws variablesTooLarge */
export function requireBoundedVariables(what: string, names: readonly string[], before: Properties, after: Properties): void {
  const sizeOf = (properties: Properties) => Buffer.byteLength(JSON.stringify(names.flatMap((name) => properties[name] ?? [])))
  const size = sizeOf(after)
  if (size <= maxVariableBytes) return
  const was = sizeOf(before)
  if (was <= maxVariableBytes || size > was + maxVariableBytes / 10) throw variablesTooLarge({ what, max: maxVariableBytes })
}
