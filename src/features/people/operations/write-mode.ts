import { optional } from '../../../automation/parameter.ts'
import { defineProblem } from '../../../base/problem.ts'

export const unknownWriteMode = defineProblem(
  'unknownWriteMode',
  'invalid',
  (of: { mode: string }) => `There is no mode ${of.mode.slice(0, 100)}. Use one of ${modes.join(', ')}.`,
)

const modes = ['createOrUpdate', 'create', 'update']

export const writeMode = optional('string', { values: modes, description: 'createOrUpdate unless told' })

export const existsAlready = defineProblem(
  'existsAlready',
  'conflict',
  (of: Subject) => `Cannot create already-existing ${of.kind}: ${of.name}`,
)

export const nothingToUpdate = defineProblem(
  'nothingToUpdate',
  'notFound',
  (of: Subject) => `Cannot update non-existent ${of.kind}: ${of.name}`,
)

interface Subject {
  readonly kind: 'user' | 'group'
  readonly name: string
}

/** Whether something is made or changed. @throws unknownWriteMode, existsAlready, nothingToUpdate */
export function isCreation(mode: string | undefined, subject: Subject, exists: boolean): boolean {
  switch (mode?.trim() || 'createOrUpdate') {
    case 'createOrUpdate':
      return !exists
    case 'create':
      if (exists) throw existsAlready(subject)
      return true
    case 'update':
      if (!exists) throw nothingToUpdate(subject)
      return false
    default:
      throw unknownWriteMode({ mode: mode ?? '' })
  }
}

/** Those that are not blank. */
export function given(texts: { readonly [name: string]: string | undefined }): { readonly [name: string]: string } {
  const entries = Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim()))
  return Object.fromEntries(entries)
}

/** Fields may come with the prefix of their schema: `user:email`. */
export function withoutPrefix<Value>(
  prefix: string,
  sent: { readonly [field: string]: Value },
): { readonly [field: string]: Value } {
  const bare = (name: string) => (name.startsWith(`${prefix}:`) ? name.slice(prefix.length + 1) : name)
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [bare(name), value]))
}
