import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Called, callApi } from '../support/call-api.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import type { Program } from '../support/program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'

const administrator = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`
const workspaces = '/default-domain/workspaces'

for (const engine of engines) {
  describe(`a quota on ${engine} with two servers of two workers each`, () => {
    let place: DatabasePlace
    let programs: Program[] = []
    const start = () => startServerProgram(place, ['--workers', '2'])
    before(async () => {
      place = await filledPlace(engine)
      programs = await Promise.all([start(), start()])
    })
    after(async () => {
      for (const program of programs) assert.equal(await stopProgram(program), 0)
    })

    const urlOf = (caller: number) => programs[caller % programs.length]?.url ?? ''
    const call = (caller: number, method: string, path: string, body?: object) => callApi(urlOf(caller), method, path, body)
    const run = (caller: number, id: string, input: string, params: object) =>
      call(caller, 'POST', `/automation/${id}`, { input, params })
    const made = async (parent: string, name: string): Promise<string> => {
      const { status, body } = await call(0, 'POST', `/path${parent}`, { 'entity-type': 'document', type: 'Folder', name })
      assert.equal(status, 201)
      return body.uid
    }
    const setQuota = (caller: number, uid: string, targetSize: number) => run(caller, 'Quotas.SetMaxSize', uid, { targetSize })
    const totalOf = async (uid: string): Promise<number> => (await run(0, 'Quotas.GetInfo', uid, {})).body.value.totalSize
    const recounted = async (uid: string): Promise<number> => {
      assert.equal((await setQuota(0, uid, -1)).status, 200)
      assert.equal((await setQuota(0, uid, 0)).status, 200)
      return totalOf(uid)
    }
    const batchOf = async (caller: number, bytes: number): Promise<object> => {
      const { body } = await call(caller, 'POST', '/upload')
      const sent = await fetch(new URL(`api/v1/upload/${body.batchId}/0`, urlOf(caller)), {
        method: 'POST',
        headers: { authorization: administrator, 'X-File-Name': `of ${caller}` },
        body: Buffer.alloc(bytes, `${caller}`),
      })
      assert.equal(sent.status, 201)
      return { 'upload-batch': body.batchId, 'upload-fileId': '0' }
    }
    const create = async (caller: number, parent: string, content: object): Promise<Called> =>
      call(caller, 'POST', `/path${parent}`, {
        'entity-type': 'document',
        type: 'File',
        name: `f-${caller}`,
        properties: { 'file:content': content },
      })
    const callers = Array.from({ length: 24 }, (_, caller) => caller)

    test('lets in exactly what fits of uploads that come at once, into folders side by side below it', async () => {
      const uid = await made(workspaces, 'narrow')
      const folders = ['a', 'b', 'c']
      for (const name of folders) await made(`${workspaces}/narrow`, name)
      assert.equal((await setQuota(0, uid, 1_000)).status, 200)
      const contents = await Promise.all(callers.map((caller) => batchOf(caller, 90)))
      const answers = await Promise.all(
        callers.map((caller) => create(caller, `${workspaces}/narrow/${folders[caller % 3]}`, contents[caller] ?? {})),
      )
      const statuses = answers.map(({ status }) => status)
      assert.deepEqual(Object.groupBy(statuses, String)['201']?.length, 11, statuses.join())
      assert.ok(statuses.every((status) => status === 201 || status === 413))
      assert.equal(await totalOf(uid), 990)
      assert.equal(await recounted(uid), 990)
    })

    test('that is set while files come and go counts each of them once', async () => {
      for (const name of ['busy', 'busier']) {
        const uid = await made(workspaces, name)
        const path = `${workspaces}/${name}`
        const contents = await Promise.all(callers.map((caller) => batchOf(caller, 10)))
        const creating = callers.map(async (caller) => {
          await pause(Math.random() * 60)
          const { status, body } = await create(caller, path, contents[caller] ?? {})
          assert.equal(status, 201)
          if (caller % 3 === 0) assert.equal((await call(caller + 1, 'DELETE', `/id/${body.uid}`)).status, 204)
          if (caller % 3 === 1) {
            assert.equal((await run(caller + 1, 'Document.CreateVersion', body.uid, { increment: 'Minor' })).status, 200)
          }
        })
        await pause(20)
        assert.equal((await setQuota(1, uid, 0)).status, 200)
        await Promise.all(creating)
        assert.equal(await totalOf(uid), 16 * 10 + 8 * 10)
        assert.equal(await recounted(uid), 16 * 10 + 8 * 10)
      }
    })

    test('holds when a server is killed while it writes', async () => {
      const uid = await made(workspaces, 'killed')
      assert.equal((await setQuota(0, uid, 10_000)).status, 200)
      const contents = await Promise.all(callers.map((caller) => batchOf(caller, 50)))
      const writing = callers.map((caller) =>
        create(caller, `${workspaces}/killed`, contents[caller] ?? {}).catch(() => undefined),
      )
      await pause(30)
      programs[1]?.kill('SIGKILL')
      await Promise.all(writing)
      await programs[1]?.ended
      programs = [programs[0] as Program]
      const total = await totalOf(uid)
      assert.equal(await recounted(uid), total)
    })
  })
}
