import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { type Called, callApi } from '../support/call-api.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import type { Program } from '../support/program.ts'
import { findFlaws } from '../support/repository-flaws.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'

/** How many servers, with how many workers each, write to one database. */
const arrangements = {
  'one process': { servers: 1, workers: 1 },
  'two workers of one server': { servers: 1, workers: 2 },
  'two servers': { servers: 2, workers: 1 },
} as const

const writers = 25
const workspaces = '/path/default-domain/workspaces'

for (const engine of engines) {
  for (const [arrangement, { servers, workers }] of Object.entries(arrangements)) {
    describe(`many who write at once to ${arrangement} on ${engine}`, () => {
      let place: DatabasePlace
      let programs: readonly Program[] = []

      before(async () => {
        place = await filledPlace(engine)
        const start = () => startServerProgram(place, ['--workers', String(workers)])
        programs = await Promise.all(Array.from({ length: servers }, start))
      })
      after(async () => {
        for (const program of programs) assert.equal(await stopProgram(program), 0)
      })
      afterEach(async () => assert.deepEqual(await findFlaws(place), []))

      const call = (method: string, path: string, body?: object, headers?: { [name: string]: string }, writer = 0) =>
        callApi(programs[writer % programs.length]?.url ?? '', method, path, body, headers)
      const allAtOnce = (write: (writer: number) => Promise<Called>, count = writers) =>
        Promise.all(Array.from({ length: count }, (_, writer) => write(writer)))
      const create = async (parent: string, type: string, name: string): Promise<string> => {
        const { status, body } = await call('POST', parent, { 'entity-type': 'document', type, name })
        assert.equal(status, 201)
        return body.uid
      }
      const creating = (parent: string, name: string) => (writer: number) =>
        call('POST', parent, { 'entity-type': 'document', type: 'File', name }, {}, writer)
      const updating = (id: string, fields: object, headers?: { [name: string]: string }) => (writer: number) => {
        const properties = { 'dc:title': `by ${writer}` }
        return call('PUT', `/id/${id}`, { 'entity-type': 'document', uid: id, properties, ...fields }, headers, writer)
      }

      test('find one tree, though they may have been the first to start on an empty database', async () => {
        const paths = await place.query('SELECT path FROM documents WHERE path IS NOT NULL ORDER BY path')
        assert.equal(paths.filter(({ path }) => path === '/').length, 1)
        assert.equal(paths.filter(({ path }) => String(path).startsWith('/default-domain')).length, 4)
      })

      test('create documents of one name in one folder, each under a name of its own', async () => {
        const folder = await create(workspaces, 'Folder', 'same name')
        const answers = await allAtOnce(creating(`/id/${folder}`, 'same'))
        assert.deepEqual(statusesOf(answers), { 201: writers })
        assert.equal(new Set(answers.map(({ body }) => body.path)).size, writers)
        const { body } = await call('GET', `/id/${folder}/@children?pageSize=${writers * 2}`)
        assert.equal(body.entries.length, writers)
      })

      test('create documents in an ordered folder, each at a place of its own', async () => {
        const folder = await create(workspaces, 'OrderedFolder', 'ordered')
        assert.deepEqual(statusesOf(await allAtOnce(creating(`/id/${folder}`, 'ordered'))), { 201: writers })
        const places = await place.query(`SELECT DISTINCT pos FROM documents WHERE parent_id = '${folder}'`)
        assert.equal(places.length, writers)
      })

      test('repeat one request with its key: it is done once', async () => {
        const folder = await create(workspaces, 'Folder', 'one key')
        const body = { 'entity-type': 'document', type: 'File', name: 'once' }
        const headers = { 'Idempotency-Key': folder }
        const answers = await allAtOnce((writer) => call('POST', `/id/${folder}`, body, headers, writer), 12)
        const done = answers.filter(({ status }) => status === 201)
        assert.equal(new Set(done.map(({ body: { uid } }) => uid)).size, 1)
        assert.deepEqual(new Set(Object.keys(statusesOf(answers))).difference(new Set(['201', '409'])), new Set())
        assert.equal((await place.query(`SELECT id FROM documents WHERE parent_id = '${folder}'`)).length, 1)
      })

      test('change a document with one token: one succeeds, the others learn of it', async () => {
        const id = await create(workspaces, 'File', 'one token')
        const { body: read } = await call('GET', `/id/${id}`)
        const answers = await allAtOnce(updating(id, { changeToken: read.changeToken }))
        assert.deepEqual(statusesOf(answers), { 200: 1, 409: writers - 1 })
        const winner = answers.find(({ status }) => status === 200)?.body
        const { body: stored } = await call('GET', `/id/${id}`)
        assert.equal(stored.title, winner.title)
        assert.equal(stored.changeToken, winner.changeToken)
        for (const { status, body } of answers) if (status === 409) assert.equal(body.message, id)
      })

      test('change a document without a token: all succeed and every change is counted', async () => {
        const id = await create(workspaces, 'File', 'no token')
        const { body: read } = await call('GET', `/id/${id}`)
        assert.deepEqual(statusesOf(await allAtOnce(updating(id, {}))), { 200: writers })
        const { body: stored } = await call('GET', `/id/${id}`)
        assert.equal(systemPart(stored) - systemPart(read), writers)
      })

      test('make versions of a document: each gets a number of its own', async () => {
        const id = await create(workspaces, 'File', 'versions')
        const headers = { 'X-Versioning-Option': 'MINOR', 'fetch-document': 'versionLabel' }
        const answers = await allAtOnce(updating(id, {}, headers))
        assert.deepEqual(statusesOf(answers), { 200: writers })
        assert.equal(new Set(answers.map(({ body }) => body.versionLabel)).size, writers)
      })

      test('create in a folder that someone removes: a document is in the folder or not at all', async () => {
        for (let round = 0; round < 8; round++) {
          const folder = await create(workspaces, 'Folder', 'doomed')
          const remove = (writer: number) => call('DELETE', `/id/${folder}`, undefined, {}, writer)
          const answers = await allAtOnce(
            (writer) => (writer === 4 ? remove(writer) : creating(`/id/${folder}`, 'child')(writer)),
            12,
          )
          assert.equal(answers[4]?.status, 204)
          assert.deepEqual(new Set(Object.keys(statusesOf(answers))).difference(new Set(['201', '204', '404'])), new Set())
          assert.deepEqual(await place.query(`SELECT id FROM documents WHERE parent_id = '${folder}'`), [])
        }
      })

      test('create deep in a tree that someone removes: nothing is left of it', async () => {
        for (let round = 0; round < 4; round++) {
          const top = await create(workspaces, 'Folder', 'tree')
          const middle = await create(`/id/${top}`, 'Folder', 'middle')
          const bottom = await create(`/id/${middle}`, 'Folder', 'bottom')
          const parents = [top, middle, bottom]
          const answers = await allAtOnce((writer) => {
            if (writer === 3) return call('DELETE', `/id/${top}`, undefined, {}, writer)
            return creating(`/id/${parents[writer % 3]}`, 'leaf')(writer)
          }, 12)
          assert.equal(answers[3]?.status, 204)
          assert.deepEqual(await place.query("SELECT path FROM documents WHERE path LIKE '/default-domain/workspaces/tree%'"), [])
        }
      })
    })
  }
}

function statusesOf(answers: readonly Called[]): { [status: string]: number } {
  const counts: { [status: string]: number } = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

function systemPart({ changeToken }: { readonly changeToken: string }): number {
  return Number(changeToken.split('-')[0])
}
