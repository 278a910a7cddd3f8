import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { startTestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { type DatabasePlace, type EngineName, engines } from '../support/database-place.ts'
import { filledPlace, freshPlace } from '../support/fresh-place.ts'
import { countFiles, restore } from './backups/take-backup.ts'
import { configure, filledServer, shelvesPlugin } from './moved-content.ts'

const repositories = ['default', 'archive']
const other = { sqlite: 'postgres', postgres: 'sqlite' } as const satisfies Record<EngineName, EngineName>

for (const engine of engines) {
  describe(`a backup (${engine})`, () => {
    let place: DatabasePlace
    let [folder, config] = ['', '']
    before(async () => {
      place = await filledPlace(engine)
      folder = join(place.folder, 'backups')
      config = await configure(place)
      const server = await filledServer(place, { repositories })
      await server.stop()
    })

    const backUp = async (from: DatabasePlace, more: readonly string[] = ['--repositories', repositories.join(',')]) =>
      commandLineAt(from).run(['backup', folder, '--json', '--config', config, ...more])

    test('is refused without one of the repositories, whose rows would be missing', async () => {
      const { code, complained } = await backUp(place, [])
      assert.equal(code, 1)
      assert.match(complained, /^quire: Files of archive are kept here too: name every repository with --repositories/)
    })

    test('restores every row of every table, as a backup of what was restored shows, and copies no file twice', async () => {
      const first = await backUp(place)
      assert.equal(first.code, 0, first.complained)
      const { backup, files } = JSON.parse(first.printed)
      assert.deepEqual([files.copied, files.files], [await countFiles(folder), await countFiles(folder)])
      const target = await freshPlace(engine)
      const { code, printed, complained } = await restore(target, folder, ['--config', config])
      assert.equal(code, 0, complained || printed)
      assert.equal(JSON.parse(printed).backup, backup, 'the newest')
      const again = await backUp(target)
      assert.equal(again.code, 0, again.complained)
      const second = JSON.parse(again.printed)
      assert.equal(second.files.copied, 0)
      assert.deepEqual(await digestsOf(second.backup), await digestsOf(backup))
      const server = await startTestServer({ settings: { ...target.settings, repositories }, plugins: [shelvesPlugin] })
      const refused = await restore(target, folder, ['--config', config])
      await server.stop()
      assert.equal(refused.code, 1)
      assert.match(
        refused.complained,
        /^quire: There is data in .* that is not an earlier part of this copy\. Nothing was changed\./,
      )
    })

    test(`is restored to ${other[engine]}, where files are read again`, async () => {
      const target = await freshPlace(other[engine])
      const { code, printed, complained } = await restore(target, folder, ['--config', config])
      assert.equal(code, 0, complained || printed)
      const server = await startTestServer({ settings: { ...target.settings, repositories }, plugins: [shelvesPlugin] })
      try {
        const volume = '/repo/archive/path/default-domain/workspaces/shelf/volume-3'
        assert.equal((await server.as('Administrator').get(`${volume}/@blob/file:content`)).text, 'file 3 of archive')
      } finally {
        await server.stop()
      }
    })
  })
}

async function digestsOf(backup: string): Promise<object> {
  const { backup: manifest } = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'))
  type Table = { name: string; lines: number; digest: string }
  const tables = Object.entries<Table[]>(manifest.repositories)
  return Object.fromEntries(tables.map(([name, all]) => [name, all.map((table) => [table.name, table.lines, table.digest])]))
}

test('quire backup is refused while another process makes one in the same folder', async () => {
  const place = await filledPlace('sqlite')
  const own = join(place.folder, 'backups')
  await mkdir(own)
  await writeFile(join(own, 'lock'), JSON.stringify({ host: 'elsewhere', process: 7 }))
  const { code, complained } = await commandLineAt(place).run(['backup', own])
  assert.equal(code, 1)
  assert.match(complained, /^quire: Process 7 on elsewhere is making a backup in /)
})

describe('quire restore', () => {
  let [folder, backup] = ['', '']
  before(async () => {
    const place = await filledPlace('sqlite')
    folder = join(place.folder, 'backups')
    const server = await startTestServer({ settings: place.settings })
    const { status } = await server.as('Administrator').post('/path/default-domain/workspaces', {
      'entity-type': 'document',
      type: 'File',
      name: 'kept',
      properties: { 'dc:title': 'Kept', 'file:content': { data: 'kept bytes', name: 'kept.txt' } },
    })
    assert.equal(status, 201)
    await server.stop()
    backup = (await commandLineAt(place).json(['backup', folder])).backup
  })

  /** Another copy of all backups, to be changed. */
  async function copied(): Promise<{ folder: string; backup: string }> {
    const own = (await freshPlace('sqlite')).folder
    await cp(folder, own, { recursive: true })
    return { folder: own, backup: join(own, backup.slice(folder.length + 1)) }
  }

  async function refusal(named: string): Promise<string> {
    const target = await freshPlace('sqlite')
    const { code, complained } = await restore(target, named)
    assert.equal(code, 1)
    assert.deepEqual(await readdir(target.folder), [], 'nothing was made')
    return complained
  }

  function fileOf(store: string, content: string): string {
    const key = createHash('sha256').update(content).digest('hex')
    return join(store, 'data', key.slice(0, 2), key.slice(2, 4), key)
  }

  const flip = async (file: string) => {
    const bytes = await readFile(file)
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1
    await writeFile(file, bytes)
  }

  test('refuses a table that is damaged or missing, and names it', async () => {
    const { backup: damaged } = await copied()
    await flip(join(damaged, 'default', 'documents.jsonl.gz'))
    assert.match(await refusal(damaged), /^quire: documents\.jsonl\.gz of the backup is damaged: /)
    await rename(join(damaged, 'default', 'documents.jsonl.gz'), join(damaged, 'elsewhere'))
    assert.match(await refusal(damaged), /^quire: documents\.jsonl\.gz of the backup is damaged: it is missing/)
  })

  test('refuses what is no backup, has no manifest, or another one', async () => {
    assert.match(await refusal((await freshPlace('sqlite')).folder), /^quire: There is no backup in /)
    const { backup: changed } = await copied()
    const manifest = join(changed, 'manifest.json')
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"engine": "sqlite"', '"engine": "postgres"'))
    assert.match(await refusal(changed), /^quire: manifest\.json of the backup is damaged: its digest is another one/)
    await rename(manifest, join(changed, 'elsewhere'))
    assert.match(await refusal(changed), /^quire: manifest\.json of the backup is damaged: it is missing/)
  })

  test('goes on without a file that is damaged, ends with 1 and names it', async () => {
    const { folder: damaged } = await copied()
    const file = fileOf(join(damaged, 'files'), 'kept bytes')
    const key = basename(file)
    await flip(file)
    const target = await freshPlace('sqlite')
    const { code, printed } = await commandLineAt(target).run(['restore', damaged, '--log-level', 'error'])
    assert.equal(code, 1)
    assert.match(printed, new RegExp(`The file ${key} of the backup is damaged and was left out\\.`))
    const server = await startTestServer({ settings: target.settings })
    const { status } = await server.as('Administrator').get('/path/default-domain/workspaces/kept')
    await server.stop()
    assert.equal(status, 200)
  })

  test('finds the files of backups that --keep left, beside which there are no others', async () => {
    const place = await filledPlace('sqlite')
    const own = join(place.folder, 'backups')
    const shell = commandLineAt(place)
    const server = await startTestServer({ settings: place.settings })
    try {
      const admin = server.as('Administrator')
      const made: string[] = []
      for (const number of [1, 2, 3]) {
        const file = { data: `bytes ${number}`, name: 'one.txt' }
        const properties = { 'dc:title': 'One', 'file:content': file }
        const { status } = await admin.post('/path/default-domain/workspaces', {
          'entity-type': 'document',
          type: 'File',
          name: `one-${number}`,
          properties,
        })
        assert.equal(status, 201)
        if (number > 1) await admin.delete(`/path/default-domain/workspaces/one-${number - 1}`)
        // As a collection does once nobody can refer to it any more.
        if (number > 1) await rm(fileOf(join(place.folder, 'blobs'), `bytes ${number - 1}`))
        made.push((await shell.json(['backup', own])).backup)
      }
      const before = await countFiles(own)
      const { removed, backup: newest } = await shell.json(['backup', own, '--keep', '3'])
      assert.deepEqual([removed.backups, removed.files], [1, 1], 'the first one, and the file that no other has')
      assert.deepEqual((await readdir(own)).sort(), [...[...made.slice(1), newest].map((one) => basename(one)), 'files'].sort())
      assert.equal(await countFiles(own), before - 1)
      const target = await freshPlace('sqlite')
      const { code, complained, printed } = await restore(target, made[1] ?? '')
      assert.equal(code, 0, complained || printed)
      assert.equal(await readFile(fileOf(join(target.folder, 'blobs'), 'bytes 2'), 'utf8'), 'bytes 2')
    } finally {
      await server.stop()
    }
  })

  type Table = { name: string; lines: number; digest: string; columns: readonly { readonly name: string }[] }
  type Manifest = { schema: number; repositories: { default: Table[] } }

  /** Writes the manifest anew, as a program of that version would have. */
  async function asVersion(at: string, change: (manifest: Manifest) => void, format = 1): Promise<void> {
    const file = join(at, 'manifest.json')
    const { backup: manifest } = JSON.parse(await readFile(file, 'utf8'))
    change(manifest)
    const sha256 = createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
    await writeFile(file, JSON.stringify({ format, program: '9.9.9', sha256, backup: manifest }))
  }

  test('refuses a backup of a newer program', async () => {
    const { backup: newer } = await copied()
    await asVersion(newer, () => {}, 2)
    assert.match(await refusal(newer), /^quire: The backup was made by Quire 9\.9\.9, which is newer than this program\./)
    await asVersion(newer, (manifest) => {
      manifest.schema += 1
    })
    assert.match(await refusal(newer), /^quire: The backup was made by Quire 9\.9\.9, which is newer than this program\./)
  })

  test('takes a backup of an older program, whose tables are then brought up to date', async () => {
    const { backup: older } = await copied()
    const file = join(older, 'default', 'schema_version.jsonl.gz')
    const lines = gunzipSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n')
    const text = `${lines.slice(0, -2).join('\n')}\n`
    await writeFile(file, gzipSync(text))
    await asVersion(older, (manifest) => {
      manifest.schema -= 2
      const digest = createHash('sha256').update(text).digest('hex')
      const table = manifest.repositories.default.find(({ name }) => name === 'schema_version')
      Object.assign(table ?? {}, { digest, lines: lines.length - 2 })
      // What the last version but one has added, as the last of its columns; the last one added an index.
      const jobs = manifest.repositories.default.find(({ name }) => name === 'jobs')
      assert.equal(jobs?.columns.at(-1)?.name, 'trace')
      Object.assign(jobs ?? {}, { columns: jobs?.columns.slice(0, -1) })
    })
    const target = await freshPlace('sqlite')
    const { code, complained, printed } = await restore(target, older)
    assert.equal(code, 0, complained || printed)
    const [newest] = await target.query('SELECT max(version) AS version FROM schema_version')
    assert.equal(newest?.['version'], lines.length)
  })
})
