import { createEntry } from '../../core/directories/create-entry.ts'
import { deleteEntry } from '../../core/directories/delete-entry.ts'
import type { Directories } from '../../core/directories/directories.ts'
import type { DirectoryDefinition } from '../../core/directories/directory-definition.ts'
import { requireDirectoryEditor } from '../../core/directories/directory-rights.ts'
import { prepareEntryChange } from '../../core/directories/entry-change.ts'
import { readEntry } from '../../core/directories/find-entry.ts'
import { readDirectory } from '../../core/directories/read-directory.ts'
import { updateEntry } from '../../core/directories/update-entry.ts'
import type { Session } from '../../core/session.ts'
import { compareText } from '../../nxql/code-point-order.ts'
import { type Answer, entity, noContent } from '../../rest/answer.ts'
import { runEntityProvider } from '../../rest/entity-provider.ts'
import { entityPageSchema } from '../../rest/openapi/resource-answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { createRenderContext } from '../../rest/render/rendering.ts'
import { entryHeaders } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { adapterMaxResults, adapterPagingOf, pagingParameters } from '../../rest/request/paging.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import { directoryEntryEntity, directoryEntrySchema } from './directory-entry-entity.ts'
import { parseEntryAddress } from './entry-address.ts'
import { entryBody, readSentEntry, requireSameEntry } from './entry-body.ts'
import { entryListing } from './entry-listing.ts'

const systemType = 'system'

const directorySchema = Type.Object(
  {
    'entity-type': Type.Literal('directory'),
    name: Type.String(),
    schema: Type.String({ description: 'What its entries are made of' }),
    idField: Type.String(),
    parent: Type.Nullable(Type.String({ description: 'The directory in which the parents of its entries are' })),
  },
  { $id: 'Directory' },
)

const directoriesSchema = Type.Object(
  { 'entity-type': Type.Literal('directories'), entries: Type.Array(directorySchema) },
  { $id: 'Directories' },
)

const directoryEntriesSchema = entityPageSchema('directoryEntries', directoryEntrySchema, 'DirectoryEntryPage')

/** The directories that users see, by name; with types given, those that have one of them. */
function writeDirectories({ definitions }: Directories, types: readonly string[] = []): Static<typeof directoriesSchema> {
  const wanted = types.filter((type) => type !== '')
  const shown = [...definitions.values()]
    .filter(({ types }) => !types.includes(systemType))
    .filter(({ types }) => wanted.length === 0 || types.some((type) => wanted.includes(type)))
    .sort((one, other) => compareText(one.name, other.name))
  return {
    'entity-type': 'directories',
    entries: shown.map(({ name, schema, idField, parentDirectory = null }) => ({
      'entity-type': 'directory',
      name,
      schema,
      idField,
      parent: parentDirectory,
    })),
  }
}

const headers = Type.Object(entryHeaders)
const noDirectory = 'there is no such directory'
const refusals = { 400: 'not valid', 403: 'may not be edited' }

const list = defineRoute({
  method: 'GET',
  path: '/directory',
  operationId: 'listDirectories',
  under: 'api',
  summary: 'The directories, by name, but for those of the system',
  query: Type.Object({ types: Type.Names({ description: 'Only those of one of these types' }) }),
  answers: { 200: directoriesSchema },
  handle: async ({ services }, _parameters, { query }) =>
    entity('directories', writeDirectories(services.directories, query.types)),
})

const entries = defineRoute({
  operationId: 'listDirectoryEntries',
  method: 'GET',
  path: '/directory/{directory}',
  under: 'api',
  summary: 'Entries of a directory, by their ordering and id',
  query: Type.Object({
    ...pagingParameters,
    maxResults: adapterMaxResults,
    q: Type.Optional(Type.String({ description: 'Only entries with a label that begins so' })),
  }),
  headers,
  answers: { 200: directoryEntriesSchema, 400: 'a parameter that is not valid', 404: noDirectory },
  handle: (exchange, { directory = '' }, { query: { q = '', ...paging } }) =>
    exchange.directories.read(async (session) => {
      const { services } = exchange
      const wish = { ...adapterPagingOf(paging), parameters: [directory, q] }
      return writeResource(exchange, session, await runEntityProvider(entryListing, { session, services, request: wish }))
    }),
})

const create = defineRoute({
  operationId: 'createDirectoryEntry',
  method: 'POST',
  path: '/directory/{directory}',
  under: 'api',
  summary: 'Create an entry',
  body: entryBody,
  headers,
  answers: { 201: directoryEntrySchema, ...refusals, 404: noDirectory, 409: 'the id is taken' },
  async handle(exchange, { directory = '' }, sent) {
    const definition = await readEditable(exchange, directory)
    const { properties } = readSentEntry(exchange.services, definition, sent.body)
    const change = await prepareEntryChange(exchange.services.directories, definition, properties)
    return exchange.directories.write(async (session) =>
      answerEntry(exchange, session, definition, await createEntry(session, definition, change), 201),
    )
  },
})

const read: Route = {
  operationId: 'getDirectoryEntry',
  method: 'GET',
  path: '/directory/{directory}/{id+}',
  under: 'api',
  summary: 'An entry; its id may hold slashes',
  headers,
  answers: { 200: directoryEntrySchema, 404: 'there is no such directory or entry' },
  handle: (exchange, { directory = '' }) =>
    exchange.directories.read(async (session) => {
      const definition = readDirectory(session, directory)
      const entry = await readEntry(session, definition, parseEntryAddress(exchange.request.rawPath))
      return answerEntry(exchange, session, definition, entry)
    }),
}

const update = defineRoute({
  operationId: 'updateDirectoryEntry',
  method: 'PUT',
  path: '/directory/{directory}/{id+}',
  under: 'api',
  summary: 'Change the properties of an entry that are sent',
  body: entryBody,
  headers,
  answers: { 200: directoryEntrySchema, ...refusals, 404: 'there is no such directory or entry' },
  async handle(exchange, { directory = '' }, sent) {
    const definition = await readEditable(exchange, directory)
    const id = parseEntryAddress(exchange.request.rawPath)
    const entry = readSentEntry(exchange.services, definition, sent.body)
    requireSameEntry(definition, entry, id)
    const change = await prepareEntryChange(exchange.services.directories, definition, entry.properties)
    return exchange.directories.write(async (session) =>
      answerEntry(exchange, session, definition, await updateEntry(session, definition, id, change)),
    )
  },
})

const remove: Route = {
  operationId: 'deleteDirectoryEntry',
  method: 'DELETE',
  path: '/directory/{directory}/{id+}',
  under: 'api',
  summary: 'Delete an entry that no other entry refers to',
  answers: { 204: 'deleted', ...refusals, 404: 'there is no such directory or entry', 409: 'another entry refers to it' },
  handle: (exchange, { directory = '' }) =>
    exchange.directories.write(async (session) => {
      await deleteEntry(session, readDirectory(session, directory), parseEntryAddress(exchange.request.rawPath))
      return noContent()
    }),
}

export const directoryRoutes: readonly Route[] = [list, entries, create, read, update, remove]

/** Before anything is said about what was sent, and before a password is hashed. */
function readEditable(exchange: Exchange, directory: string): Promise<DirectoryDefinition> {
  return exchange.directories.read(async (session) => {
    const definition = readDirectory(session, directory)
    requireDirectoryEditor(session.principal, definition)
    return definition
  })
}

async function answerEntry(
  exchange: Exchange,
  session: Session,
  { name: directory }: DirectoryDefinition,
  entry: DirectoryEntry,
  status = 200,
): Promise<Answer> {
  const body = await directoryEntryEntity.write(createRenderContext(session, exchange), { directory, entry })
  return entity('directoryEntry', body, status)
}
