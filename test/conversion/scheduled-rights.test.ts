import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import type { DocumentEvent } from '../../src/core/session.ts'
import { type DownloadRule, definePlugin, type Listener } from '../../src/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { attach, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const heard: DocumentEvent[] = []
const listener: Listener = {
  name: 'downloads',
  when: 'inline',
  events: ['download'],
  handle: (event) => void heard.push(event),
}
const noSecrets: DownloadRule = {
  name: 'noSecrets',
  isAllowed: ({ blob, document }) => blob.name !== 'secret.txt' && document?.properties['dc:title'] !== 'secret',
}

onEachServer(
  'the result of an asynchronous conversion',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('alice', ['members']))
    beforeEach(() => void heard.splice(0))

    /** A document that only alice may read, and the address of what its file was converted to for her. */
    async function aResult(place = '@convert') {
      const { uid } = await bench.create('File', { 'dc:title': 'file' })
      await bench.restrict(uid, grant('alice', 'Read'))
      await attach(server, uid, 'a text', { name: 'a.txt', 'mime-type': 'text/plain' })
      const scheduled = await download(server, `api/v1/id/${uid}/${place}`, {
        method: 'POST',
        user: 'alice',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'converter=2utf8&async=true',
      })
      assert.equal(scheduled.status, 202, scheduled.text)
      const { pollingURL, resultURL } = JSON.parse(scheduled.text)
      while (JSON.parse((await download(server, pollingURL, { user: 'alice' })).text).status !== 'completed');
      assert.equal(heard.length, 0)
      return { uid, fetchIt: (asked = {}) => download(server, resultURL, { user: 'alice', ...asked }) }
    }

    test('is a download of the file, and told as such each time that it is fetched', async () => {
      for (const place of ['@convert', '@blob/file:content/@convert']) {
        heard.splice(0)
        const { uid, fetchIt } = await aResult(place)
        assert.equal((await fetchIt({ method: 'HEAD' })).status, 200)
        assert.equal(heard.length, 0)
        for (const _ of [1, 2]) assert.deepEqual((await fetchIt()).text, 'a text')
        const told = heard.map(({ document, properties }) => [document.id, properties['blobXPath'], properties['downloadReason']])
        assert.deepEqual(told, Array(2).fill([uid, 'file:content', 'download']))
      }
    })

    test('is gone with the right to read the document', async () => {
      const { uid, fetchIt } = await aResult()
      await bench.restrict(uid)
      assert.equal((await fetchIt()).status, 404)
      assert.equal((await fetchIt({ user: 'Administrator' })).status, 200)
      await bench.restrict(uid, grant('alice', 'Read'))
      assert.equal((await fetchIt()).status, 200)
    })

    test('is gone with the document', async () => {
      const { uid, fetchIt } = await aResult()
      assert.equal((await server.as('Administrator').delete(`/id/${uid}`)).status, 204)
      assert.equal((await fetchIt()).status, 404)
    })

    test('is refused by the rules that refuse the file by now', async () => {
      const { uid, fetchIt } = await aResult()
      await bench.update(uid, { 'dc:title': 'secret' })
      assert.deepEqual([(await fetchIt()).status, heard], [403, []])
    })
  },
  {
    plugins: [definePlugin({ name: 'secrets', downloadRules: [noSecrets], listeners: [listener] })],
    settings: { conversionPath: '/nowhere' },
  },
)
