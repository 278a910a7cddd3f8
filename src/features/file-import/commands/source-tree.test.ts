import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { entryName, type SourceEntry, sourceRoot, walk } from './source-tree.ts'

describe('a walk through a folder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-walk-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const all = async (hidden = false) => Array.fromAsync(walk(sourceRoot(folder), { hidden }))
  const shown = (entries: readonly SourceEntry[]) => entries.map(shownEntry).sort()
  const shownEntry = (entry: SourceEntry) => {
    if (entry.kind === 'file') return `file ${entry.file.shown} ${entry.file.length}`
    if (entry.kind === 'folder') return `folder ${entry.folder.shown}`
    return entry.kind === 'leftOut' ? `${entry.reason} ${entry.shown}` : `unreadable ${entry.shown}`
  }

  test('finds files and folders at any depth, empty ones too', async () => {
    await mkdir(join(folder, 'a/b/c'), { recursive: true })
    await writeFile(join(folder, 'top.txt'), 'top')
    await writeFile(join(folder, 'a/b/deep.txt'), '')
    assert.deepEqual(shown(await all()), ['file a/b/deep.txt 0', 'file top.txt 3', 'folder a', 'folder a/b', 'folder a/b/c'])
  })

  test('finds a folder before what is in it', async () => {
    for (const name of ['a/1', 'a/b/2', 'c/3']) {
      await mkdir(join(folder, name, '..'), { recursive: true })
      await writeFile(join(folder, name), '')
    }
    const entries = await all()
    const places = new Map(entries.map((entry, index) => [entry.kind === 'folder' ? entry.folder : entry, index]))
    for (const [index, entry] of entries.entries()) {
      const around = entry.kind === 'file' ? entry.file.folder : entry.kind === 'folder' ? entry.folder.parent : undefined
      if (around?.parent !== undefined) assert.ok((places.get(around) ?? index) < index)
    }
  })

  test('leaves out what is hidden, unless told', async () => {
    await mkdir(join(folder, '.git'))
    await writeFile(join(folder, '.git/config'), '')
    await writeFile(join(folder, '.env'), '')
    assert.deepEqual(shown(await all()), ['hidden .env', 'hidden .git'])
    assert.deepEqual(shown(await all(true)), ['file .env 0', 'file .git/config 0', 'folder .git'])
  })

  test('follows no links, and takes nothing that is no file', async () => {
    await symlink('/', join(folder, 'root'))
    await symlink(folder, join(folder, 'round'))
    await symlink('nowhere', join(folder, 'broken'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    assert.deepEqual(shown(await all()), ['link broken', 'link root', 'link round', 'special pipe'])
  })

  test('tells of folders that cannot be read, and goes on', { skip: process.getuid?.() === 0 }, async () => {
    await mkdir(join(folder, 'closed'))
    await chmod(join(folder, 'closed'), 0)
    await writeFile(join(folder, 'open.txt'), '')
    assert.deepEqual(shown(await all()), ['file open.txt 0', 'folder closed', 'unreadable closed'])
    await chmod(join(folder, 'closed'), 0o700)
  })

  test('tells of a folder that is gone', async () => {
    await rm(folder, { recursive: true })
    assert.deepEqual(shown(await all()), ['unreadable .'])
  })

  test('finds names that are no text in UTF-8, and opens them by their bytes', async () => {
    const path = Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])])
    await writeFile(path, 'x')
    const [entry] = await all()
    assert.ok(entry?.kind === 'file')
    assert.deepEqual([entry.file.name, entry.file.path.equals(path)], ['café', true])
  })
})

describe('the name of an entry', () => {
  const rows: readonly [bytes: Buffer, name: string][] = [
    [Buffer.from('plan.pdf'), 'plan.pdf'],
    [Buffer.from('שלום 🌍.txt'), 'שלום 🌍.txt'],
    [Buffer.from('C:\\plan.pdf'), 'C:-plan.pdf'],
    [Buffer.from('  '), '%20%20'],
    [Buffer.from('\u200b'), '%E2%80%8B'],
    [Buffer.from([0x01]), '%01'],
    [Buffer.from([0xff, 0xfe]), 'ÿþ'],
  ]
  for (const [bytes, name] of rows) test(`${bytes.toString('hex')} is ${name}`, () => assert.equal(entryName(bytes), name))
})
