import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Log, LogFields } from '../../src/base/log.ts'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import { deny } from '../../src/model/rights/acl.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { type DatabasePlace, dumpTables, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { type RawAnswer, requestBytes, sendBytes } from '../support/raw-http.ts'
import { injections, strangePaths, unknownAdapters, unknownRepositories, wrongPaging } from './hostile/addresses.ts'
import { malformedBodies, wrongEntities, wrongProperties } from './hostile/bodies.ts'
import { hostileBytes } from './hostile/bytes.ts'
import { curiosities } from './hostile/curiosities.ts'
import type { HostileRequest } from './hostile/hostile-request.ts'
import { wrongCredentials, wrongHeaders, wrongMediaTypes, wrongMethods } from './hostile/manners.ts'
import { impossibleWrites, missingRights } from './hostile/states.ts'

const refused: Readonly<Record<string, readonly HostileRequest[]>> = {
  'a body that is': malformedBodies,
  'a document that is': wrongEntities,
  'a document that has': wrongProperties,
  'an address with': strangePaths,
  'an address with an injection,': injections,
  'a repository that is unknown': unknownRepositories,
  'an adapter that is unknown or used wrongly,': unknownAdapters,
  'a list with': wrongPaging,
  'a method that is wrong,': wrongMethods,
  'a media type that is wrong,': wrongMediaTypes,
  'a header that is wrong,': wrongHeaders,
  'credentials that are wrong,': wrongCredentials,
  'a request without the right': missingRights,
  'a write that cannot be,': impossibleWrites,
}

for (const engine of engines) {
  describe(`a server on ${engine}`, () => {
    let place: DatabasePlace
    let server: TestServer
    let fixtures: Fixtures
    let dump: readonly string[]
    const complaints: LogFields[] = []

    before(async () => {
      place = await filledPlace(engine)
      server = await startTestServer({ settings: place.settings, log: keepingErrors(complaints) })
      fixtures = await createFixtures(server)
      await untilIdle(server)
      dump = await dumpTables(place)
    })
    after(() => server?.stop())

    for (const [group, rows] of Object.entries(refused)) {
      describe(`refuses ${group}`, () => {
        for (const row of rows) {
          test(`${row.what} (${row.status})`, async () => {
            const answer = await sendHostile(server, fixtures, row)
            assert.equal(answer.status, row.status, answer.text.slice(0, 200))
            if (row.status !== 417) assertErrorEntity(answer)
          })
        }
      })
    }

    describe('refuses bytes that are no request,', () => {
      for (const { what, bytes, status = 400, thenEnd = false } of hostileBytes) {
        test(`${what} (${status} or closed)`, async () => {
          const answer = await sendBytes(portOf(server), Buffer.from(bytes, 'latin1'), { thenEnd })
          assert.ok(answer.status === undefined || answer.status === status, answer.head)
          // Without a Host it is Node that answers, with nothing but the status.
          if (/^content-type:/im.test(answer.head)) assertErrorEntity(answer)
        })
      }
    })

    describe('answers what only looks hostile,', () => {
      for (const row of curiosities) {
        test(`${row.what} (${row.status})`, async () => {
          const answer = await sendHostile(server, fixtures, row)
          assert.equal(answer.status, row.status, answer.text.slice(0, 200))
        })
      }
    })

    test('has everything as it was', async () => {
      await untilIdle(server) // what the server does by itself at its hours
      const now = new Set(await dumpTables(place))
      assert.deepEqual([...now.symmetricDifference(new Set(dump))], [])
      assert.deepEqual(await filesIn(join(place.folder, 'blobs/arriving')), [])
    })

    test('has never failed', () => {
      assert.deepEqual(complaints, [])
    })

    test('has not given objects new members', () => {
      assert.deepEqual(Object.keys(Object.prototype), [])
      assert.equal(Object.hasOwn(Object.prototype, 'isAdministrator'), false)
    })

    test('still answers', async () => {
      const { status, body } = await server.as('Administrator').get(`/id/${fixtures['file']}`)
      assert.equal(status, 200)
      assert.equal(body.title, 'Unharmed')
    })
  })
}

function keepingErrors(complaints: LogFields[]): Log {
  const ignore = () => {}
  return { debug: ignore, info: ignore, warn: ignore, error: (fields) => void complaints.push(fields) }
}

type Fixtures = { readonly [name: string]: string }

/** What the requests are about: ids by the names that they use. */
async function createFixtures(server: TestServer): Promise<Fixtures> {
  await server.addUser('alice', ['members'])
  const administrator = server.as('Administrator')
  const create = async (parent: string, type: string, name: string) => {
    const { body } = await administrator.post(parent, {
      'entity-type': 'document',
      type,
      name,
      properties: { 'dc:title': 'Unharmed' },
    })
    return body.uid as string
  }
  const folder = await create('/path/default-domain/workspaces', 'Folder', 'folder')
  const file = await create(`/id/${folder}`, 'File', 'file')
  const secret = await create(`/id/${folder}`, 'File', 'secret')
  const held = await create(`/id/${folder}`, 'File', 'held')
  const titled = { 'entity-type': 'document', properties: { 'dc:description': 'versioned' } }
  const version = await administrator.put(`/id/${file}`, titled, { 'X-Versioning-Option': 'MINOR' })
  let deepest = folder
  for (let level = 0; level < 20; level++) deepest = await create(`/id/${deepest}`, 'Folder', '😀'.repeat(24))
  await server.asSystem(async (session) => {
    await setAcls(session, secret, [{ name: 'local', aces: [deny('Everyone', 'Everything')] }])
    const document = await session.tx.documents.findForUpdate(held)
    assert.ok(document)
    await session.tx.documents.update(document, { ...document, hasLegalHold: true })
  })
  return { folder, file, secret, held, deepest, version: version.body.uid, FILE: file.toUpperCase(), base: 'http://localhost/' }
}

function sendHostile(server: TestServer, fixtures: Fixtures, row: HostileRequest): Promise<RawAnswer> {
  const filled = (text: string) => text.replaceAll(/<(\w+)>/g, (placeholder, name: string) => fixtures[name] ?? placeholder)
  const credentials =
    row.user === null ? [] : [`Authorization: Basic ${Buffer.from(`${row.user}:${row.user}`).toString('base64')}`]
  const body = typeof row.body === 'string' ? filled(row.body) : row.body
  const request = { method: row.method, path: `/api/v1${filled(row.path)}`, headers: [...credentials, ...row.headers], body }
  return sendBytes(portOf(server), requestBytes(request))
}

function portOf(server: TestServer): number {
  return Number(new URL(server.url).port)
}

function assertErrorEntity({ status, head, text, json }: RawAnswer): void {
  assert.match(head, /^content-type: application\/json/im)
  assert.doesNotMatch(head, /^set-cookie:/im)
  if (json?.['entity-type'] === 'validation_report') return
  assert.equal(json?.['entity-type'], 'exception', text)
  assert.equal(json['status'], status)
  assert.ok(typeof json['message'] === 'string' && json['message'] !== '', text)
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => [])
}
