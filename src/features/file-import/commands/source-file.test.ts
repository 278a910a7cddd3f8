import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { BlobStore } from '../../../store/blobs/blob-store.ts'
import { fileOnDisk, isUnreadable } from './source-file.ts'
import { sourceRoot } from './source-tree.ts'

describe('a file on disk', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-source-'))
  })
  after(() => rm(folder, { recursive: true }))

  const entry = (name: string) => ({
    path: Buffer.from(join(folder, name)),
    name,
    shown: name,
    folder: sourceRoot(folder),
    length: 3,
    modified: new Date(),
  })
  const stored: string[] = []
  const blobs: Pick<BlobStore, 'write'> = {
    write: async (content) => {
      stored.push(await text(content as NodeJS.ReadableStream))
      return { key: 'k', digest: 'k', digestAlgorithm: 'MD5', length: 3 }
    },
  }
  const onDisk = (name: string) => fileOnDisk(entry(name), blobs)

  test('is read whole or in part, and stored only when asked for', async () => {
    await writeFile(join(folder, 'a.txt'), 'abc')
    const file = onDisk('a.txt')
    assert.equal(await text(await file.read()), 'abc')
    assert.equal(await text(await file.read({ start: 1, end: 1 })), 'b')
    assert.deepEqual(stored, [])
    await file.store()
    assert.deepEqual(stored, ['abc'])
  })

  const replacements: readonly [what: string, name: string, make: (path: string) => unknown][] = [
    ['gone', 'gone', () => {}],
    ['a link', 'link', (path) => symlink('/etc/hostname', path)],
    ['a pipe without a writer', 'pipe', (path) => execFileSync('mkfifo', [path])],
    ['a folder', 'folder', (path) => execFileSync('mkdir', [path])],
  ]
  for (const [what, name, make] of replacements) {
    test(`that is ${what} by the time it is opened cannot be read`, { timeout: 5_000 }, async () => {
      await make(join(folder, name))
      await assert.rejects(onDisk(name).read(), isUnreadable)
      await assert.rejects(onDisk(name).store(), isUnreadable)
    })
  }

  test('is not to blame for what goes wrong elsewhere', async () => {
    await writeFile(join(folder, 'b.txt'), 'abc')
    const full: Pick<BlobStore, 'write'> = {
      write: () => Promise.reject(Object.assign(new Error('ENOSPC'), { syscall: 'write' })),
    }
    await assert.rejects(fileOnDisk(entry('b.txt'), full).store(), (error) => !isUnreadable(error))
  })
})
