import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { isBlobValue } from '../../src/model/properties/property.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { commandLineAt } from '../support/command-line.ts'
import { type DatabasePlace, dumpTables, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { importedBelow } from '../support/imported-tree.ts'
import { addFile, aSourceFolder } from '../support/source-folder.ts'
import { workbenchOn } from '../support/workbench.ts'

for (const engine of engines) {
  describe(`quire import, beside a server (${engine})`, () => {
    let place: DatabasePlace
    let server: TestServer
    let quire: ReturnType<typeof commandLineAt>
    before(async () => {
      place = await filledPlace(engine)
      server = await startTestServer({ settings: place.settings })
      quire = commandLineAt(place)
      await server.addUser('ann', ['members'])
    })
    after(() => server.stop())

    const aWorkspace = async (): Promise<string> => (await workbenchOn(server).create('Workspace')).path
    const run = (folder: string, to: string, ...flags: string[]) => quire.run(['import', folder, '--to', to, ...flags])
    /** The result also when something failed. */
    const result = async (folder: string, to: string, ...flags: string[]) => {
      const { code, printed, complained } = await run(folder, to, '--json', ...flags)
      return { code, complained, ...JSON.parse(printed) }
    }
    const tree = (path: string) => importedBelow(server, path)

    test('makes a Folder of each folder and documents that suit the files', async () => {
      const to = await aWorkspace()
      const files = { 'a.pdf': 'pdf', 'Notes/b.txt': 'text', 'Notes/Deep/c.png': 'png', 'Notes/Deep/d.mp3': 'mp3', 'Empty/': '' }
      const { code, printed, complained } = await run(await aSourceFolder(files), to)
      assert.deepEqual([code, complained], [0, ''])
      assert.match(printed, /^4 files imported \(13 bytes\) and 3 folders made in \d+\.\d s: [\d.,]+ files\/s\.$/)
      assert.deepEqual(await tree(to), [
        'Empty/ Folder',
        'Notes/ Folder',
        'Notes/Deep/ Folder',
        'Notes/Deep/c.png Picture image/png 3',
        'Notes/Deep/d.mp3 Audio audio/mpeg 3',
        'Notes/b.txt Note text/plain "text"',
        'a.pdf File application/pdf 3',
      ])
    })

    test('brings every byte', async () => {
      const to = await aWorkspace()
      const bytes = randomBytes(5_000_000)
      await run(await aSourceFolder({ 'a.bin': bytes }), to)
      const repository = server.services.repositories.get('default')
      const document = await server.asSystem(({ tx }) => tx.documents.findByPath(`${to}/a.bin`))
      const content = document?.properties['file:content']
      assert.ok(repository && isBlobValue(content))
      assert.equal(content.digest, createHash('md5').update(bytes).digest('hex'))
      assert.ok(bytes.equals(await buffer(await repository.blobs.read(content.key))))
    })

    test('imports more than fits into one transaction, and long names that begin alike', async () => {
      const to = await aWorkspace()
      const names = Array.from({ length: 130 }, (_, index) => `A name that is longer than a segment ${index}.pdf`)
      const folder = await aSourceFolder(Object.fromEntries(names.map((name) => [`d/${name}`, name])))
      assert.equal((await result(folder, to)).imported, 130)
      assert.deepEqual(
        (await tree(to)).map((line) => line.split(' File')[0]),
        ['d/ Folder', ...names.map((name) => `d/${name}`).sort()],
      )
    })

    test('imports nothing twice', async () => {
      const to = await aWorkspace()
      const folder = await aSourceFolder({ 'a.pdf': 'a', 'd/b.txt': 'b', 'd/c.html': '<p>c</p>', 'd/e.png': '' })
      await run(folder, to)
      const before = await tree(to)
      const { code, imported, folders, alreadyThere } = await result(folder, to)
      assert.deepEqual([code, imported, folders, alreadyThere], [0, 0, 0, 4])
      assert.deepEqual(await tree(to), before)
    })

    test('goes on where it was: only what is missing is imported', async () => {
      const to = await aWorkspace()
      const folder = await aSourceFolder({ 'a.pdf': 'a', 'd/b.pdf': 'b', 'd/c.txt': 'c', 'e/f.pdf': 'f' })
      await run(folder, to)
      const before = await tree(to)
      for (const path of ['d/b.pdf', 'e']) await server.as('Administrator').delete(`/path${to}/${path}`)
      const { imported, folders, alreadyThere } = await result(folder, to)
      assert.deepEqual([imported, folders, alreadyThere], [2, 1, 2])
      assert.deepEqual(await tree(to), before)
    })

    test('imports again what is in the trash', async () => {
      const to = await aWorkspace()
      const folder = await aSourceFolder({ 'a.pdf': 'a' })
      await run(folder, to)
      await server.asSystem(async (session) => {
        const document = await session.tx.documents.findByPath(`${to}/a.pdf`)
        await trashDocument(session, document?.id ?? '')
      })
      assert.equal((await result(folder, to)).imported, 1)
    })

    describe('where a document of the name has other content', () => {
      const differing = async () => {
        const to = await aWorkspace()
        const folder = await aSourceFolder({ 'a.pdf': 'one', 'b.txt': 'one', 'c.pdf': 'same' })
        await run(folder, to)
        for (const name of ['a.pdf', 'b.txt']) await addFile(folder, name, 'other')
        return { to, folder }
      }

      test('leaves it as it is, says so and ends with 1', async () => {
        const { to, folder } = await differing()
        const { code, failed, alreadyThere, complained } = await result(folder, to)
        assert.deepEqual([code, failed, alreadyThere], [1, 2, 1])
        assert.match(complained, /^not imported: a\.pdf: a document of that name has other content; --overwrite replaces it$/m)
        assert.equal((await tree(to))[0], 'a.pdf File application/pdf 3')
      })
      test('replaces it with --overwrite, and makes no second one', async () => {
        const { to, folder } = await differing()
        const { code, overwritten, imported, alreadyThere } = await result(folder, to, '--overwrite')
        assert.deepEqual([code, overwritten, imported, alreadyThere], [0, 2, 0, 1])
        assert.deepEqual(await tree(to), [
          'a.pdf File application/pdf 5',
          'b.txt Note text/plain "other"',
          'c.pdf File application/pdf 4',
        ])
      })
      test('finds that also of a file of the same length and date with --checksum', async () => {
        const to = await aWorkspace()
        const folder = await aSourceFolder({ 'a.pdf': 'one' })
        await run(folder, to)
        await addFile(folder, 'a.pdf', 'two')
        await utimes(join(folder, 'a.pdf'), new Date(0), new Date(0))
        assert.equal((await result(folder, to)).alreadyThere, 1)
        assert.equal((await result(folder, to, '--checksum')).failed, 1)
      })
    })

    test('takes names as they are, whatever they are', async () => {
      const to = await aWorkspace()
      const names = [
        'it\'s "quoted" \\ 100%.pdf',
        'שלום.pdf',
        '🌍 emoji.pdf',
        'line\nbreak.pdf',
        'esc\u001b[31m.pdf',
        'constructor',
        '-rf',
        ' ',
        `${'x'.repeat(250)}.pdf`,
      ]
      const folder = await aSourceFolder(Object.fromEntries(names.map((name) => [`d/${name}`, name])))
      await writeFile(Buffer.concat([Buffer.from(`${folder}/d/caf`), Buffer.from([0xe9]), Buffer.from('.pdf')]), 'latin')
      const { code, imported } = await result(folder, to)
      assert.deepEqual([code, imported], [0, names.length + 1])
      const titles = (await tree(to)).map((line) => line.replace(/ (?:File|Note|Folder)\b.*/s, '').slice(2))
      assert.deepEqual(titles.toSorted(), [
        '',
        '%20',
        '-rf',
        'café.pdf',
        'constructor',
        'esc[31m.pdf',
        'it\'s "quoted" - 100%.pdf',
        'line\nbreak.pdf',
        `${'x'.repeat(250)}.pdf`,
        'שלום.pdf',
        '🌍 emoji.pdf',
      ])
      assert.deepEqual([(await result(folder, to)).alreadyThere, (await tree(to)).length], [names.length + 1, names.length + 2])
    })

    test('leaves out hidden files and links, and tells of them', async () => {
      const to = await aWorkspace()
      const folder = await aSourceFolder({ 'a.pdf': 'a', '.git/config': 'x', '.env': 'secret' })
      await symlink('/etc/passwd', join(folder, 'passwd'))
      await symlink(folder, join(folder, 'round'))
      const { code, imported, leftOut, notImported } = await result(folder, to)
      assert.deepEqual([code, imported, leftOut], [0, 1, { hidden: 2, link: 2, special: 0 }])
      assert.deepEqual(notImported.map(({ path, reason }: { path: string; reason: string }) => `${path} ${reason}`).sort(), [
        '.env hidden',
        '.git hidden',
        'passwd link',
        'round link',
      ])
      assert.match((await run(folder, to)).printed, /left out: 2 hidden, 2 links/)
      assert.equal((await result(folder, to, '--hidden')).imported, 2)
    })

    test('changes nothing in a dry run, and tells what would be done', async () => {
      const to = await aWorkspace()
      const folder = await aSourceFolder({ 'a.pdf': 'a', 'd/b.txt': 'b', 'd/e/': '' })
      await run(await aSourceFolder({ 'a.pdf': 'a' }), to)
      await untilIdle(server)
      const before = await dumpTables(place)
      const { code, printed } = await run(folder, to, '--dry-run')
      assert.deepEqual([code, printed], [0, '1 file (1 byte) would be imported and 2 folders made.\nAlready there: 1.'])
      assert.equal((await result(folder, to, '--dry-run')).isDryRun, true)
      assert.deepEqual(await dumpTables(place), before)
    })

    test('acts in the name of a user, with no more rights than that', async () => {
      const bench = workbenchOn(server)
      const { path: to, uid } = await bench.create('Workspace')
      const folder = await aSourceFolder({ 'a.pdf': 'a', 'd/b.pdf': 'b' })
      const refused = await result(folder, to, '--as', 'ann')
      assert.deepEqual([refused.code, refused.imported, refused.failed], [1, 0, 3])
      assert.match(refused.complained, /not imported: a\.pdf: Privilege 'AddChildren' is not granted to 'ann'/)
      await bench.restrict(uid, grant('ann', 'Everything'))
      assert.equal((await result(folder, to, '--as', 'ann')).imported, 2)
      const made = await server.asSystem(({ tx }) => tx.documents.findByPath(`${to}/d/b.pdf`))
      assert.equal(made?.properties['dc:creator'], 'ann')
    })

    test('tells what went wrong in one line each', async () => {
      const to = await aWorkspace()
      const folder = await aSourceFolder({ 'a.pdf': 'a' })
      const note = (await workbenchOn(server).create('Note')).path
      const rows: readonly [code: number, args: readonly string[], complaint: RegExp][] = [
        [2, ['import'], /^quire: <folder> is missing; usage: quire import <folder>/],
        [2, ['import', folder], /^quire: --to is missing; --help tells what it is for$/],
        [2, ['import', folder, 'b', '--to', to], /^quire: "b" is not expected here/],
        [1, ['import', `${folder}/none`, '--to', to], /^quire: cannot import .*\/none: ENOENT/],
        [
          1,
          ['import', `${folder}/a.pdf`, '--to', to],
          /^quire: .*a\.pdf is no archive: it is no ZIP file.* give the folder itself\.$/,
        ],
        [1, ['import', folder, '--to', '/none'], /^quire: cannot import to \/none: there is no document$/],
        [1, ['import', folder, '--to', note], /^quire: cannot import to .*: a Note holds no documents$/],
        [1, ['import', folder, '--to', to, '--as', 'nobody'], /^quire: there is no user nobody/],
        [1, ['import', folder, '--to', to, '--repository', 'attic'], /^quire: there is no repository attic/],
      ]
      for (const [code, args, complaint] of rows) {
        const outcome = await quire.run(args)
        assert.deepEqual([outcome.code, outcome.printed], [code, ''], args.join(' '))
        assert.match(outcome.complained, complaint)
      }
    })
  })
}
