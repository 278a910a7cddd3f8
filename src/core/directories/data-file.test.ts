import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { vendorIdentifiers } from '../../base/vendor.ts'
import { readDataRows, unreadableDataFile } from './data-file.ts'

describe('a data file', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'data-file-'))
  })
  after(() => rm(folder, { recursive: true }))

  const vendored = vendorIdentifiers('acme')

  async function holding(content: string | Uint8Array): Promise<URL> {
    const path = join(folder, 'colours.csv')
    await writeFile(path, content)
    return pathToFileURL(path)
  }

  test('gives the rows of a CSV file in UTF-8', async () => {
    const file = await holding('\uFEFFid,label_fr\ngreen,céladon\n')
    assert.deepEqual(await readDataRows(file, vendored), [{ id: 'green', label_fr: 'céladon' }])
  })

  test('may be a function that writes the identifiers of this deployment', async () => {
    assert.deepEqual(await readDataRows(async (made) => [{ id: made('platformBlue') }], vendored), [{ id: 'acmeBlue' }])
  })

  const named = (error: unknown) => unreadableDataFile.is(error) && error.message.includes('colours.csv')

  test('is refused by name when it is in another encoding', async () => {
    const latin1 = await holding(Buffer.from('id\ncéladon\n', 'latin1'))
    await assert.rejects(readDataRows(latin1, vendored), named)
  })

  test('is refused by name and line when it is malformed', async () => {
    const malformed = await holding('id,label\ngreen\n')
    await assert.rejects(readDataRows(malformed, vendored), (error: Error) => named(error) && error.message.includes('Line 2'))
  })

  test('is refused by name when it is not there', async () => {
    await assert.rejects(readDataRows(pathToFileURL(join(folder, 'none', 'colours.csv')), vendored), named)
  })
})
