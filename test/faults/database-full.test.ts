import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { callApi } from '../support/call-api.ts'
import { sqlitePlace } from '../support/database-place.ts'
import { runProgram } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { createLedger, settleLedger } from './one-tree/ledger.ts'

const workspaces = '/path/default-domain/workspaces'
const mayMount = process.platform === 'linux' && process.getuid?.() === 0
const options = { skip: mayMount ? false : 'this user may not mount a small disk' }

async function onSmallDisk(megabytes: number, work: (disk: SmallDisk) => Promise<void>): Promise<void> {
  const disk = mountSmallDisk(megabytes)
  assert.ok(disk, 'no small disk could be mounted')
  try {
    await work(disk)
  } finally {
    disk.unmount()
  }
}

describe('a database whose disk is full', options, () => {
  test('refuses writes with 507, says so in its health, and takes them again when there is space', () =>
    onSmallDisk(24, async (disk) => {
      const place = sqlitePlace(disk.folder)
      const ledger = createLedger()
      const program = await startServerProgram(place, ['--healthcheck-refresh-interval-seconds', '300'])
      const health = async () => {
        const response = await fetch(new URL('runningstatus', program.url))
        return { status: response.status, body: (await response.json()) as { reasons?: object } }
      }
      let written = 0
      const create = async () => {
        const title = `document ${++written}`
        const properties = { 'dc:title': title, 'note:note': `${title} `.repeat(2_000), 'note:mime_type': 'text/plain' }
        const body = { 'entity-type': 'document', type: 'Note', name: `${written}`, properties }
        const answer = await callApi(program.url, 'POST', workspaces, body)
        if (answer.status === 201) ledger.titles.set(answer.body.uid, title)
        return answer
      }
      try {
        assert.equal((await create()).status, 201)
        assert.equal((await health()).status, 200)
        disk.fill(1_000_000)
        const refused = await untilRefused(create)
        assert.equal(refused.status, 507)
        assert.match(refused.body.message, /no space left on its disk/)
        assert.deepEqual((await health()).body.reasons, { repositoryStatus: 'databaseFull', diskStatus: 'diskNearlyFull' })
        assert.equal((await callApi(program.url, 'GET', workspaces)).status, 200)

        disk.free()
        assert.equal((await health()).status, 200)
        assert.equal((await create()).status, 201)
      } finally {
        assert.equal(await stopProgram(program), 0)
      }
      assert.deepEqual(await settleLedger(ledger, place), [])
    }))

  test('is a sentence at a start, and no stack', () =>
    onSmallDisk(4, async (disk) => {
      disk.fill(0)
      const { code, printed, complained } = await runProgram(quireProgram, ['serve', '--port', '0', '--data', disk.folder])
      assert.notEqual(code, 0)
      assert.equal(printed, '')
      assert.match(complained, /space|ENOSPC/i)
      assert.doesNotMatch(complained, /\n\s+at /)
    }))
})

async function untilRefused(create: () => ReturnType<typeof callApi>): ReturnType<typeof callApi> {
  for (let tries = 0; tries < 2_000; tries++) {
    const answer = await create()
    if (answer.status !== 201) return answer
  }
  throw new Error('The disk never became full.')
}
