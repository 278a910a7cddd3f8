import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { administrator, alice, aModel, aRenderContext, aSession } from '../../../test/support/rendering.ts'
import { aStoredDocument } from '../../../test/support/stored-document.ts'
import type { References } from '../../core/session.ts'
import { defineDocumentType } from '../../model/document-type.ts'
import { complex, list, string, user } from '../../model/field.ts'
import type { Properties } from '../../model/properties/property.ts'
import { createPrincipal, type Principal } from '../../model/rights/principal.ts'
import { defineSchema } from '../../model/schema.ts'
import { documentWriter, writeDocument } from './document-entity.ts'
import { writeDocuments } from './documents-entity.ts'
import type { EntityWriter } from './rendering.ts'

type Entity = { [field: string]: unknown }

const model = aModel({
  schemas: [
    defineSchema('team', {
      prefix: 't',
      fields: {
        lead: user(),
        members: list(complex({ name: string(), login: user() })),
        home: string({ resolver: { kind: 'document', store: 'idOnly', validation: true } }),
      },
    }),
  ],
  documentTypes: [defineDocumentType('Team', { extends: 'Folder', schemas: ['team'] })],
})

const home = aStoredDocument({ id: 'home', path: '/home', name: 'home' })

const userWriter: EntityWriter = { entityType: 'user', write: async (_context, id) => ({ 'entity-type': 'user', id }) }
const entityWriters = new Map([userWriter, documentWriter].map((writer) => [writer.entityType, writer]))

function aTeam(properties: Properties) {
  return aStoredDocument({ id: 'team', type: 'Team', path: '/team', name: 'team', properties })
}

interface Fetching {
  readonly fetch: string
  readonly principal?: Principal
  readonly headers?: { [name: string]: string }
  readonly asked?: string[]
}

function contextFor({ fetch, principal = administrator, headers, asked = [] }: Fetching) {
  const references: References = {
    async find(_session, resolver, value) {
      asked.push(value)
      if (value === 'gone') return undefined
      return resolver.kind === 'document' ? { kind: 'document', document: home } : { kind: 'user', id: value }
    },
  }
  const session = aSession([], { model, references, principal })
  const noRights = { ...session.repository.acps, entriesOf: async () => [] }
  const limited = { ...session, repository: { ...session.repository, acps: noRights } }
  return aRenderContext(limited, {
    headers: { properties: '*', 'fetch-document': fetch, ...headers },
    rendering: { entityWriters },
  })
}

const fetched = async (properties: Properties, fetching: Fetching) =>
  (await writeDocument(contextFor(fetching), aTeam(properties)))['properties'] as Entity

const asUser = (id: string) => ({ 'entity-type': 'user', id })

const stored = {
  't:lead': 'ann',
  'dc:creator': 'bob',
  'dc:contributors': ['bob', 'gone'],
  't:members': [{ name: 'A', login: 'ann' }],
}

describe('fetching references', () => {
  test('puts the entities in the place of all references, and leaves what leads nowhere', async () => {
    const properties = await fetched(stored, { fetch: 'properties' })
    assert.deepEqual(properties['t:lead'], asUser('ann'))
    assert.deepEqual(properties['dc:creator'], asUser('bob'))
    assert.deepEqual(properties['dc:contributors'], [asUser('bob'), 'gone'])
    assert.deepEqual(properties['t:members'], [{ name: 'A', login: asUser('ann') }])
    assert.equal(properties['dc:lastContributor'], null)
  })

  const rows: [string, string[]][] = [
    ['dc:creator', ['dc:creator']],
    ['dc:c', ['dc:creator', 'dc:contributors']],
    ['t:members/*/login', ['t:members']],
    ['t:members/0/login', ['t:members']],
    ['t:members/0', ['t:members']],
    ['t:members/1', []],
    ['t:members/*/name', []],
    ['t:', ['t:lead', 't:members']],
    ['versionLabel,lock', []],
    ['nothing', []],
  ]
  for (const [fetch, expected] of rows) {
    test(`by ${fetch} reaches ${expected.join(' and ') || 'nothing'}`, async () => {
      const plain = await fetched(stored, { fetch: 'lock' })
      const properties = await fetched(stored, { fetch })
      const changed = Object.keys(properties).filter((name) => JSON.stringify(properties[name]) !== JSON.stringify(plain[name]))
      assert.deepEqual(changed.sort(), expected.sort())
    })
  }

  test('leaves the stored lists alone', async () => {
    const contributors = ['bob', 'ann']
    await fetched({ 'dc:contributors': contributors }, { fetch: 'properties' })
    assert.deepEqual(contributors, ['bob', 'ann'])
  })

  test('does nothing without properties to show', async () => {
    const context = contextFor({ fetch: 'properties', headers: { properties: '' } })
    assert.ok(!(writeDocument(context, aTeam(stored)) instanceof Promise))
  })

  test('looks up each of them once for a whole list', async () => {
    const asked: string[] = []
    const teams = [aTeam({ 't:lead': 'ann', 'dc:creator': 'ann' }), aTeam({ 't:lead': 'ann' }), aTeam({ 't:lead': 'bob' })]
    await writeDocuments(contextFor({ fetch: 'properties', asked }), teams)
    assert.deepEqual(asked.sort(), ['ann', 'bob'])
  })
})

describe('a fetched document', () => {
  test('shows its base fields, and its properties when the depth allows', async () => {
    const shown = async (depth: string) =>
      (await fetched({ 't:home': 'home' }, { fetch: 't:home', headers: { depth } }))['t:home'] as Entity
    const plain = await shown('root')
    assert.equal(plain['uid'], 'home')
    assert.ok(!('properties' in plain))
    assert.ok('properties' in (await shown('children')))
  })

  test('stays a reference for a user who may not read it', async () => {
    for (const principal of [alice, createPrincipal('bob', [], { isAdministrator: false })]) {
      const properties = await fetched({ 't:home': 'home' }, { fetch: 'properties', principal })
      assert.equal(properties['t:home'], 'home')
    }
  })
})
