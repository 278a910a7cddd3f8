import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { DirectoryDefinition } from '../../core/directories/directory-definition.ts'
import { entryIdMissing } from '../../core/directories/entry-id.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { entityBody, notAnObject } from '../../rest/payload/entity-payload.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { shownFields } from './shown-fields.ts'

/** The `directoryEntry` entity as clients send it. */
export const entryBody = entityBody('directoryEntry', {
  directoryName: Type.Optional(Type.Nullable(Type.String(), { description: 'That of the address' })),
  id: Type.Forgiving(
    Type.Union([Type.String(), Type.Long(), Type.Number()], { description: 'To change an entry: that of the address' }),
  ),
  properties: Type.Refused(
    Type.Optional(Type.Map({ description: 'By the fields of the directory, its id among them; read by its schema' })),
    () => notAnObject({}),
  ),
})

export const otherDirectory = defineProblem(
  'otherDirectory',
  'invalid',
  (of: { sent: string; directory: string }) =>
    `The entry is one of the directory ${of.sent}, but was sent to ${of.directory}. Leave directoryName out, or send it there.`,
)

export const otherEntry = defineProblem(
  'otherEntry',
  'invalid',
  (of: { sent: string; id: string }) =>
    `The entry has the id ${of.sent}, but was sent to that of ${of.id}. An id cannot be changed: create an entry and delete the other.`,
)

/** An entry that was sent, with its properties by the names of the fields. */
export interface SentEntry {
  readonly id: string | undefined
  readonly properties: { readonly [field: string]: Json }
}

/** @throws otherDirectory */
export function readSentEntry(
  services: Exchange['services'],
  definition: DirectoryDefinition,
  body: Static<typeof entryBody>,
): SentEntry {
  const { id, directoryName: sent, properties = {} } = body
  const { name: directory } = definition
  if (sent !== undefined && sent !== null && sent !== directory) throw otherDirectory({ sent, directory })
  const named: { [field: string]: Json } = {}
  for (const [shown, field] of shownFields(services, definition)) {
    const value = Object.hasOwn(properties, shown) ? properties[shown] : undefined
    if (value !== undefined) named[field.name] = value
  }
  return { id: id === undefined ? undefined : String(id), properties: named }
}

/** For a change of the entry at an address. @throws entryIdMissing, otherEntry */
export function requireSameEntry({ name: directory, idField }: DirectoryDefinition, entry: SentEntry, id: string): void {
  const own = entry.properties[idField] ?? undefined
  const ids = [entry.id, own === undefined ? undefined : String(own)].filter((one) => one !== undefined)
  if (ids.length === 0) throw entryIdMissing({ directory })
  const other = ids.find((one) => one !== id)
  if (other !== undefined) throw otherEntry({ sent: other.slice(0, 100), id })
}
