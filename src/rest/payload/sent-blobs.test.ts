import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../../test/support/model/builtin-model.ts'
import { alice, aModel, aSession, baseUrl } from '../../../test/support/rendering.ts'
import { aStoredChild, aStoredDocument } from '../../../test/support/stored-document.ts'
import { silentLog } from '../../base/log.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'
import { resolveBlobs, type Staging, stageBlobs } from './sent-blobs.ts'

const blob: BlobValue = {
  key: 'k',
  name: 'plan.pdf',
  'mime-type': 'application/pdf',
  encoding: null,
  digest: 'd41d',
  digestAlgorithm: 'MD5',
  length: 3,
}
const root = aStoredDocument({ id: 'root' })
const file = (id: string, given: Partial<Document> = {}) =>
  aStoredChild(root, id, { id, type: 'File', properties: { 'file:content': blob }, ...given })
const fileShape = builtinModel.shapeOf({ type: 'File' })

/** Remembers what was written. */
function aBlobStore() {
  const written: Buffer[] = []
  const write: BlobStore['write'] = async (content) => {
    const bytes = Buffer.from(content as Uint8Array)
    written.push(bytes)
    return { key: `key-${written.length}`, digest: 'digest', digestAlgorithm: 'MD5', length: bytes.length }
  }
  return { written, store: { write } as BlobStore }
}

const staging = (given: Partial<Staging> = {}): Staging => ({
  model: builtinModel,
  blobs: aBlobStore().store,
  baseUrl,
  log: silentLog,
  ...given,
})

async function decode(json: JsonObject, options: { session?: Session; staging?: Partial<Staging>; current?: Document } = {}) {
  const staged = await stageBlobs({ 'file:content': json }, staging(options.staging))
  const target = { shape: fileShape, ...(options.current && { current: options.current }) }
  return (await resolveBlobs(options.session ?? aSession(), staged, target)).find(json)
}

describe('a text sent as a blob', () => {
  test('is stored, and is plain text in UTF-8 unless told otherwise', async () => {
    const { written, store } = aBlobStore()
    const stored = await decode({ data: 'naïve', name: 'a.txt' }, { staging: { blobs: store } })
    assert.deepEqual(written, [Buffer.from('naïve')])
    assert.deepEqual(stored, {
      key: 'key-1',
      digest: 'digest',
      digestAlgorithm: 'MD5',
      length: 6,
      name: 'a.txt',
      'mime-type': 'text/plain',
      encoding: 'UTF-8',
    })
  })

  test('may say its type, its name in the older word, and its content so', async () => {
    const stored = await decode({ content: '<p>', filename: 'b.html', name: 'a.txt', 'mime-type': 'text/html' })
    assert.deepEqual([stored?.name, stored?.['mime-type']], ['b.html', 'text/html'])
  })

  test('is written in the encoding it names; one that is unknown becomes UTF-8 in name and bytes', async () => {
    const { written, store } = aBlobStore()
    const latin = await decode({ data: 'é', encoding: 'ISO-8859-1' }, { staging: { blobs: store } })
    const odd = await decode({ data: 'é', encoding: 'EBCDIC' }, { staging: { blobs: store } })
    assert.deepEqual(written, [Buffer.from([0xe9]), Buffer.from('é')])
    assert.deepEqual([latin?.encoding, odd?.encoding], ['ISO-8859-1', 'UTF-8'])
  })

  test('is found wherever the schema has a place for a blob, and nowhere else', async () => {
    const { written, store } = aBlobStore()
    const properties = {
      'files:files': [{ file: { data: 'one' } }, { file: null }, 'odd', { file: { data: 'two' } }],
      'dc:title': { data: 'no' },
      'unknown:blob': { data: 'no' },
      'file:content': 'no',
    }
    await stageBlobs(properties, staging({ blobs: store }))
    assert.deepEqual(written.map(String), ['one', 'two'])
  })
})

describe('a link to a blob of this server', () => {
  const link = (id: string, tail = 'file:content/plan.pdf') => ({
    data: `${baseUrl}nxfile/default/${id}/${tail}`,
    name: 'ignored',
  })

  test('stands for that very blob', async () => {
    assert.equal(await decode(link('other'), { session: aSession([file('other')]) }), blob)
  })

  test('of the document being changed is not looked up again', async () => {
    assert.equal(await decode(link('self'), { session: aSession([]), current: file('self') }), blob)
  })

  test('inside a list is found by its index', async () => {
    const other = file('other', { properties: { 'files:files': [{ file: null }, { file: blob }] } })
    assert.equal(await decode(link('other', 'files:files/1/file/x.pdf'), { session: aSession([other]) }), blob)
  })

  const refusals: [string, JsonObject, Session][] = [
    ['a document that is not there', link('gone'), aSession([])],
    ['a document without a blob there', link('empty'), aSession([file('empty', { properties: {} })])],
    ['a property that holds no blob', link('other', 'dc:title'), aSession([file('other')])],
    ['another repository', { data: `${baseUrl}nxfile/archive/other/file:content` }, aSession([file('other')])],
  ]
  for (const [name, json, session] of refusals) {
    test(`is refused when it leads to ${name}`, async () => {
      await assert.rejects(decode(json, { session }), { code: 'blobNotResolvable', kind: 'invalid' })
    })
  }

  test('is refused when the caller cannot read where it leads', async () => {
    const session = aSession([file('secret')], { principal: alice })
    const withRights = {
      ...session,
      repository: { ...session.repository, acps: { ...session.repository.acps, entriesOf: async () => [] } },
    }
    await assert.rejects(decode(link('secret'), { session: withRights }), { code: 'blobNotResolvable' })
  })

  test('is not followed for a property that the document does not have', async () => {
    const json = link('gone')
    const staged = await stageBlobs({ 'thumb:thumbnail': json }, staging())
    assert.equal((await resolveBlobs(aSession(), staged, { shape: fileShape })).find(json), undefined)
  })
})

describe('an object that stands for no blob', () => {
  const rows: [string, JsonObject][] = [
    ['a link to another server', { data: 'http://elsewhere/nxfile/default/x/file:content' }],
    ['a key of an external provider', { providerId: 'p', key: 'k' }],
    ['an upload without a file', { 'upload-batch': 'batch' }],
    ['nothing that is known', { 'entity-type': 'blob' }],
  ]
  for (const [name, json] of rows) test(`${name} is ignored`, async () => assert.equal(await decode(json), undefined))
})

describe('a file of an upload batch', () => {
  const uploads: Staging['uploads'] = {
    find: async (batchId, fileId) => (batchId === 'batch' && fileId === '0' ? blob : undefined),
  }

  test('is found by its ids, the second as text or number', async () => {
    for (const fileId of ['0', 0]) {
      assert.equal(await decode({ 'upload-batch': 'batch', 'upload-fileId': fileId }, { staging: { uploads } }), blob)
    }
  })

  test('that was not uploaded is ignored with a warning', async () => {
    const warnings: unknown[] = []
    const log = { ...silentLog, warn: (fields: object) => warnings.push(fields) }
    const json = { 'upload-batch': 'batch', 'upload-fileId': '7' }
    assert.equal(await decode(json, { staging: { uploads, log } }), undefined)
    assert.equal(await decode(json, { staging: { log } }), undefined)
    assert.deepEqual(warnings, Array(2).fill({ event: 'upload.unknown', batchId: 'batch', fileId: '7' }))
  })

  test('comes after a text and after a link in the same object', async () => {
    const { written, store } = aBlobStore()
    await decode({ data: 'text', 'upload-batch': 'batch', 'upload-fileId': '0' }, { staging: { uploads, blobs: store } })
    assert.equal(written.length, 1)
    const foreign = { data: 'http://elsewhere/x', 'upload-batch': 'batch', 'upload-fileId': '0' }
    assert.equal(await decode(foreign, { staging: { uploads } }), blob)
  })
})

test('what a first run of a transaction resolved does not outlive it', async () => {
  const json = { data: `${baseUrl}nxfile/default/other/file:content` }
  const staged = await stageBlobs({ 'file:content': json }, staging({ model: aModel() }))
  await resolveBlobs(aSession([file('other')]), staged, { shape: fileShape })
  await assert.rejects(resolveBlobs(aSession([]), staged, { shape: fileShape }), { code: 'blobNotResolvable' })
})
