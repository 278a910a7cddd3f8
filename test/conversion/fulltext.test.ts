import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { commandLineAt } from '../support/command-line.ts'
import { corpus } from '../support/conversion/corpus.ts'
import { attach } from '../support/files.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const bare = { conversionPath: '/nowhere' }

onEachServer(
  '6.8 full text',
  (server) => {
    test('finds documents by what is in files of every format', async () => {
      const bench = workbenchOn(server)
      const { uid: folder, path } = await bench.create('Folder', { 'dc:title': 'corpus' })
      for (const { name, mimeType, bytes } of corpus) {
        const { uid } = await bench.create('File', { 'dc:title': name }, { parent: path })
        await attach(server, uid, bytes(), { name, 'mime-type': mimeType })
      }
      await untilIdle(server)
      const query = `SELECT * FROM File WHERE ecm:fulltext = 'zebrafish' AND ecm:ancestorId = '${folder}'`
      const { body } = await server
        .as('Administrator')
        .get(`/search/lang/NXQL/execute?pageSize=100&query=${encodeURIComponent(query)}`)
      const titles = body.entries.map(({ title }: { readonly title: string }) => title)
      assert.deepEqual(titles.toSorted(), corpus.map(({ name }) => name).toSorted())
    })

    test('of a file that cannot be read there is none, and the others are found', async () => {
      const bench = workbenchOn(server)
      const { uid } = await bench.create('File', { 'dc:title': 'half' })
      await attach(server, uid, '%PDF-1.4 and nothing more', { name: 'a.pdf', 'mime-type': 'application/pdf' })
      await attach(server, uid, 'the okapi', { name: 'a.txt', 'mime-type': 'text/plain', xpath: 'files:files/0/file' })
      await untilIdle(server)
      const query = encodeURIComponent(`SELECT * FROM File WHERE ecm:fulltext = 'okapi'`)
      const { body } = await server.as('Administrator').get(`/search/lang/NXQL/execute?query=${query}`)
      assert.deepEqual(
        body.entries.map(({ uid: found }: { readonly uid: string }) => found),
        [uid],
      )
    })
  },
  { settings: bare },
)

test('quire reindex --texts reads files anew, and counts those that cannot be read', async () => {
  const place = await filledPlace('sqlite')
  const server = await startTestServer({ settings: { ...place.settings, ...bare } })
  const bench = workbenchOn(server)
  const files = [...corpus.filter(({ name }) => /\.(docx|pdf|txt)$/.test(name))]
  for (const { name, mimeType, bytes } of files) {
    const { uid } = await bench.create('File', { 'dc:title': name })
    await attach(server, uid, bytes(), { name, 'mime-type': mimeType })
  }
  const { uid } = await bench.create('File', { 'dc:title': 'broken' })
  await attach(server, uid, '%PDF-1.4 and nothing more', { name: 'broken.pdf', 'mime-type': 'application/pdf' })
  await untilIdle(server)
  await server.asSystem(({ tx }) => tx.fileTexts.save({ key: 'unused', mimeType: 'text/plain' }, ''))
  await server.stop()

  const { run, json } = commandLineAt(place)
  const { files: read, unread, reasons } = await json(['reindex', '--texts'])
  assert.deepEqual([read, unread], [files.length + 1, 1])
  assert.match(Object.keys(reasons)[0] ?? '', /damaged/)
  assert.match((await run(['reindex', '--texts'])).printed, /^5 files read anew, 1 of which/)
  assert.equal((await run(['reindex'])).code, 2)
})
