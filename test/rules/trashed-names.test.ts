import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { untrashDocument } from '../../src/core/documents/trash/untrash-document.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import type { WriteSession } from '../../src/core/session.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer('7.6 the mark of the trash is on what was trashed, and not on', (server) => {
  const bench = workbenchOn(server)
  const act = <Result>(body: (session: WriteSession) => Promise<Result>) => server.inSession('Administrator', body)

  /** A document in the trash, and a folder for what is made of it. */
  async function createTrashed() {
    const [{ uid: id }, { uid: folder }] = [await bench.create('File', {}, { name: 'report' }), await bench.create('Section')]
    await act((session) => trashDocument(session, id))
    return { id, folder }
  }

  test('a proxy to it', async () => {
    const { id, folder } = await createTrashed()
    const { name, isTrashed } = await act((session) => createProxy(session, id, folder))
    assert.deepEqual([name, isTrashed], ['report', false])
  })
  test('its publication', async () => {
    const { id, folder } = await createTrashed()
    const { name, isTrashed } = await act((session) => publishDocument(session, id, folder))
    assert.deepEqual([name, isTrashed], ['report', false])
  })
  test('a version that is made of it there, nor a copy of that', async () => {
    const { id, folder } = await createTrashed()
    const { version } = await act((session) => checkInDocument(session, id))
    await act((session) => untrashDocument(session, id))
    assert.equal(version.name, 'report')
    assert.equal((await act((session) => copyDocument(session, version.id, { parentId: folder }))).name, 'report')
  })
})
