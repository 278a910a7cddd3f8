import assert from 'node:assert/strict'
import { openSession } from '../../src/core/access.ts'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { removeDocument } from '../../src/core/documents/remove-document.ts'
import type { ResultRow } from '../../src/core/search/page/provider-page.ts'
import { compile, searchRows } from '../../src/core/search/page/run-query.ts'
import type { WriteSession } from '../../src/core/session.ts'
import type { Document } from '../../src/model/document.ts'
import { defineDocumentType } from '../../src/model/document-type.ts'
import { boolean, complex, list, string } from '../../src/model/field.ts'
import type { Properties } from '../../src/model/properties/property.ts'
import { systemPrincipal } from '../../src/model/rights/principal.ts'
import { defineSchema } from '../../src/model/schema.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

/** The schemas that the worked queries name and no server has. */
export const workedPlugin = definePlugin({
  name: 'worked-queries',
  schemas: [
    defineSchema('every', { prefix: 'my', fields: { boolean: boolean() } }),
    defineSchema('people', { prefix: 'p', fields: { people: list(complex({ first: string(), last: string() })) } }),
  ],
  documentTypes: [defineDocumentType('Specimen', { extends: 'File', schemas: ['every', 'people'], lifecycle: 'default' })],
})

/** The documents of the worked queries by the names that the contract gives them: `f1`, `n3v`. */
export interface WorkedData {
  idOf(name: string): string
  /** Documents made since, by their names, too. */
  name(id: string, name: string): void
  /** Writes properties that no client could, in addition to those that are there. */
  change(name: string, fields: Partial<Document>): Promise<void>
  setProperties(name: string, properties: Properties): Promise<void>
  create(name: string, type: string, parent: string, properties?: Properties): Promise<void>
  remove(name: string): Promise<void>
  inSession<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result>
  /** The names of what a query finds over REST, in their order. */
  find(query: string, parameters?: { readonly [name: string]: string }): Promise<readonly string[]>
  /** The whole answer to a query, `<f1>` in it being the id of f1. */
  execute(query: string, parameters?: { readonly [name: string]: string }): Promise<Answered>
  /** The message with which a query is refused with 400. */
  refusal(query: string): Promise<string>
  rows(query: string): Promise<readonly ResultRow[]>
}

export function workedDataOn(server: TestServer): WorkedData & { fill(): Promise<void> } {
  const bench = workbenchOn(server)
  const ids = new Map<string, string>()
  const names = new Map<string, string>()

  const data: WorkedData = {
    idOf(name) {
      const id = ids.get(name)
      assert.ok(id, `there is a document ${name}`)
      return id
    },
    name(id, name) {
      ids.set(name, id)
      names.set(id, name)
    },
    change: (name, fields) => bench.change(data.idOf(name), fields),
    setProperties: (name, properties) => server.asSystem(({ tx }) => overwrite(tx, data.idOf(name), properties)),
    async create(name, type, parent, properties = {}) {
      const made = await server.asSystem(async (session) => {
        const folder = (await session.tx.documents.find(data.idOf(parent))) ?? null
        const { id } = await createDocument(session, { parent: folder, type, name, properties: {} })
        await overwrite(session.tx, id, { 'dc:contributors': [], ...properties })
        return id
      })
      data.name(made, name)
    },
    remove: (name) => server.asSystem((session) => removeDocument(session, data.idOf(name))),
    inSession: (body) => server.asSystem(body),
    async find(query, parameters) {
      const { entries } = requireStatus(200, await get(query, parameters))
      return entries.map(({ uid }: { uid: string }) => names.get(uid) ?? uid)
    },
    execute: async (query, parameters) => requireStatus(200, await get(query, parameters)),
    refusal: async (query) => requireStatus(400, await get(query)).message,
    async rows(query) {
      const repository = server.services.repositories.get('default')
      assert.ok(repository)
      const session = openSession(repository, systemPrincipal())
      return (await searchRows(session, compile(session, withIds(query), 'records'), { offset: 0 })).rows
    },
  }

  function get(query: string, parameters: { readonly [name: string]: string } = {}) {
    const search = new URLSearchParams({ query: withIds(query), ...parameters })
    return server.as('Administrator').get(`/search/execute?${search}`)
  }

  const withIds = (query: string) => query.replace(/<(\w+)>/g, (whole, name: string) => ids.get(name) ?? whole)

  async function fill(): Promise<void> {
    await server.asSystem(async (session) => {
      const root = await session.tx.documents.findByPath('/')
      assert.ok(root)
      data.name(root.id, 'root')
      for (const id of await session.tx.documents.listChildIds(root.id)) await removeDocument(session, id)
    })
    await untilIdle(server)
    await data.create('alpha', 'Folder', 'root', { 'dc:title': 'Alpha folder' })
    await data.create('beta', 'Folder', 'root')
    const content = { data: 'Some café in a restaurant', name: 'memo.txt' }
    const { uid } = await bench.create('File', { 'file:content': content }, { parent: '/alpha', name: 'f1' })
    data.name(uid, 'f1')
    await data.create('f2', 'File', 'alpha')
    await data.create('n3', 'Note', 'alpha')
    await data.create('gamma', 'Folder', 'beta')
    await data.create('f4', 'File', 'gamma')
    const [version] = await server.asSystem(({ tx }) => tx.documents.listVersions(data.idOf('n3')))
    assert.ok(version)
    data.name(version.id, 'n3v')
    await untilIdle(server)
    for (const [name, properties] of Object.entries(propertiesOfD)) await data.setProperties(name, properties)
  }

  return { ...data, fill }
}

const third = { 'dc:title': 'Third note', 'dc:contributors': ['bob', 'john'] }

/** What documents are to have; folders keep the moment at which they were modified. */
const propertiesOfD: { readonly [name: string]: Properties } = {
  beta: { 'dc:title': null },
  gamma: { 'dc:title': null },
  f1: {
    'dc:title': 'First report',
    'dc:description': 'first_desc',
    'dc:subjects': ['foo', 'gee/moo'],
    'dc:coverage': 'football',
    'dc:created': '2007-03-01T12:00:00.000Z',
    'dc:contributors': [],
    'uid:uid': 'u-1',
  },
  f2: {
    'dc:title': 'Second report',
    'dc:contributors': ['bob', 'pete'],
    'dc:coverage': 'foo/bar',
    'dc:created': '2007-04-01T12:00:00.000Z',
  },
  n3: third,
  n3v: third,
  f4: { 'dc:title': 'Fourth', 'dc:created': null },
}

async function overwrite({ documents }: WriteSession['tx'], id: string, properties: Properties): Promise<void> {
  const before = await documents.findForUpdate(id)
  assert.ok(before, `there is a document ${id}`)
  const wanted = { ...before, properties: { ...before.properties, ...properties } }
  assert.ok(await documents.update(before, wanted), `${id} can be changed`)
}
