import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { startTestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'

const addressOf = (text: string) => createHash('sha256').update(text).digest('hex')
const textBlob = (text: string) => ({ data: text, name: 'a.txt', 'mime-type': 'text/plain' })
const fileOf = ({ folder }: DatabasePlace, text: string) =>
  join(folder, 'blobs', 'data', addressOf(text).slice(0, 2), addressOf(text).slice(2, 4), addressOf(text))

/** Two documents and a version that share files; the server is gone. */
async function placeWithFiles(engine: DatabasePlace['engine']) {
  const place = await filledPlace(engine)
  const server = await startTestServer({ settings: place.settings })
  const create = async (name: string, properties: object) => {
    const sent = { 'entity-type': 'document', type: 'File', name, properties }
    return (await server.as('Administrator').post('/path/default-domain/workspaces', sent)).body.uid as string
  }
  const one = await create('one', { 'file:content': textBlob('first') })
  const two = await create('two', { 'files:files': [{ file: textBlob('first') }, { file: textBlob('second') }] })
  await server.asSystem((session) => checkInDocument(session, one))
  await server.asSystem((session) =>
    saveDocument(session, one, ({ properties }) => ({
      'file:content': { ...(properties['file:content'] as object), name: 'b.txt' } as never,
    })),
  )
  await server.stop()
  return { place, one, two, ...commandLineAt(place) }
}

for (const engine of engines) {
  describe(`quire check (${engine})`, () => {
    test('ends with 0 when every file is there and is what it was', async () => {
      const { run } = await placeWithFiles(engine)
      const { code, printed, complained } = await run(['check'])
      assert.deepEqual([code, printed, complained], [0, '2 files read (11 bytes): all as they should be.', ''])
      const json = JSON.parse((await run(['check', '--json'])).printed)
      assert.deepEqual(json, { files: 2, bytes: 11, flaws: [], oldAddresses: 0 })
    })

    test('ends with 1 and names every document, also a version, whose file is missing', async () => {
      const { run, place, one, two } = await placeWithFiles(engine)
      await rm(fileOf(place, 'first'))
      const { code, printed, complained } = await run(['check'])
      assert.equal(code, 1)
      assert.equal(printed, '2 files read (6 bytes): 3 not as they should be.')
      const lines = complained.split('\n')
      assert.equal(lines.length, 3)
      for (const line of lines) assert.match(line, new RegExp(`: file ${addressOf('first')} is missing$`))
      assert.ok(lines.some((line) => line.startsWith(`default ${one} /default-domain/workspaces/one file:content`)))
      assert.ok(lines.some((line) => line.startsWith(`default ${two} /default-domain/workspaces/two files:files/0/file`)))
      assert.ok(lines.some((line) => line.includes('(a version) file:content')))
    })

    test('ends with 1 for a file that is damaged, of whatever length', async () => {
      const { run, place, two } = await placeWithFiles(engine)
      await writeFile(fileOf(place, 'second'), 'seconD')
      const { code, complained } = await run(['check'])
      assert.equal(code, 1)
      const place2 = `default ${two} /default-domain/workspaces/two files:files/1/file: file ${addressOf('second')}`
      assert.equal(complained, `${place2} is damaged: its digest should be ${addressOf('second')} and is ${addressOf('seconD')}`)
      await writeFile(fileOf(place, 'second'), 'sec')
      const outcome = await run(['check', '--json'])
      assert.deepEqual([outcome.code, outcome.complained], [1, ''])
      const { flaws } = JSON.parse(outcome.printed)
      assert.deepEqual(
        flaws.map(({ flaw, expected, found }: { flaw: string; expected: string; found: string }) => [flaw, expected, found]),
        [
          ['wrongDigest', addressOf('second'), addressOf('sec')],
          ['wrongLength', '6', '3'],
        ],
      )
      assert.equal(flaws[0].documentId, two)
      assert.equal(flaws[0].xpath, 'files:files/1/file')
    })
  })
}

test('quire check --help says what it does and which settings it reads', async () => {
  const { printed } = await commandLineAt(await filledPlace('sqlite')).run(['check', '--help'])
  assert.match(printed, /compare it with its digest and length/)
  assert.match(printed, /--blobs/)
  assert.match(printed, /Ends with 1/)
})
