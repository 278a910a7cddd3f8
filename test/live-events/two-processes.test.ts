import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { callOnce } from '../support/call-once.ts'
import type { DatabasePlace } from '../support/database-place.ts'
import { basicHeader, type EventStream, openEventStream } from '../support/event-stream.ts'
import { filledPlace } from '../support/fresh-place.ts'
import type { Program } from '../support/program.ts'
import { startServerProgram } from '../support/server-programs.ts'

const arrangements = [
  { name: 'two workers of one server on SQLite', engine: 'sqlite', servers: 1, workers: 2 },
  { name: 'two servers on one PostgreSQL', engine: 'postgres', servers: 2, workers: 1 },
] as const

/** So many that every process has some of them. */
const witnesses = 6
const changes = 8
const patience = { timeout: 120_000 }

for (const { name, engine, servers, workers } of arrangements) {
  describe(`live events in ${name}`, () => {
    let place: DatabasePlace
    let programs: readonly Program[] = []
    let turn = 0
    const next = () => programs[turn++ % programs.length]?.url ?? ''
    const call = async (method: string, path: string, body?: object) => {
      const answer = await callOnce(next(), 'Administrator', method, path, body)
      assert.ok(answer.status < 300, JSON.stringify(answer))
      return answer.body
    }
    const create = (file: string) =>
      call('POST', '/path/default-domain/workspaces', { 'entity-type': 'document', type: 'File', name: file })

    before(async () => {
      place = await filledPlace(engine)
      const server = await startTestServer({ settings: place.settings })
      await server.addUser('ann', ['members'])
      await server.stop()
      const start = () => startServerProgram(place, ['--workers', String(workers)])
      programs = await Promise.all(Array.from({ length: servers }, start))
    })
    after(() => {
      for (const program of programs) program.kill('SIGKILL')
    })

    const listen = (headers = {}) => openEventStream(next(), { ...basicHeader('ann'), ...headers })
    const listenEverywhere = () => Promise.all(Array.from({ length: witnesses }, () => listen()))
    const hearAll = (streams: readonly EventStream[], uid: string) =>
      Promise.all(streams.map((stream) => stream.until(({ data }) => data.documentId === uid)))

    test('come to whoever listens, whichever process commits, in one order', patience, async () => {
      const streams = await listenEverywhere()
      const uids: string[] = []
      for (let count = 0; count < changes; count += 1) uids.push((await create(`change ${count}`)).uid)
      await hearAll(streams, uids.at(-1) ?? '')
      for (const { heard } of streams) {
        assert.deepEqual(
          heard.map(({ data }) => data.documentId),
          uids,
        )
      }
      for (const stream of streams) stream.close()
    })

    test('go on in another process where they stopped in one', patience, async () => {
      const witness = await listen()
      const heard: string[] = []
      let lastEventId: string | undefined
      let last = ''
      for (let count = 0; count < changes; count += 1) {
        const stream = await listen(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId })
        last = (await create(`there ${count}`)).uid
        await hearAll([stream], last)
        heard.push(...stream.heard.map(({ data }) => data.documentId))
        lastEventId = stream.lastEventId
        stream.close()
        await stream.closed
        await create(`between ${count}`)
      }
      await hearAll([witness], last)
      const ids = witness.heard.map(({ data }) => data.documentId)
      assert.deepEqual(heard, ids.slice(0, ids.indexOf(last) + 1))
      witness.close()
    })

    test('tell of a removal who was in the group then, whichever process let them in', patience, async () => {
      const streams = await listenEverywhere()
      await call('POST', '/group', { 'entity-type': 'group', groupname: 'gone', grouplabel: 'Gone' })
      const remove = async (file: string) => {
        const { uid } = await create(file)
        await call('POST', `/id/${uid}/@op/Document.SetACE`, {
          params: { user: 'gone', permission: 'Read', overwrite: true, grant: true },
        })
        await call('POST', `/id/${uid}/@op/Document.BlockPermissionInheritance`, { params: {} })
        await call('DELETE', `/id/${uid}`)
        return uid
      }
      const isRemovalOf = (uid: string) => (one: EventStream['heard'][number]) =>
        one.data.documentId === uid && one.data.event === 'documentRemoved'
      const before = await remove('removed before')
      await call('POST', '/user/ann/group/gone')
      const after = await remove('removed after')
      await hearAll(streams, (await create('marker')).uid)
      for (const { heard } of streams) {
        assert.deepEqual([heard.some(isRemovalOf(before)), heard.some(isRemovalOf(after))], [false, true])
      }
      for (const stream of streams) stream.close()
    })

    test('end at once when the servers stop, which wait for nobody', patience, async () => {
      const streams = await listenEverywhere()
      const { uid } = await create('last')
      await hearAll(streams, uid)
      for (const program of programs) program.kill('SIGTERM')
      await Promise.all(streams.map(({ closed }) => closed))
      for (const { code, complained, printed } of await Promise.all(programs.map(({ ended }) => ended))) {
        assert.equal(code, 0, complained)
        assert.doesNotMatch(`${printed}${complained}`, /cut off/)
      }
    })
  })
}
