import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { followTransition } from '../../src/core/documents/lifecycle/follow-transition.ts'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import type { WriteSession } from '../../src/core/session.ts'
import { defineDocumentType } from '../../src/model/document-type.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const machinery = definePlugin({
  name: 'machinery',
  requires: ['content-model'],
  documentTypes: [
    defineDocumentType('Machine', {
      extends: 'Document',
      schemas: ['dublincore'],
      facets: ['SystemDocument'],
      lifecycle: 'default',
    }),
  ],
})
const stamps = ['dc:created', 'dc:modified', 'dc:creator', 'dc:contributors', 'dc:lastContributor']

onEachServer(
  '16 the stamps of dublincore',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('bob', ['members']))
    const act = <Result>(body: (session: WriteSession) => Promise<Result>) => server.inSession('Administrator', body)
    const stampsOf = async (uid: string) => {
      const properties = await bench.readProperties(uid)
      return stamps.map((name) => properties[name])
    }

    describe('16 are not for a SystemDocument', () => {
      const none = [null, null, null, [], null]
      test('when it is created, changed or follows a transition', async () => {
        const { uid } = await bench.create('Machine')
        assert.deepEqual(await stampsOf(uid), none)
        await bench.update(uid, { 'dc:title': 'new' })
        await act((session) => followTransition(session, uid, 'approve'))
        assert.deepEqual(await stampsOf(uid), none)
      })
      test('when it is copied, whoever is to be the creator of the copy', async () => {
        const [{ uid }, folder] = [await bench.create('Machine'), await bench.create('Folder')]
        const copy = await act((session) => copyDocument(session, uid, { parentId: folder.uid, resetCreator: true }))
        assert.deepEqual(await stampsOf(copy.id), none)
      })
      test('that became one by a facet of its own: those it had stay', async () => {
        const { uid } = await bench.create('Folder')
        const had = await stampsOf(uid)
        await bench.change(uid, { facets: ['SystemDocument'] })
        await act((session) => saveDocument(session, uid, { 'dc:title': 'new' }))
        assert.deepEqual(await stampsOf(uid), had)
      })
    })
    test('16 at creation are the same moment, and the caller everywhere', async () => {
      const [created, modified, creator, contributors, last] = await stampsOf((await bench.create('Folder')).uid)
      assert.equal(created, modified)
      assert.deepEqual([creator, contributors, last], ['Administrator', ['Administrator'], 'Administrator'])
    })
    test('16 take the words user and group off the names of old lists', async () => {
      const { uid } = await bench.create('Folder', { 'dc:contributors': ['user:ann', 'group:staff'] })
      assert.deepEqual((await stampsOf(uid))[3], ['ann', 'staff', 'Administrator'])
    })
    test('16 stay where a save changes nothing', async () => {
      const { uid } = await bench.create('Folder', { 'dc:title': 'same' })
      const had = await stampsOf(uid)
      await bench.update(uid, { 'dc:title': 'same' })
      assert.deepEqual(await stampsOf(uid), had)
    })
    test('16 name the user behind a system session', async () => {
      const { uid } = await bench.create('Folder')
      await server.inSession('bob', (session) => saveDocument(session.asSystem(), uid, { 'dc:title': 'new' }))
      const [, , creator, contributors, last] = await stampsOf(uid)
      assert.deepEqual([creator, contributors, last], ['Administrator', ['Administrator', 'bob'], 'bob'])
    })
  },
  { plugins: [machinery] },
)
