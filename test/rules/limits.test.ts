import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { assertRefusal } from '../support/refusal.ts'
import { aDocument } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

onEachServer('limits', (server) => {
  const bench = workbenchOn(server)
  let folder = { uid: '', path: '' }
  before(async () => {
    folder = await bench.create('Folder')
  })
  const nameOf = ({ path }: { path: string }) => path.slice(path.lastIndexOf('/') + 1)
  const place = (id: string, how: 'copy' | 'move', name: string) =>
    server.inSession('Administrator', (session) =>
      how === 'copy'
        ? copyDocument(session, id, { parentId: folder.uid, name })
        : moveDocument(session, id, { parentId: folder.uid, name }),
    )

  describe('19 a path segment', () => {
    const post = async (name: string) =>
      nameOf(requireStatus(201, await server.as('Administrator').post(`/id/${folder.uid}`, aDocument({ name }))))
    test('is the name that was given, which is cut at 255 characters', async () => {
      assert.equal(await post('annual-report-2026-final.pdf'), 'annual-report-2026-final.pdf')
      assert.equal(await post('a'.repeat(255)), 'a'.repeat(255))
      assert.equal(await post('b'.repeat(256)), 'b'.repeat(255))
      assert.equal(await post(`${'c'.repeat(254)}😀`), 'c'.repeat(254))
      assert.ok((await post('a'.repeat(256))).length <= 255)
    })
    test('has at most 24 characters when it is made from a title', async () => {
      const call = await server.as('Administrator').post('/automation/FileManager.CreateFolder', {
        params: { title: 'd'.repeat(25) },
        input: `doc:${folder.uid}`,
      })
      assert.equal(nameOf(requireStatus(200, call)), 'd'.repeat(24))
    })
    for (const how of ['copy', 'move'] as const) {
      test(`has at most 255 when it is given to a ${how}`, async () => {
        const { uid } = await bench.create('File')
        assert.equal((await place(uid, how, how.charAt(0).repeat(255))).name.length, 255)
        const { uid: other } = await bench.create('File')
        await assertRefusal(place(other, how, 'x'.repeat(256)), 400, /at most 255 characters$/)
      })
      test(`stays within 255 when a ${how} finds the name taken`, async () => {
        const name = `${how}${'y'.repeat(250)}`
        for (let time = 0; time < 2; time++) {
          const { uid } = await bench.create('File')
          assert.ok((await place(uid, how, name)).name.length <= 255)
        }
      })
    }
  })

  const lengths: readonly [type: string, property: string, limit: number][] = [
    ['File', 'dc:description', 2000],
    ['DefaultRelation', 'relation:targetString', 10_000],
  ]
  for (const [type, property, limit] of lengths) {
    test(`19 ${property} has at most ${limit} characters`, async () => {
      const post = (length: number) =>
        server.as('Administrator').post(`/id/${folder.uid}`, aDocument({ type, properties: { [property]: 'x'.repeat(length) } }))
      requireStatus(201, await post(limit))
      const refused = await post(limit + 1)
      assert.equal(refused.status, 400, refused.text)
      assert.equal(refused.body.violations[0].constraint.name, 'LengthConstraint')
    })
  }
  test('19 a clob has room for a megabyte and more', async () => {
    const note = 'x'.repeat(1_500_000)
    const { uid } = await bench.create('Note', { 'note:note': note })
    assert.equal((await bench.readProperties(uid))['note:note'].length, note.length)
  })
})
