import { defineProblem } from '../../base/problem.ts'
import { fieldsOf } from '../../core/directories/directories.ts'
import type { DirectoryDefinition } from '../../core/directories/directory-definition.ts'
import { requireWritable } from '../../core/directories/directory-rights.ts'
import { importEntries } from '../../core/directories/import-entries.ts'
import { orderEntries } from '../../core/directories/order-entries.ts'
import { groupDirectory, userDirectory } from '../../core/directories/people.ts'
import { readDirectory } from '../../core/directories/read-directory.ts'
import { searchEntries } from '../../core/directories/search-entries.ts'
import { compareText } from '../../nxql/code-point-order.ts'
import { entity, noContent } from '../../rest/answer.ts'
import { bytesAnswer, emptyAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { formatEntries, mostCsvEntries, parseEntries } from './entry-csv.ts'
import { shownFields } from './shown-fields.ts'

export const vocabulariesForAdministrators = defineProblem(
  'vocabulariesForAdministrators',
  'forbidden',
  (_: object) => 'Only administrators look after vocabularies as a whole.',
)

export const notAVocabulary = defineProblem(
  'notAVocabulary',
  'invalid',
  (of: { directory: string }) =>
    `The directory ${of.directory} is no vocabulary: what it holds is not exchanged as CSV or put in order.`,
)

export const tooManyEntries = defineProblem(
  'tooManyEntries',
  'invalid',
  (of: { count: number; most: number }) =>
    `These are ${of.count} entries, and no more than ${of.most} are taken or given at once.`,
)

const vocabularySchema = Type.Object(
  {
    name: Type.String(),
    schema: Type.String({ description: 'What its entries are made of' }),
    fields: Type.Array(
      Type.Object({ name: Type.String(), type: Type.String({ description: '`string`, `long`, `boolean`, …' }) }),
    ),
    idField: Type.String(),
    parent: Type.Nullable(Type.String({ description: 'The directory in which the parents of its entries are' })),
    isEditable: Type.Boolean({ description: 'False where the configuration made it read-only' }),
    count: Type.Integer({ description: 'Of its entries' }),
  },
  { $id: 'Vocabulary' },
)
const vocabulariesSchema = Type.Object(
  { 'entity-type': Type.Literal('vocabularies'), entries: Type.Array(vocabularySchema) },
  { $id: 'Vocabularies' },
)
const importedSchema = Type.Object(
  {
    'entity-type': Type.Literal('importedEntries'),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer({ description: 'They were there, and stay as they are' }),
  },
  { $id: 'ImportedEntries' },
)

const mostOrdered = 5_000
const mostBytes = 10_000_000
const path = '/management/directories'
const refusals = {
  400: 'not valid, or no vocabulary',
  403: 'no administrator, or the vocabulary is read-only',
  404: 'there is no such directory',
}

/** What administrators do with a vocabulary as a whole (contract: people 5.6). */
export const vocabularyRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path,
    operationId: 'listVocabularies',
    under: 'api',
    summary: 'The vocabularies, those of the system among them, and how many entries each has',
    answers: { 200: vocabulariesSchema, 403: 'no administrator' },
    async handle(exchange) {
      requireAdministrator(exchange)
      const { directories } = exchange.services
      const shown = [...directories.definitions.values()]
        .filter((definition) => isVocabulary(exchange, definition))
        .sort((one, other) => compareText(one.name, other.name))
      const entries = await Promise.all(shown.map((definition) => showVocabulary(exchange, definition)))
      return entity('vocabularies', { 'entity-type': 'vocabularies', entries } satisfies Static<typeof vocabulariesSchema>)
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `${path}/{directory}/order`,
    operationId: 'orderDirectoryEntries',
    under: 'api',
    summary: 'Number entries in the order of their ids, such as those below one parent',
    body: Type.Object({ ids: Type.Array(Type.String(), { description: `At most ${mostOrdered}; others keep their numbers` }) }),
    answers: { 204: emptyAnswer('they stand in that order'), ...refusals, 404: 'there is no such directory or entry' },
    async handle(exchange, { directory = '' }, sent) {
      const definition = requireEditable(exchange, directory)
      const { ids } = sent.body
      if (ids.length > mostOrdered) throw tooManyEntries({ count: ids.length, most: mostOrdered })
      await exchange.directories.write((session) => orderEntries(session, definition, [...new Set(ids)]))
      return noContent()
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${path}/{directory}/csv`,
    operationId: 'exportDirectoryEntries',
    under: 'api',
    summary: `The entries of a vocabulary as CSV, at most ${mostCsvEntries}, by their ordering and id`,
    answers: { 200: bytesAnswer('a line of columns, and one for each entry', 'text/csv'), ...refusals },
    async handle(exchange, { directory = '' }) {
      const definition = requireVocabulary(exchange, directory)
      const { entries, total } = await exchange.directories.read((session) =>
        searchEntries(session, { ...definition, querySizeLimit: 0 }, { offset: 0, limit: mostCsvEntries }),
      )
      if (total > entries.length) throw tooManyEntries({ count: total, most: mostCsvEntries })
      const headers = { 'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(directory)}.csv` }
      const text = formatEntries(exchange.services, definition, entries)
      return { kind: 'text', status: 200, contentType: 'text/csv; charset=utf-8', text, headers }
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/{directory}/csv`,
    operationId: 'importDirectoryEntries',
    under: 'api',
    summary: `Create and change entries of a vocabulary from CSV in UTF-8: all, at most ${mostCsvEntries}, or none of them`,
    query: Type.Object({
      taken: Type.Optional(
        Type.Enum(['update', 'skip'], { description: 'What is done with entries that are there: changed unless told' }),
      ),
    }),
    streamsBody: true,
    answers: { 200: importedSchema, ...refusals, 413: `more than ${mostBytes} bytes` },
    async handle(exchange, { directory = '' }, sent) {
      const definition = requireEditable(exchange, directory)
      const { taken = 'update' } = sent.query
      const bytes = exchange.request.openBody({ maxBytes: mostBytes })
      const changes = await parseEntries(exchange.services, definition, bytes)
      const counts = await exchange.directories.write((session) => importEntries(session, definition, changes, taken))
      return entity('importedEntries', { 'entity-type': 'importedEntries', ...counts } satisfies Static<typeof importedSchema>)
    },
  }),
]

async function showVocabulary(exchange: Exchange, definition: DirectoryDefinition): Promise<Static<typeof vocabularySchema>> {
  const { name, schema, idField, parentDirectory = null, readOnly } = definition
  const { services } = exchange
  const { total } = await services.directories.store.reader.directories.search({
    directory: name,
    order: [],
    offset: 0,
    limit: 0,
  })
  const fields = [...shownFields(services, definition)].map(([field, { type }]) => ({ name: field, type: type.kind }))
  return { name, schema, fields, idField, parent: parentDirectory, isEditable: !readOnly, count: total }
}

/** @throws vocabulariesForAdministrators */
function requireAdministrator({ principal }: Exchange): void {
  if (!principal.isAdministrator) throw vocabulariesForAdministrators({})
}

/** @throws vocabulariesForAdministrators, directoryNotFound, notAVocabulary */
function requireVocabulary(exchange: Exchange, directory: string): DirectoryDefinition {
  requireAdministrator(exchange)
  const definition = readDirectory(exchange.directories, directory)
  if (!isVocabulary(exchange, definition)) throw notAVocabulary({ directory })
  return definition
}

/** @throws vocabulariesForAdministrators, directoryNotFound, notAVocabulary, directoryReadOnly */
function requireEditable(exchange: Exchange, directory: string): DirectoryDefinition {
  return requireWritable(requireVocabulary(exchange, directory))
}

/** What has labels, and is neither people nor a place for secrets: these have doors of their own. */
function isVocabulary({ services: { directories } }: Exchange, definition: DirectoryDefinition): boolean {
  const { name, passwordField, references, autoincrementId } = definition
  const isElsewhere = name === userDirectory || name === groupDirectory || isSecret(definition)
  if (isElsewhere || passwordField !== undefined || references.length > 0 || autoincrementId) return false
  return fieldsOf(directories, definition).some((field) => /^label(_|$)/.test(field.name))
}

function isSecret({ types, permissions }: DirectoryDefinition): boolean {
  return types.includes('system') && permissions?.read.length === 0 && permissions.write.length === 0
}
