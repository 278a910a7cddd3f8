import assert from 'node:assert/strict'
import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace, freshPlace } from '../support/fresh-place.ts'

const longAgo = new Date('2020-02-02T02:02:02.000Z')
const orphan = '00000000000000000000000000000001'
const fileOf = ({ folder }: DatabasePlace, key: string) => join(folder, 'blobs', 'data', key.slice(0, 2), key.slice(2, 4), key)

async function addOrphan(place: DatabasePlace, bytes = 2_000): Promise<void> {
  await mkdir(dirname(fileOf(place, orphan)), { recursive: true })
  await writeFile(fileOf(place, orphan), Buffer.alloc(bytes))
  await utimes(fileOf(place, orphan), longAgo, longAgo)
}

/** Data that a server has made, with a document that has a file; the server is gone. */
async function placeWithFile(engine: DatabasePlace['engine'], repositories = ['default']): Promise<DatabasePlace> {
  const place = await filledPlace(engine)
  const server = await startTestServer({ settings: { ...place.settings, repositories } })
  for (const repository of repositories) {
    const file = { data: `kept in ${repository}`, name: 'a.txt', 'mime-type': 'text/plain' }
    const sent = { 'entity-type': 'document', type: 'File', name: 'f', properties: { 'file:content': file } }
    const { status, text } = await server.as('Administrator').post(`/repo/${repository}/path/default-domain/workspaces`, sent)
    assert.equal(status, 201, text)
  }
  await server.stop()
  return place
}

for (const engine of engines) {
  describe(`quire gc (${engine})`, () => {
    test('removes what nobody needs and says how much, for people and for scripts', async () => {
      const place = await placeWithFile(engine)
      await addOrphan(place)
      const { run, json } = commandLineAt(place)
      const dry = await run(['gc', '--dry-run'])
      assert.deepEqual([dry.code, dry.complained], [0, ''])
      assert.match(dry.printed, /^1 of 2 files would be removed \(2\.0 kB of 2\.0 kB\) in \d+\.\d s\.$/)
      const counted = await json(['gc', '--dry-run'])
      const { gcDuration, ...tally } = counted
      assert.equal(typeof gcDuration, 'number')
      const expected = { numBinaries: 1, sizeBinaries: 15, numBinariesGC: 1, sizeBinariesGC: 2_000, dryRun: true }
      assert.deepEqual(tally, expected)
      assert.equal((await json(['gc'])).numBinariesGC, 1)
      const again = await run(['gc'])
      assert.match(again.printed, /^0 of 1 file removed \(0 bytes of 15 bytes\) in \d+\.\d s\.$/)
    })

    test('removes nothing while a repository that was served here is not named, or forgotten', async () => {
      const place = await placeWithFile(engine, ['default', 'archive'])
      await addOrphan(place)
      const { run, json } = commandLineAt(place)
      const refused = await run(['gc'])
      assert.equal(refused.code, 1)
      assert.match(refused.complained, /Files of archive are kept here too: name every repository with --repositories/)
      assert.deepEqual(
        await json(['gc', '--repositories', 'default,archive', '--dry-run']).then((result) => result.numBinaries),
        2,
      )
      assert.equal((await json(['gc', '--repositories', 'default,archive'])).numBinariesGC, 1)
      assert.equal((await json(['gc', '--forget', 'archive', '--dry-run'])).numBinaries, 2, 'its file is young')
      assert.equal((await run(['gc'])).code, 0, 'it is forgotten')
    })
  })
}

test('quire gc ends with 1 where no server has been', async () => {
  const { code, complained } = await commandLineAt(await freshPlace('sqlite')).run(['gc'])
  assert.equal(code, 1)
  assert.match(complained, /^quire: [^\n]+$/)
})

test('quire gc ends with 2 for a grace that is too long to be kept', async () => {
  const { code, complained } = await commandLineAt(await filledPlace('sqlite')).run(['gc', '--blob-gc-grace', '2d'])
  assert.equal(code, 2)
  assert.match(complained, /blob-gc-grace/)
})

test('quire gc clears away writes that were never finished, once they are old', async () => {
  const place = await placeWithFile('sqlite')
  const half = join(place.folder, 'blobs', 'tmp', 'half')
  await writeFile(half, 'half')
  const { run } = commandLineAt(place)
  await run(['gc'])
  await rm(half)
  await writeFile(half, 'half')
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  await run(['gc', '--blob-gc-grace', '0s'])
  await assert.rejects(rm(half), { code: 'ENOENT' })
})

test('quire gc removes at one go what another was about to remove when it was killed', async () => {
  const place = await placeWithFile('sqlite')
  await addOrphan(place)
  await rename(fileOf(place, orphan), join(place.folder, 'blobs', 'tmp', `${orphan}.killed.leaving`))
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  const { numBinaries, numBinariesGC } = await commandLineAt(place).json(['gc', '--blob-gc-grace', '0s'])
  assert.deepEqual({ numBinaries, numBinariesGC }, { numBinaries: 1, numBinariesGC: 1 })
  assert.deepEqual(await readdir(join(place.folder, 'blobs', 'tmp')), [])
})
