import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { attach } from '../support/files.ts'
import { assertCallRefused, callForFile } from '../support/operation-files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn, workspaces } from '../support/workbench.ts'
import { namesIn, readArchived, readZip } from '../support/zip-archive.ts'

const downloaded: string[] = []
const watching = definePlugin({
  name: 'watching',
  downloadRules: [{ name: 'noSecrets', isAllowed: ({ blob }) => blob.name !== 'secret.txt' }],
  listeners: [
    { name: 'hears', when: 'inline', events: ['download'], handle: ({ document }) => void downloaded.push(document.name) },
  ],
})

onEachServer(
  '2.1 Document.Export',
  (server) => {
    const bench = workbenchOn(server)
    const exported = (input: string, params: object = {}, user = 'Administrator') =>
      callForFile(server, 'Document.Export', { input, params }, { user })
    const named = (name: string, parent = workspaces) => ({ name, parent })

    describe('as XML', () => {
      test('gives the document with its system facts, rights and properties', async () => {
        const { uid } = await bench.create(
          'File',
          { 'dc:title': 'Plan', 'dc:subjects': ['art/comics', 'art/dance'] },
          named('plan'),
        )
        const { digest } = await attach(server, uid, 'hello', { name: 'plan.txt', 'mime-type': 'text/plain' })
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('ann', 'Read', { creator: 'Administrator' })] }])
        const { status, text, headers } = await exported(uid)
        assert.deepEqual([status, headers.get('content-type')], [200, 'text/xml;charset=UTF-8'])
        assert.match(headers.get('content-disposition') ?? '', /document\.xml/)
        assert.ok(
          text.startsWith(`<?xml version="1.0" encoding="UTF-8"?>\n<document repository="default" id="${uid}">\n  <system>\n`),
        )
        for (const part of [
          '    <type>File</type>\n    <path>default-domain/workspaces/plan</path>\n',
          '    <lifecycle-state>project</lifecycle-state>\n    <lifecycle-policy>default</lifecycle-policy>\n',
          '    <facet>Versionable</facet>\n',
          '      <acl name="local">\n        <entry principal="ann" permission="Read" grant="true" creator="Administrator"/>\n      </acl>\n',
          '      <acl name="inherited">\n        <entry principal="',
          '  <schema xmlns:dc="http://www.platform.org/ecm/schemas/dublincore/" name="dublincore">\n',
          '    <dc:title><![CDATA[Plan]]></dc:title>\n',
          '    <dc:subjects>\n      <item><![CDATA[art/comics]]></item>\n      <item><![CDATA[art/dance]]></item>\n    </dc:subjects>\n',
          '    <file:content>\n      <encoding></encoding>\n      <mime-type>text/plain</mime-type>\n      <filename>plan.txt</filename>\n',
          `      <data>${digest}.blob</data>\n      <digest>${digest}</digest>\n    </file:content>\n`,
        ]) {
          assert.ok(text.includes(part), `${part} is in\n${text}`)
        }
        assert.ok(!text.includes('dc:description'), 'what is not set is left out')
      })

      test('has the numbers of the version', async () => {
        const { uid } = await bench.create('File')
        await bench.change(uid, { majorVersion: 2, minorVersion: 3 })
        const { text } = await exported(uid)
        for (const part of ['uid:major_version><![CDATA[2]]><', 'uid:minor_version><![CDATA[3]]><'])
          assert.ok(text.includes(part), `${part} is in\n${text}`)
        assert.ok(!(await exported((await bench.create('Folder')).uid)).text.includes('major_version'))
      })

      test('keeps every text to the letter', async () => {
        const { uid } = await bench.create('File', { 'dc:title': ' <b>&]]>\n\t"x" ' })
        assert.ok((await exported(uid)).text.includes('<dc:title><![CDATA[ <b>&]]]]><![CDATA[>\n\t"x" ]]></dc:title>'))
      })

      test('has lists of complex values, and entries with their dates', async () => {
        const { uid } = await bench.create('File')
        await attach(server, uid, 'a', { name: 'a.txt', xpath: 'files:files/0/file' })
        const end = '2099-01-01T00:00:00.000Z'
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('ann', 'Read', { end })] }])
        const { text } = await exported(uid)
        assert.match(
          text,
          /<files:files>\n {6}<item>\n {8}<file>\n {10}<encoding>.*<\/encoding>\n.*\n {10}<filename>a\.txt<\/filename>/,
        )
        assert.ok(text.includes(`permission="Read" grant="true" end="${end}"/>`))
      })

      test('hides the rights from those who may not read them', async () => {
        const { uid } = await bench.create('File')
        await server.addUser('jim')
        await bench.setAcls(uid, [{ name: 'local', aces: [deny('jim', 'ReadSecurity'), grant('jim', 'Read')] }])
        const { status, text } = await exported(uid, {}, 'jim')
        assert.equal(status, 200)
        assert.ok(!text.includes('access-control'))
      })
    })

    describe('as an archive', () => {
      test('has the mark of an archive, and the folder, the XML and the files of the document at its path', async () => {
        const { uid } = await bench.create('File', {}, named('boxed'))
        const main = await attach(server, uid, 'main', { name: 'a.txt' })
        const other = await attach(server, uid, 'attached', { name: 'b.txt', xpath: 'files:files/0/file' })
        await attach(server, uid, 'attached', { name: 'same.txt', xpath: 'files:files/1/file' })
        const { headers, bytes } = await exported(uid, { exportAsZip: true })
        assert.equal(headers.get('content-type'), 'application/zip')
        assert.match(headers.get('content-disposition') ?? '', /export\.zip/)
        const folder = 'default-domain/workspaces/boxed/'
        const files = [main, other].map(({ digest }) => `${folder}${digest}.blob`)
        assert.deepEqual(namesIn(bytes).slice(0, 3), ['.platform-archive', folder, `${folder}document.xml`])
        assert.deepEqual(namesIn(bytes).slice(3).toSorted(), files.toSorted())
        assert.equal(readArchived(bytes, files[1] ?? '').text, 'attached')
        assert.equal(readArchived(bytes, `${folder}document.xml`).text, (await exported(uid)).text)
      })

      test('has no files that may not be downloaded, and tells of those it has', async () => {
        const { uid } = await bench.create('File', {}, named('watched'))
        await attach(server, uid, 'secret', { name: 'secret.txt' })
        await attach(server, uid, 'open', { name: 'open.txt', xpath: 'files:files/0/file' })
        downloaded.length = 0
        const { bytes } = await exported(uid, { exportAsZip: true })
        assert.equal(readZip(bytes).filter(({ name }) => name.endsWith('.blob')).length, 1)
        assert.deepEqual(downloaded, ['watched'])
      })
    })

    describe('as a tree', () => {
      const childCountOf = (bytes: Buffer, folder: string) => readArchived(bytes, folder).extra.readUInt32LE(4)

      test('has all that is below, folders before their children and with their number, beginning at its own name', async () => {
        const tree = await bench.create('Folder', {}, named('tree'))
        const inner = await bench.create('Folder', {}, named('inner', tree.path))
        const leaf = await bench.create('File', {}, named('leaf', inner.path))
        const { digest } = await attach(server, leaf.uid, 'leaf', { name: 'l.txt' })
        await bench.create('Note', {}, named('note', tree.path))
        const { status, bytes } = await exported(tree.uid, { exportAsTree: true })
        assert.equal(status, 200)
        assert.deepEqual(namesIn(bytes), [
          '.platform-archive',
          'tree/',
          'tree/document.xml',
          'tree/inner/',
          'tree/inner/document.xml',
          'tree/inner/leaf/',
          'tree/inner/leaf/document.xml',
          `tree/inner/leaf/${digest}.blob`,
          'tree/note/',
          'tree/note/document.xml',
        ])
        assert.deepEqual([childCountOf(bytes, 'tree/'), childCountOf(bytes, 'tree/inner/')], [2, 1])
        assert.match(readArchived(bytes, 'tree/inner/document.xml').text, /<path>tree\/inner<\/path>/)
      })

      test('leaves out what the caller may not read with all that is below, the trash, proxies and versions', async () => {
        const tree = await bench.create('Folder', {}, named('shown'))
        const closed = await bench.create('Folder', {}, named('closed', tree.path))
        await bench.create('File', {}, named('below', closed.path))
        const shown = await bench.create('File', {}, named('open', tree.path))
        const trashed = await bench.create('File', {}, named('trashed', tree.path))
        await bench.change(trashed.uid, { isTrashed: true })
        await bench.createProxy(tree.uid, shown.uid)
        await bench.update(shown.uid, { 'dc:title': 'versioned' }, { 'X-Versioning-Option': 'major' })
        await server.addUser('kim')
        await bench.setAcls(tree.uid, [{ name: 'local', aces: [grant('kim', 'Read')] }])
        await bench.restrict(closed.uid)
        const { bytes } = await exported(tree.uid, { exportAsTree: true }, 'kim')
        assert.deepEqual(
          namesIn(bytes).filter((name) => name.endsWith('/')),
          ['shown/', 'shown/open/'],
        )
        assert.equal(childCountOf(bytes, 'shown/'), 1)
      })

      test('of the root begins with nothing', async () => {
        const { bytes } = await exported('/', { exportAsTree: true })
        const names = namesIn(bytes)
        assert.deepEqual(names.slice(0, 2), ['.platform-archive', 'document.xml'])
        assert.ok(names.includes('default-domain/'))
      })
    })

    test('refuses documents that may not be read or are not there, and what is no document', async () => {
      const { uid } = await bench.create('File')
      await bench.restrict(uid)
      await server.addUser('lea')
      assertCallRefused(await exported(uid, {}, 'lea'), 403, /Privilege 'Read' is not granted to 'lea'/)
      assertCallRefused(await exported('/nowhere'), 404, /\/nowhere$/)
      assertCallRefused(await callForFile(server, 'Document.Export', {}), 400, /no method found/)
    })
  },
  { plugins: [watching], settings: { securityAllowNegativeAcl: true } },
)
