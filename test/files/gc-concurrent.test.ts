import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { checkBlobs } from '../../src/core/blob-check/check-blobs.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { ageAll, type FileServer, listKeys, onEachFileServer } from '../support/file-servers.ts'

// As long as it takes on a busy machine until much was removed, but not for ever.
const leastSeconds = 7
const maxSeconds = 60
const much = 6
const folder = '/path/default-domain/workspaces'

// A content is in use for a moment, becomes garbage, and about when it is removed it comes again.
const slotMillis = 200
const leastGraceMillis = 2_000
const contentNow = () => `content ${Math.floor(Date.now() / slotMillis) - (randomInt(2) === 0 ? 0 : randomInt(12, 24))}`
const textBlob = (text: string) => ({ data: text, name: 'a.txt', 'mime-type': 'text/plain' })

/** What people do with files all day, at random. */
function createTraffic({ server }: FileServer) {
  const administrator = server.as('Administrator')
  const uids: string[] = []
  const leftBatches: string[] = []
  let slowest = 0
  const counts = { created: 0, uploaded: 0, linked: 0, replaced: 0, removed: 0 }

  const create = (content: object) =>
    administrator.post(folder, { 'entity-type': 'document', type: 'File', name: 'f', properties: { 'file:content': content } })
  const keep = (answer: ApiAnswer, kind: keyof typeof counts) => {
    assert.equal(answer.status, 201, answer.text)
    uids.push(answer.body.uid)
    counts[kind] += 1
  }
  const newestUid = () => uids.at(-1) ?? ''

  const actions = {
    create: async () => keep(await create(textBlob(contentNow())), 'created'),

    async upload() {
      const { batchId } = (await administrator.post('/upload')).body
      const isLeft = randomInt(4) === 0
      const body = Buffer.from(isLeft ? `left in ${batchId}` : contentNow())
      const sent = await administrator.call('POST', `api/v1/upload/${batchId}/0`, { body, headers: { 'x-file-name': 'a.txt' } })
      assert.equal(sent.status, 201, sent.text)
      if (isLeft) leftBatches.push(batchId)
      else keep(await create({ 'upload-batch': batchId, 'upload-fileId': '0' }), 'uploaded')
    },

    /** What is linked to may be gone by now; then nothing is made. */
    async link() {
      const answer = await create({ data: `${server.url}nxfile/default/${newestUid()}/file:content` })
      if (answer.status === 400) return
      keep(answer, 'linked')
    },

    async replace() {
      const properties = { 'file:content': textBlob(contentNow()) }
      const { status } = await administrator.put(`/id/${newestUid()}`, { 'entity-type': 'document', properties })
      assert.ok([200, 404, 409].includes(status), String(status))
      if (status === 200) counts.replaced += 1
    },

    async remove() {
      const uid = uids.shift()
      const { status } = await administrator.delete(`/id/${uid}`)
      assert.ok([204, 404].includes(status), String(status))
      counts.removed += 1
    },
  }

  return {
    counts,
    leftBatches,
    create,
    slowestMillis: () => slowest,
    async go(isOver: () => boolean) {
      while (!isOver()) {
        const [few, many] = [uids.length < 4, uids.length > 8]
        const name = few ? 'create' : many ? 'remove' : (['create', 'upload', 'link', 'replace'] as const)[randomInt(4)]
        const begun = performance.now()
        await actions[name ?? 'create']()
        slowest = Math.max(slowest, performance.now() - begun)
      }
    },
  }
}

/** Collects again and again, and counts what is removed. */
function createCollector({ server }: FileServer) {
  let removed = 0
  return {
    removed: () => removed,
    async go(isOver: () => boolean) {
      while (!isOver()) {
        const { status, body, text } = await server.as('Administrator').delete('/management/blobs/orphaned')
        assert.equal(status, 200, text)
        removed += body.numBinariesGC
        await pause(20)
      }
    },
  }
}

async function flawsOf({ server }: FileServer): Promise<unknown[]> {
  const repository = server.services.repositories.get('default')
  assert.ok(repository)
  return (await Array.fromAsync(checkBlobs(repository))).flatMap(({ flaws }) => flaws)
}

async function usedKeys({ server }: FileServer): Promise<string[]> {
  const repository = server.services.repositories.get('default')
  assert.ok(repository)
  return (await Array.fromAsync(checkBlobs(repository))).map(({ key }) => key)
}

onEachFileServer(
  'collecting files while others write',
  (started) => {
    test('removes much, and never what a document or an upload batch needs', async (context) => {
      const here = started()
      const traffic = createTraffic(here)
      const collectors = [createCollector(here), createCollector(here)]
      const maxRemoved = () => Math.max(...collectors.map(({ removed }) => removed()))
      const begun = performance.now()
      const isOver = () => performance.now() - begun > (maxRemoved() < much ? maxSeconds : leastSeconds) * 1_000
      const people = Array.from({ length: 4 }, () => traffic.go(isOver))
      await Promise.all([...people, ...collectors.map(({ go }) => go(isOver))])
      // Nothing is promised to requests that take longer than the grace, which is as short here as it can be.
      if (traffic.slowestMillis() > leastGraceMillis) return context.skip('this machine is too busy')
      assert.ok(maxRemoved() >= much, `much was removed meanwhile: ${maxRemoved()}`)
      for (const [kind, count] of Object.entries(traffic.counts)) assert.ok(count > 0, `nothing was ${kind}`)
      assert.deepEqual(await flawsOf(here), [])

      for (const batchId of traffic.leftBatches) {
        const { status, body, text } = await traffic.create({ 'upload-batch': batchId, 'upload-fileId': '0' })
        assert.equal(status, 201, text)
        assert.notEqual(body.properties?.['file:content'], null)
      }
      assert.deepEqual(await flawsOf(here), [])

      await untilIdle(here.server)
      await ageAll(here)
      await here.server.as('Administrator').delete('/management/blobs/orphaned')
      assert.deepEqual(await listKeys(here.blobs), await usedKeys(here), 'and at last nothing is left that nobody needs')
      assert.deepEqual(await here.place.listUnfinished(), [])
    })
  },
  { blobGcGrace: '0s', blobGcMaxShare: 100 },
)
