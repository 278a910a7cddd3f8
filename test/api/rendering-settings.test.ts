import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

onEachServer(
  'a server that is set to',
  (server) => {
    const bench = workbenchOn(server)
    const ask = async (uid: string, enricher: string) =>
      (await bench.read(uid, { 'enrichers-document': enricher })).contextParameters[enricher]

    test('show label and lock unasked does so, the lock where there is one', async () => {
      const { uid, versionLabel } = await bench.create('File')
      assert.equal(versionLabel, '0.0')
      assert.ok(!('lockOwner' in (await bench.read(uid))))
      await bench.change(uid, { lock: { owner: 'alice', created: '2031-02-03T09:10:11.120Z' } })
      const { lockOwner, lockCreated } = await bench.read(uid)
      assert.deepEqual([lockOwner, lockCreated], ['alice', '2031-02-03T09:10:11.120Z'])
    })

    test('read empty texts as none does so, unless the request says otherwise', async () => {
      const { uid } = await bench.create('Specimen', { 'spc:text': '' })
      assert.equal((await bench.readProperties(uid))['spc:text'], null)
      await bench.update(uid, { 'spc:text': '' }, { 'X-NXDocumentJsonLegacy': 'false' })
      assert.equal((await bench.readProperties(uid))['spc:text'], '')
    })

    test('repeat the entries of the acls enricher does so', async () => {
      const { uid } = await bench.create('Folder')
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('alice', 'Read')] }])
      const [local] = await ask(uid, 'acls')
      assert.deepEqual(Object.keys(local), ['name', 'aces', 'ace'])
      assert.deepEqual(local.ace, local.aces)
    })

    test('link to documents elsewhere does so', async () => {
      const { uid } = await bench.create('File')
      assert.equal(await ask(uid, 'documentURL'), `https://desk.example/default?open=${uid}`)
    })

    test('do without change tokens shows the time of the last change instead, and checks none', async () => {
      const { uid } = await bench.create('File', { 'file:content': { data: 'x' } })
      const { changeToken, lastModified, properties } = await bench.read(uid, { properties: 'file' })
      assert.equal(changeToken, String(Date.parse(lastModified)))
      assert.ok(properties['file:content'].data.endsWith(`?changeToken=${changeToken}`))
      const body = { 'entity-type': 'document', uid, changeToken: '9999-1234', properties: { 'dc:title': 'x' } }
      requireStatus(200, await server.as('Administrator').put(`/id/${uid}`, body))
    })

    test('do without change tokens has none for a document without a time of change', async () => {
      const { uid } = await bench.create('Bare', { 'spc:attachment': { data: 'x' } })
      const { changeToken, properties } = await bench.read(uid, { properties: 'specimen' })
      assert.equal(changeToken, null)
      assert.equal(new URL(properties['spc:attachment'].data).search, '')
      assert.ok((await ask(uid, 'thumbnail')).url.endsWith('/@rendition/thumbnail?changeToken='))
      assert.ok((await ask(uid, 'preview')).url.endsWith('/@preview/'))
    })
  },
  {
    plugins: [specimens],
    settings: {
      documentJsonFetchHeavy: true,
      documentJsonLegacy: true,
      aclEnricherCompatibility: true,
      changeTokenEnabled: false,
      documentUrlPattern: 'https://desk.example/{repo}?open={id}',
    },
  },
)
