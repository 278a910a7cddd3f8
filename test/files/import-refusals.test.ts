import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { systemAccess } from '../../src/core/access.ts'
import { createFolderPlaces } from '../../src/features/file-import/commands/folder-places.ts'
import { importTree } from '../../src/features/file-import/commands/import-tree.ts'
import { sourceRoot, walk } from '../../src/features/file-import/commands/source-tree.ts'
import { createCounter } from '../../src/features/file-import/commands/tally.ts'
import { noSpaceLeft } from '../../src/store/blobs/blob-store.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { importedBelow } from '../support/imported-tree.ts'
import { aSourceFolder } from '../support/source-folder.ts'
import { workbenchOn, workspaces } from '../support/workbench.ts'

/** Read by the command, and by no server: a rule that somebody's plugin makes. */
const vetoingConfig = `export default {
  plugins: [{
    name: 'veto',
    listeners: [{
      name: 'veto', when: 'inline', events: ['aboutToCreate'],
      handle({ document }) {
        if (document.properties['dc:title']?.includes('forbidden')) throw new Error('Not this one,\\nsays the plugin.')
      },
    }],
  }],
}`

for (const engine of engines) {
  describe(`quire import, where something is refused (${engine})`, () => {
    let place: DatabasePlace
    let server: TestServer
    let quire: ReturnType<typeof commandLineAt>
    before(async () => {
      place = await filledPlace(engine)
      server = await startTestServer({ settings: place.settings })
      quire = commandLineAt(place)
      await writeFile(join(place.folder, 'vetoing.config.ts'), vetoingConfig)
    })
    after(() => server.stop())

    const bench = () => workbenchOn(server)
    const result = async (folder: string, to: string, ...flags: string[]) => {
      const { code, printed, complained } = await quire.run(['import', folder, '--to', to, '--json', ...flags])
      return { code, complained: complained.split('\n'), ...JSON.parse(printed) }
    }

    test('files that the folder does not hold keep no others out', async () => {
      const { path: to } = await bench().create('PictureBook')
      const folder = await aSourceFolder({ 'a.png': 'a', 'b.mp3': 'b', 'c.gif': 'c' })
      const { code, imported, failed, complained } = await result(folder, to)
      assert.deepEqual([code, imported, failed], [1, 2, 1])
      assert.match(complained[0], /^not imported: b\.mp3: .* of type Audio, and .* of type PictureBook holds none\./)
      assert.deepEqual(await importedBelow(server, to), ['a.png Picture image/png 1', 'c.gif Picture image/gif 1'])
    })

    test('nothing goes to the place of workspaces, and no folder is made there', async () => {
      const before = await importedBelow(server, workspaces)
      const { code, imported, folders, failed, complained } = await result(
        await aSourceFolder({ 'a.pdf': 'a', 'd/e/f.pdf': 'f' }),
        workspaces,
      )
      assert.deepEqual([code, imported, folders, failed], [1, 0, 0, 4])
      assert.ok(complained.includes('not imported: d/e/f.pdf: its folder could not be made'))
      assert.deepEqual(await importedBelow(server, workspaces), before)
    })

    test('a file that a listener refuses keeps no others out', async () => {
      const { path: to } = await bench().create('Workspace')
      const folder = await aSourceFolder({ 'a.pdf': 'a', 'forbidden.pdf': 'b', 'c.pdf': 'c' })
      const { code, imported, complained } = await result(folder, to, '--config', join(place.folder, 'vetoing.config.ts'))
      assert.deepEqual([code, imported, complained], [1, 2, ['not imported: forbidden.pdf: Not this one, says the plugin.']])
    })

    test('a folder that is refused is left out with what is in it, and what is beside it comes in', async () => {
      const { path: to } = await bench().create('Workspace')
      const folder = await aSourceFolder({ 'forbidden/a.pdf': 'a', 'forbidden/d/b.pdf': 'b', 'open/c.pdf': 'c' })
      const config = join(place.folder, 'vetoing.config.ts')
      const { code, imported, folders, failed } = await result(folder, to, '--config', config)
      assert.deepEqual([code, imported, folders, failed], [1, 1, 1, 4])
      assert.deepEqual(await importedBelow(server, to), ['open/ Folder', 'open/c.pdf File application/pdf 1'])
      assert.deepEqual([(await result(folder, to)).imported, (await importedBelow(server, to)).length], [2, 6])
    })

    test('folders within folders end where paths do', async () => {
      const { path: to } = await bench().create('Workspace')
      const deep = Array.from({ length: 90 }, () => 'a folder of some length').join('/')
      const folder = await aSourceFolder({ 'a.pdf': 'a' })
      await mkdir(join(folder, deep), { recursive: true })
      const { code, imported, folders, complained } = await result(folder, to)
      assert.deepEqual([code, imported], [1, 1])
      assert.ok(folders > 50 && folders < 90)
      assert.match(
        complained[0],
        /^not imported: .*: Invalid name 'a folder of some length': the path would be longer than 2000 bytes$/,
      )
    })

    test('folders and files that somebody else made are used when they are the same', async () => {
      const { path: to } = await bench().create('Workspace')
      const there = await bench().create('OrderedFolder', { 'dc:title': 'Reports' }, { parent: to, name: 'r1' })
      await bench().create(
        'Note',
        { 'dc:title': 'd', 'note:note': 'not a folder', 'note:mime_type': 'text/plain' },
        { parent: to, name: 'd' },
      )
      const note = { 'dc:title': 'a.txt', 'note:note': 'text', 'note:mime_type': 'text/plain' }
      await bench().create('Note', note, { parent: there.path })
      const folder = await aSourceFolder({ 'Reports/a.txt': 'text', 'Reports/b.txt': 'other', 'd/c.txt': 'c' })
      const { code, imported, folders, alreadyThere } = await result(folder, to)
      assert.deepEqual([code, imported, folders, alreadyThere], [0, 2, 1, 1])
      assert.deepEqual(await importedBelow(server, to), [
        'Reports/ OrderedFolder',
        'Reports/a.txt Note text/plain "text"',
        'Reports/b.txt Note text/plain "other"',
        'd Note text/plain "not a folder"',
        'd/ Folder',
        'd/c.txt Note text/plain "c"',
      ])
    })

    test('where there is no space left it ends at once, and blames no file', async () => {
      const { uid } = await bench().create('Workspace')
      const { repositories, importers } = server.services
      const repository = repositories.get('default')
      const target = await server.asSystem(({ tx }) => tx.documents.find(uid))
      assert.ok(repository && target)
      const full = { ...repository, blobs: { ...repository.blobs, write: () => Promise.reject(noSpaceLeft(undefined)) } }
      const source = sourceRoot(await aSourceFolder({ 'a.pdf': 'a', 'd/b.pdf': 'b' }))
      const counter = createCounter()
      const run = {
        services: { importers },
        access: systemAccess(full),
        places: createFolderPlaces(source, target),
        counter,
      }
      const importing = importTree({ ...run, overwrite: false, checksum: false }, walk(source, { hidden: false }))
      await assert.rejects(importing, noSpaceLeft.is)
      assert.deepEqual([counter.tally.failed, counter.tally.imported], [0, 0])
    })

    test('somebody at a terminal sees how far it is, and complaints stay', async () => {
      const { path: to } = await bench().create('PictureBook')
      const drawn: string[] = []
      const terminal = { columns: 100, draw: (line: string) => drawn.push(line) }
      const folder = await aSourceFolder({ 'a.png': 'a', 'b.mp3': 'b', 'c.gif': 'c' })
      const { printed, complained } = await quire.run(['import', folder, '--to', to], { terminal })
      assert.match(printed, /^2 files imported/)
      assert.match(complained, /^not imported: b\.mp3/)
      assert.ok(drawn.some((line) => /^\[=*>? *\] +\d+% {2}\d of 3 files {2}[\d.,]+\/s/.test(line)))
      assert.equal(drawn.at(-1), '')
    })
  })
}
