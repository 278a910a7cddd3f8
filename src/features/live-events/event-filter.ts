import { defineProblem } from '../../base/problem.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { OutboxEvent } from '../outbox/index.ts'
import { previousParentOf } from './live-event.ts'

const maxValues = 50
const maxLength = 2_000

const tooManyValues = defineProblem(
  'tooManyFilterValues',
  'invalid',
  (of: { name: string }) => `The query parameter ${of.name} has more than ${maxValues} values. Ask for fewer, or for all.`,
)

const valueTooLong = defineProblem(
  'filterValueTooLong',
  'invalid',
  (of: { name: string }) => `A value of the query parameter ${of.name} has more than ${maxLength} characters.`,
)

const noPath = defineProblem(
  'filterPathWrong',
  'invalid',
  (of: { value: string }) => `The path ${of.value.slice(0, 100).toWellFormed()} does not begin with a slash.`,
)

export const eventFilterSchema = Type.Object({
  event: Type.Names({ description: 'Names of events, such as `documentModified`' }),
  type: Type.Names({ description: 'Types of documents' }),
  path: Type.Optional(
    Type.Array(Type.String(), { description: 'Only what happens to a document with this path or below it; may be repeated' }),
  ),
  document: Type.Names({ description: 'Ids of documents' }),
  parent: Type.Names({ description: 'Ids of folders: what happens to their children, also to those that are moved away' }),
})

/** Whether a client has asked for it, whatever rights it has. */
export type EventFilter = (event: OutboxEvent) => boolean

/** Each criterion has to hold that was given, by one of its values. @throws tooManyValues, valueTooLong, noPath */
export function createEventFilter(wanted: Static<typeof eventFilterSchema>): EventFilter {
  for (const [name, values = []] of Object.entries(wanted)) requireBounded(name, values)
  const criteria: readonly (EventFilter | undefined)[] = [
    whenGiven(
      wanted.event,
      (names) =>
        ({ event }) =>
          names.has(event),
    ),
    whenGiven(
      wanted.type,
      (types) =>
        ({ document }) =>
          document !== undefined && types.has(document.type),
    ),
    whenGiven(
      wanted.document,
      (ids) =>
        ({ document }) =>
          document !== undefined && ids.has(document.id),
    ),
    whenGiven(wanted.parent, isIn),
    whenGiven(wanted.path, (paths) => isAtOrBelow([...paths].map(parsePath))),
  ]
  const given = criteria.filter((criterion) => criterion !== undefined)
  return (event) => given.every((holds) => holds(event))
}

function requireBounded(name: string, values: readonly string[]): void {
  if (values.length > maxValues) throw tooManyValues({ name })
  if (values.some(({ length }) => length > maxLength)) throw valueTooLong({ name })
}

function whenGiven(
  values: readonly string[] | undefined,
  create: (values: ReadonlySet<string>) => EventFilter,
): EventFilter | undefined {
  return values === undefined || values.length === 0 ? undefined : create(new Set(values))
}

function isIn(folders: ReadonlySet<string>): EventFilter {
  const isOneOf = (id: string | null | undefined) => id !== null && id !== undefined && folders.has(id)
  return (event) => isOneOf(event.document?.parentId) || isOneOf(previousParentOf(event))
}

/** As it is stored: without a slash at its end. */
function parsePath(value: string): string {
  if (!value.startsWith('/')) throw noPath({ value })
  return value.replace(/\/+$/, '')
}

function isAtOrBelow(paths: readonly string[]): EventFilter {
  return ({ document }) => {
    const path = document?.path
    if (path === undefined || path === null) return false
    return paths.some((above) => path === above || path.startsWith(`${above}/`))
  }
}
