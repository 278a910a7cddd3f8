import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { alice, aModel, aRenderContext, aSession, baseUrl, type RenderOptions } from '../../../test/support/rendering.ts'
import { aStoredChild, aStoredDocument, aStoredProxy, aStoredVersion } from '../../../test/support/stored-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { defineDocumentType } from '../../model/document-type.ts'
import { complex, double, list, long, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'
import { writeDocument, writeEmptyDocument } from './document-entity.ts'
import type { DocumentEnricher, EnricherSubject } from './rendering.ts'

type Entity = { [field: string]: unknown }

const folder = aStoredDocument({ id: 'folder', path: '/work', name: 'work' })
const file = (given: Partial<Document> = {}) => aStoredChild(folder, 'plan', { id: 'file', type: 'File', ...given })

const write = async (document: Document, options: RenderOptions = {}, session: Session = aSession()): Promise<Entity> =>
  writeDocument(aRenderContext(session, options), document)

const propertiesOf = async (document: Document, options: RenderOptions = {}, session?: Session) =>
  (await write(document, { headers: { properties: '*' }, ...options }, session))['properties'] as Entity

describe('the fields of a document', () => {
  test('are nineteen, in the order of the contract, when nothing more is asked for', async () => {
    assert.deepEqual(Object.entries(await write(file({ properties: { 'dc:title': 'Plan' } }))), [
      ['entity-type', 'document'],
      ['repository', 'default'],
      ['uid', 'file'],
      ['path', '/work/plan'],
      ['type', 'File'],
      ['state', 'project'],
      ['parentRef', 'folder'],
      ['isCheckedOut', true],
      ['isRecord', false],
      ['retainUntil', null],
      ['hasLegalHold', false],
      ['isUnderRetentionOrLegalHold', false],
      ['isVersion', false],
      ['isProxy', false],
      ['changeToken', '0-0'],
      ['isTrashed', false],
      ['title', 'Plan'],
      ['facets', ['Downloadable', 'Versionable', 'Publishable', 'Commentable', 'HasRelatedText', 'NXTag']],
      [
        'schemas',
        [
          { name: 'common', prefix: 'common' },
          { name: 'file', prefix: 'file' },
          { name: 'dublincore', prefix: 'dc' },
          { name: 'uid', prefix: 'uid' },
          { name: 'files', prefix: 'files' },
          { name: 'relatedtext', prefix: 'relatedtext' },
          { name: 'facetedTag', prefix: 'nxtag' },
        ],
      ],
    ])
  })

  test('keep their order when all of them are there', async () => {
    const locked = file({
      lock: { owner: 'bob', created: '2031-02-03T09:10:11.120Z' },
      properties: { 'dc:modified': '2031-02-03T09:15:00.042Z' },
    })
    const headers = { properties: 'dublincore', 'fetch-document': 'versionLabel,lock', 'enrichers-document': 'nothing' }
    const nothing: DocumentEnricher = { name: 'nothing', entityType: 'document', enrich: async () => ({}) }
    const entity = await write(locked, { headers, rendering: { findDocumentEnricher: () => nothing } })
    assert.deepEqual(Object.keys(entity).slice(16), [
      'title',
      'versionLabel',
      'lockOwner',
      'lockCreated',
      'lastModified',
      'properties',
      'facets',
      'schemas',
      'contextParameters',
    ])
    assert.deepEqual(entity['contextParameters'], {})
    assert.equal(entity['lastModified'], '2031-02-03T09:15:00.042Z')
    assert.deepEqual([entity['lockOwner'], entity['lockCreated']], ['bob', '2031-02-03T09:10:11.120Z'])
  })

  test('are given at once, without a promise, when nothing has to be looked up', () => {
    const context = aRenderContext(aSession(), { headers: { properties: '*', 'fetch-document': 'versionLabel,lock' } })
    assert.ok(!(writeDocument(context, file()) instanceof Promise))
  })

  test('show a lock only when there is one, and neither lock nor label unasked', async () => {
    const lock = { owner: 'bob', created: '2031-02-03T09:10:11.120Z' }
    assert.ok(!('lockOwner' in (await write(file(), { headers: { 'fetch-document': 'lock' } }))))
    assert.ok(!('lockOwner' in (await write(file({ lock })))))
    assert.ok(!('versionLabel' in (await write(file()))))
  })

  test('show lock and label unasked where the server is set to', async () => {
    const entity = await write(file({ lock: { owner: 'bob', created: '2031-02-03T09:10:11.120Z' } }), {
      facts: { fetchHeavy: true },
    })
    assert.deepEqual([entity['lockOwner'], entity['versionLabel']], ['bob', '0.0'])
  })

  test('say what is held', async () => {
    const retained = await write(file({ isRecord: true, retainUntil: '2031-07-01T00:00:00.000Z' }))
    assert.deepEqual([retained['isRecord'], retained['isUnderRetentionOrLegalHold']], [true, true])
    const over = await write(file({ retainUntil: '2031-05-01T00:00:00.000Z' }))
    assert.equal(over['isUnderRetentionOrLegalHold'], false)
  })

  test('show the modification time as token, or none, where tokens are switched off', async () => {
    const session = aSession([], { changeTokens: false })
    const modified = file({ properties: { 'dc:modified': '2031-02-03T09:15:00.042Z' } })
    assert.equal((await write(modified, {}, session))['changeToken'], '1927876500042')
    assert.equal((await write(file(), {}, session))['changeToken'], null)
  })

  test('show a placeless document by its bare name', async () => {
    const entity = await write(file({ parentId: null, path: null }))
    assert.deepEqual([entity['path'], entity['parentRef']], ['plan', null])
  })
})

describe('a version', () => {
  const live = file({ isCheckedIn: true, majorVersion: 0, minorVersion: 1 })
  const version = aStoredVersion(live, { id: 'version' })

  test('shows the place of its live document and names its series', async () => {
    const entity = await write(version, { headers: { 'fetch-document': 'versionLabel' } }, aSession([live, version]))
    assert.deepEqual(
      [
        entity['uid'],
        entity['path'],
        entity['parentRef'],
        entity['versionableId'],
        entity['isCheckedOut'],
        entity['versionLabel'],
      ],
      ['version', '/work/plan', 'folder', 'file', false, '0.1'],
    )
    assert.ok(!('proxyTargetId' in entity))
    assert.ok((entity['facets'] as string[]).includes('Immutable'))
  })

  test('is nowhere once the live document is gone', async () => {
    const entity = await write(version, {}, aSession([version]))
    assert.deepEqual([entity['path'], entity['parentRef']], [null, null])
  })
})

describe('a proxy', () => {
  const section = aStoredDocument({ id: 'section', path: '/sections', name: 'sections' })

  test('to a version has its own place, names target and series, and is immutable', async () => {
    const proxy = { ...aStoredProxy(section, 'plan', aStoredVersion(file(), { id: 'version' })), type: 'File' }
    const entity = await write(proxy)
    assert.deepEqual(
      [entity['path'], entity['parentRef'], entity['proxyTargetId'], entity['versionableId']],
      ['/sections/plan', 'section', 'version', 'file'],
    )
    assert.ok((entity['facets'] as string[]).includes('Immutable'))
  })

  test('to a live document is as changeable as that', async () => {
    const entity = await write({ ...aStoredProxy(section, 'plan', file()), type: 'File' })
    assert.ok(!(entity['facets'] as string[]).includes('Immutable'))
  })

  test('shows the schemas whose values it keeps itself, in addition', async () => {
    const proxy = { ...aStoredProxy(section, 'plan', file()), type: 'File' }
    const entity = await write(proxy, { headers: { properties: '*' } })
    const added = (entity['schemas'] as { name: string }[]).map(({ name }) => name).slice(-2)
    assert.deepEqual(added, ['collectionMember', 'notification'])
    assert.deepEqual((entity['properties'] as Entity)['collectionMember:collectionIds'], [])
    assert.ok(!('collectionMember:collectionIds' in (await propertiesOf(file()))))
  })
})

describe('a document that is not stored', () => {
  const unstored = (name: string, parentPath: string | null, given: Partial<Document> = {}) =>
    ({ parentPath, document: file({ id: 'made-up', name, path: null, ...given }) }) as const
  const place = async (name: string, parentPath: string | null) => {
    const entity = await writeEmptyDocument(aRenderContext(aSession()), unstored(name, parentPath))
    return [entity['path'], entity['parentRef'], entity['title']]
  }

  test('has neither id nor state nor token', async () => {
    const entity = await writeEmptyDocument(aRenderContext(aSession()), unstored('plan', '/work'))
    assert.deepEqual([entity['uid'], entity['state'], entity['changeToken'], entity['isCheckedOut']], [null, null, null, true])
  })

  test('is shown where it would be', async () => {
    assert.deepEqual(await place('plan', '/work'), ['/work/plan', '/work', 'plan'])
    assert.deepEqual(await place('', '/work'), ['/work/null', '/work', ''])
    assert.deepEqual(await place('plan', '/'), ['/plan', '/', 'plan'])
    assert.deepEqual(await place('plan', null), ['plan', null, 'plan'])
    assert.deepEqual(await place('', null), [null, null, ''])
  })

  test('leaves out what only administrators may set, so that it can be posted back', async () => {
    const model = aModel({
      schemas: [defineSchema('grades', { fields: { secret: string({ default: 'x' }), open: string() }, secured: ['secret'] })],
      documentTypes: [defineDocumentType('Graded', { extends: 'Document', schemas: ['grades'] })],
    })
    const subject = unstored('plan', '/work', { type: 'Graded' })
    const shown = async (session: Session) => {
      const entity = await writeEmptyDocument(aRenderContext(session, { headers: { properties: '*' } }), subject)
      return Object.keys(entity['properties'] as Entity)
    }
    assert.deepEqual(await shown(aSession([], { model, principal: alice })), ['grades:open'])
    assert.deepEqual(await shown(aSession([], { model })), ['grades:secret', 'grades:open'])
    const stored = await write(
      file({ type: 'Graded' }),
      { headers: { properties: '*' } },
      aSession([], { model, principal: alice }),
    )
    assert.equal((stored['properties'] as Entity)['grades:secret'], 'x')
  })
})

describe('the properties', () => {
  test('are absent when no schema is asked for, and empty when the document has none of those asked for', async () => {
    assert.ok(!('properties' in (await write(file()))))
    assert.deepEqual(await propertiesOf(file(), { headers: { properties: 'note,unheard-of' } }), {})
  })

  test('are those of the schemas asked for, schemas in alphabetical order', async () => {
    const names = Object.keys(await propertiesOf(file(), { headers: { properties: 'uid,file,note' } }))
    assert.deepEqual(names, ['file:content', 'uid:uid', 'uid:major_version', 'uid:minor_version'])
  })

  test('show what is unset as null, [] or an object of nulls, and never a field that was removed', async () => {
    const properties = await propertiesOf(file({ type: 'Picture' }))
    assert.equal(properties['dc:title'], null)
    assert.equal(properties['file:content'], null)
    assert.deepEqual(properties['dc:subjects'], [])
    assert.deepEqual(properties['picture:views'], [])
    assert.deepEqual(properties['picture:info'], { width: null, height: null, depth: null, format: null, colorSpace: null })
    assert.ok(!('common:size' in properties) && !('file:filename' in properties))
  })

  test('show defaults where nothing is stored', async () => {
    const workspace = file({ type: 'Workspace' })
    assert.equal((await propertiesOf(workspace))['webc:theme'], 'sites')
    assert.equal((await propertiesOf({ ...workspace, properties: { 'webc:theme': null } }))['webc:theme'], 'sites')
    assert.equal((await propertiesOf({ ...workspace, properties: { 'webc:theme': 'dark' } }))['webc:theme'], 'dark')
  })

  test('take the numbers of a version from its row, whatever is stored beside it', async () => {
    const numbered = file({ majorVersion: 2, minorVersion: 7, properties: { 'uid:major_version': 99 } })
    const properties = await propertiesOf(numbered)
    assert.deepEqual([properties['uid:major_version'], properties['uid:minor_version']], [2, 7])
  })

  test('of one document never show in another of the same type', async () => {
    await propertiesOf(file({ type: 'Picture', properties: { 'picture:info': { width: 5 }, 'dc:title': 'first' } }))
    const second = await propertiesOf(file({ type: 'Picture' }))
    assert.equal(second['dc:title'], null)
    assert.deepEqual(second['picture:info'], { width: null, height: null, depth: null, format: null, colorSpace: null })
  })

  test('fill in the members of parts and items, cut what a whole number holds behind the point, keep big numbers', async () => {
    const model = aModel({
      schemas: [
        defineSchema('sample', {
          prefix: 's',
          fields: {
            count: long(),
            counts: list(long()),
            ratio: double(),
            people: list(complex({ name: string(), age: long({ default: 1 }), tags: list(string()) })),
          },
        }),
      ],
      documentTypes: [defineDocumentType('Sample', { extends: 'Document', schemas: ['sample'] })],
    })
    const stored = file({
      type: 'Sample',
      properties: {
        's:count': 9223372036854775807n,
        's:counts': [1.9, 2],
        's:ratio': 1.5,
        's:people': [{ name: 'ann' }, { age: null }],
      },
    })
    assert.deepEqual(await propertiesOf(stored, {}, aSession([], { model })), {
      's:count': 9223372036854775807n,
      's:counts': [1, 2],
      's:ratio': 1.5,
      's:people': [
        { name: 'ann', age: 1, tags: [] },
        { name: null, age: null, tags: [] },
      ],
    })
  })
})

describe('a blob', () => {
  const blob = {
    key: 'k',
    name: 'plan v2.pdf',
    'mime-type': 'application/pdf',
    encoding: null,
    digest: 'd41d',
    digestAlgorithm: 'MD5',
    length: 20480,
  }

  test('is shown with a link to its bytes and without its place in the blob store', async () => {
    const properties = await propertiesOf(file({ changeToken: { system: 3, user: 1 }, properties: { 'file:content': blob } }))
    assert.deepEqual(Object.entries(properties['file:content'] as Entity), [
      ['name', 'plan v2.pdf'],
      ['mime-type', 'application/pdf'],
      ['encoding', null],
      ['digestAlgorithm', 'MD5'],
      ['digest', 'd41d'],
      ['length', '20480'],
      ['data', `${baseUrl}nxfile/default/file/file:content/plan%20v2.pdf?changeToken=3-1`],
    ])
  })

  test('inside a list is linked by its index', async () => {
    const properties = await propertiesOf(
      file({ properties: { 'files:files': [{ file: null }, { file: { ...blob, name: null } }] } }),
    )
    const [none, some] = properties['files:files'] as { file: Entity | null }[]
    assert.equal(none?.file, null)
    assert.equal(some?.file?.['data'], `${baseUrl}nxfile/default/file/files:files/1/file?changeToken=0-0`)
  })

  test('of a document that is not stored has no link', async () => {
    const document = file({ properties: { 'file:content': blob } })
    const context = aRenderContext(aSession(), { headers: { properties: 'file' } })
    const { properties = {} } = await writeEmptyDocument(context, { parentPath: null, document })
    assert.equal((properties['file:content'] as Entity)['data'], '')
  })

  test('offers no programs to open it with, and says so when asked', async () => {
    const document = file({ properties: { 'file:content': blob } })
    const asked = await propertiesOf(document, { headers: { properties: 'file', 'enrichers-blob': 'appLinks' } })
    assert.deepEqual((asked['file:content'] as Entity)['appLinks'], [])
    assert.ok(!('appLinks' in ((await propertiesOf(document))['file:content'] as Entity)))
  })
})

describe('enrichers', () => {
  const known = (...enrichers: DocumentEnricher[]): RenderOptions['rendering'] => ({
    findDocumentEnricher: (name) => enrichers.find((one) => one.name === name),
  })
  const telling = (name: string, enrich: DocumentEnricher['enrich']): DocumentEnricher => ({
    name,
    entityType: 'document',
    enrich,
  })

  test('are called with the document and add what they have to say', async () => {
    let subject: EnricherSubject | undefined
    const rendering = known(
      telling('one', async (given) => {
        subject = given
        return { one: 1, uno: 'I' }
      }),
    )
    const document = file()
    const entity = await write(document, { headers: { 'enrichers-document': 'one,unknown' }, ...(rendering && { rendering }) })
    assert.deepEqual(entity['contextParameters'], { one: 1, uno: 'I' })
    assert.equal(subject?.document, document)
    assert.equal(subject?.isStored, true)
  })

  test('that are unknown leave no trace', async () => {
    assert.ok(!('contextParameters' in (await write(file(), { headers: { 'enrichers-document': 'unknown' } }))))
  })

  test('that fail are left out and logged, and the others go on', async () => {
    const warnings: unknown[] = []
    const log = { debug() {}, info() {}, error() {}, warn: (fields: unknown) => warnings.push(fields) }
    const rendering = known(
      telling('bad', () => Promise.reject(new Error('broken'))),
      telling('worse', () => {
        throw new Error('broken at once')
      }),
      telling('good', async () => ({ good: true })),
    )
    const headers = { 'enrichers-document': 'worse,good,bad' }
    const entity = await write(file(), { headers, services: { log }, ...(rendering && { rendering }) })
    assert.deepEqual(entity['contextParameters'], { good: true })
    assert.deepEqual(
      warnings.map((fields) => (fields as { enricher: string }).enricher),
      ['bad', 'worse'],
    )
  })

  test('and properties go down as deep as asked for and no deeper', async () => {
    const rendering = known(
      telling('self', async ({ document, context }) => ({ self: await writeDocument(context.nested(), document) })),
    )
    const levelsShown = async (depth: string) => {
      const headers = { properties: '*', 'enrichers-document': 'self', depth }
      let entity = await write(file(), { headers, ...(rendering && { rendering }) })
      let levels = 0
      for (; 'properties' in entity; levels++) entity = (entity['contextParameters'] as { self: Entity }).self
      assert.ok(!('contextParameters' in entity))
      return levels
    }
    assert.deepEqual(await Promise.all(['root', 'children', 'max', 'nonsense'].map(levelsShown)), [1, 2, 3, 1])
  })
})
