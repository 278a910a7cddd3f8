import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace, freshPlace } from '../support/fresh-place.ts'
import { launchProgram, type Program, runProgram } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { aSourceFolder } from '../support/source-folder.ts'

const fileCount = 96
/** So many that there is something left to stop. */
const stoppedCount = 240

const digestOf = (content: string) => createHash('md5').update(content).digest('hex')

/** Files of several kinds in folders within folders, each with content of its own. */
function manyFiles(count = fileCount): { [path: string]: string } {
  const kinds = ['pdf', 'png', 'txt', 'mp3']
  const paths = Array.from({ length: count }, (_, index) => {
    const folders = ['', 'one/', 'one/two/', `many ${index % 7}/`][index % 4]
    return `${folders}a file with a name that is long ${index}.${kinds[index % kinds.length]}`
  })
  return Object.fromEntries(paths.map((path) => [path, path.repeat(20)]))
}

for (const engine of engines) {
  describe(`quire import as a process (${engine})`, () => {
    let place: DatabasePlace
    let server: Program
    before(async () => {
      place = await filledPlace(engine)
      server = await startServerProgram(place)
    })
    after(async () => {
      server.kill('SIGTERM')
      await server.ended
    })

    let made = 0
    const aWorkspace = async (): Promise<string> => {
      const name = `space-${++made}`
      const authorization = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`
      const response = await fetch(new URL('api/v1/path/default-domain/workspaces', server.url), {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ 'entity-type': 'document', type: 'Workspace', name }),
      })
      assert.equal(response.status, 201)
      return `/default-domain/workspaces/${name}`
    }
    const args = (folder: string, to: string) => ['import', folder, '--to', to, '--log-level', 'warn', ...place.flags]
    const run = (folder: string, to: string, ...flags: string[]) => runProgram(quireProgram, [...args(folder, to), ...flags])

    /** Titles and digests of all the files below a path, past every server. */
    const stored = async (path: string) => {
      const rows = await place.query(`SELECT properties FROM documents WHERE path LIKE '${path}/%' AND type <> 'Folder'`)
      return rows
        .map(({ properties }) => (typeof properties === 'string' ? JSON.parse(properties) : properties))
        .map((values) => `${values['dc:title']} ${values['file:content']?.digest ?? digestOf(values['note:note'])}`)
        .sort()
    }
    const expected = (files: { readonly [path: string]: string }) =>
      Object.entries(files)
        .map(([path, content]) => `${path.split('/').at(-1)} ${digestOf(content)}`)
        .sort()
    const foldersBelow = async (path: string) =>
      (await place.query(`SELECT path FROM documents WHERE path LIKE '${path}/%' AND type = 'Folder'`)).length

    test('beside a running server, what it imports is there, and a pipe gets no bar', async () => {
      const to = await aWorkspace()
      const { code, printed, complained } = await run(await aSourceFolder({ 'd/a.pdf': 'a' }), to)
      assert.deepEqual([code, complained], [0, ''])
      assert.match(printed, /^1 file imported \(1 byte\) and 1 folder made in [\d.]+ s: [\d.]+ files\/s\.\n$/)
      const authorization = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`
      const answer = await fetch(new URL(`api/v1/path${to}/d/a.pdf`, server.url), { headers: { authorization } })
      assert.equal(((await answer.json()) as { type: string }).type, 'File')
    })

    test('prints one line of JSON when that is wanted', async () => {
      const { printed } = await run(await aSourceFolder({ 'a.pdf': 'a' }), await aWorkspace(), '--json')
      assert.equal(printed.trim().split('\n').length, 1)
      assert.equal(JSON.parse(printed).imported, 1)
    })

    test('killed at any moment, again and again, it loses nothing and makes nothing twice', async () => {
      const to = await aWorkspace()
      const files = manyFiles()
      const folder = await aSourceFolder(files)
      let killed = 0
      for (let milliseconds = 500; ; milliseconds *= 1.4) {
        const { kill, ended } = launchProgram(quireProgram, args(folder, to))
        const isDone = await Promise.race([ended.then(() => true), pause(milliseconds, false)])
        if (isDone) break
        killed += 1
        kill('SIGKILL')
        await ended
      }
      assert.ok(killed > 0, 'it was killed at least once')
      assert.deepEqual(await stored(to), expected(files))
      assert.equal(await foldersBelow(to), 9)
      const { alreadyThere, imported } = JSON.parse((await run(folder, to, '--json')).printed)
      assert.deepEqual([alreadyThere, imported], [fileCount, 0])
    })

    test('asked to stop, it ends at a good moment, says so, and goes on when it is called again', async () => {
      const to = await aWorkspace()
      const files = manyFiles(stoppedCount)
      const folder = await aSourceFolder(files)
      const { kill, ended } = launchProgram(quireProgram, args(folder, to))
      for (let there = 0; there === 0; there = (await stored(to)).length) await pause(5)
      kill('SIGTERM')
      const { code, printed } = await ended
      assert.equal(code, 1)
      assert.match(printed, /\nStopped before the end: the same command goes on from here\.\n$/)
      assert.ok((await stored(to)).length < stoppedCount)
      assert.equal((await run(folder, to)).code, 0)
      assert.deepEqual(await stored(to), expected(files))
    })

    test('of two that import the same folder at once neither makes a document twice', async () => {
      const to = await aWorkspace()
      const files = manyFiles()
      const folder = await aSourceFolder(files)
      const outcomes = await Promise.all([run(folder, to, '--json'), run(folder, to, '--json')])
      assert.deepEqual(
        outcomes.map(({ code }) => code),
        [0, 0],
      )
      const results = outcomes.map(({ printed }) => JSON.parse(printed))
      assert.equal(results[0].imported + results[1].imported, fileCount)
      assert.deepEqual([await stored(to), await foldersBelow(to)], [expected(files), 9])
    })

    test('without a running server it does the same', async () => {
      const to = await aWorkspace()
      assert.equal(await stopProgram(server), 0)
      assert.equal((await run(await aSourceFolder({ 'a.pdf': 'a' }), to)).code, 0)
      assert.deepEqual(await stored(to), expected({ 'a.pdf': 'a' }))
      server = await startServerProgram(place)
    })

    test('where no server has been it says so, and makes nothing', async () => {
      const other = await freshPlace(engine)
      const folder = await aSourceFolder({ 'a.pdf': 'a' })
      const { code, complained } = await runProgram(quireProgram, ['import', folder, '--to', '/', ...other.flags])
      assert.equal(code, 1)
      assert.match(complained, /^quire: No server has made a database in [^\n]+\n$/)
    })
  })
}

test('quire import --help tells what it takes', async () => {
  const { code, printed } = await runProgram(quireProgram, ['import', '--help'])
  assert.equal(code, 0)
  assert.match(printed, /^Usage: quire import <folder> \[--flag value …\]$/m)
  for (const flag of ['to', 'as', 'overwrite', 'checksum', 'hidden', 'dry-run', 'json', 'repository', 'data']) {
    assert.match(printed, new RegExp(`^ +--${flag}\\b`, 'm'))
  }
})
