import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const aFile = (name: string, data = name) => ({ data, name, 'mime-type': 'text/plain' })

onEachServer('the default chains', (server) => {
  const bench = workbenchOn(server)
  const call = operationsOn(server)
  const held = async (uid: string) => {
    const properties = await bench.readProperties(uid)
    const files = properties['files:files'].map(({ file }: { file: { name: string } }) => file.name)
    return [properties['file:content']?.name ?? null, ...files]
  }
  const versionsOf = async (uid: string): Promise<readonly string[]> => {
    const { entries } = requireStatus(
      200,
      await call('Document.GetVersions', { input: uid }, { 'fetch-document': 'versionLabel' }),
    )
    return entries.map(({ versionLabel }: { versionLabel: string }) => versionLabel)
  }

  test('1.12 VersionAndAttachFile keeps a minor version, then gives the current document the first file as its main one', async () => {
    const { uid } = await bench.create('File')
    const before = await versionsOf(uid)
    const body = requireStatus(
      200,
      await call('VersionAndAttachFile', { input: [aFile('a.txt'), aFile('b.txt')], context: { currentDocument: uid } }),
    )
    assert.equal(body.uid, uid)
    assert.deepEqual(await held(uid), ['a.txt', 'b.txt'])
    assert.ok((await versionsOf(uid)).length > before.length)
  })

  test('1.12 VersionAndAttachFile of a note keeps a minor version of its text, then changes that', async () => {
    const { uid } = await bench.create('Note', { 'note:note': 'before' })
    const context = { currentDocument: uid }
    requireStatus(200, await call('VersionAndAttachFile', { input: [aFile('a.txt', 'after')], context }))
    assert.equal((await bench.readProperties(uid))['note:note'], 'after')
    const { entries } = requireStatus(200, await call('Document.GetVersions', { input: uid }))
    const kept = await Promise.all(entries.map((version: { uid: string }) => bench.readProperties(version.uid)))
    assert.ok(kept.some(({ 'note:note': text }) => text === 'before'))
  })

  test('1.12 VersionAndAttachFiles keeps a minor version and leaves the main file alone', async () => {
    const { uid } = await bench.create('File', { 'file:content': aFile('main.txt') })
    const input = [aFile('a.txt'), aFile('b.txt')]
    requireStatus(200, await call('VersionAndAttachFiles', { input, context: { currentDocument: uid } }))
    assert.deepEqual(await held(uid), ['main.txt', 'a.txt', 'b.txt'])
    assert.ok((await versionsOf(uid)).includes('0.1'))
  })

  test('1.12 AttachFiles attaches one file or several to the current document', async () => {
    const { uid } = await bench.create('File', { 'file:content': aFile('main.txt') })
    requireStatus(200, await call('AttachFiles', { input: aFile('a.txt'), context: { currentDocument: uid } }))
    requireStatus(
      200,
      await call('Chain.AttachFiles', { input: [aFile('b.txt'), aFile('c.txt')], context: { currentDocument: uid } }),
    )
    assert.deepEqual(await held(uid), ['main.txt', 'a.txt', 'b.txt', 'c.txt'])
  })

  test('1.12 FileManager.ImportWithMetaData makes documents with the properties of docMetaData, and replaces them', async () => {
    const folder = await bench.create('Folder')
    const importing = async (docMetaData: unknown) =>
      requireStatus(
        200,
        await call('FileManager.ImportWithMetaData', {
          input: aFile('data.bin', 'x'),
          context: { currentDocument: folder.path, docMetaData },
        }),
      )
    const made = await importing({ 'dc:description': 'sent as a map' })
    assert.equal((await bench.readProperties(made.uid))['dc:description'], 'sent as a map')
    const replaced = await importing('dc:description=sent as lines')
    assert.equal(replaced.uid, made.uid)
    assert.equal((await bench.readProperties(made.uid))['dc:description'], 'sent as lines')
  })

  test('1.12 mainBlob, containerContentBlob, xmlExportRendition and zipTreeExportRendition give files', async () => {
    const folder = await bench.create('Folder')
    const { uid } = await bench.create('File', { 'file:content': aFile('main.txt', 'words') }, { parent: folder.path })
    assert.equal((await call('mainBlob', { input: uid })).text, 'words')
    assert.match((await call('xmlExportRendition', { input: uid })).text, /^<\?xml/)
    for (const id of ['containerContentBlob', 'zipTreeExportRendition']) {
      const { status, text } = await call(id, { input: `doc:${folder.uid}` })
      assert.equal(status, 200)
      assert.ok(text.startsWith('PK'), id)
    }
  })

  test('they need a current document, files, and the right to change it', async () => {
    await server.addUser('bob', ['members'])
    const { uid } = await bench.create('File')
    await bench.restrict(uid)
    const input = [aFile('a.txt')]
    for (const id of ['VersionAndAttachFile', 'VersionAndAttachFiles', 'AttachFiles']) {
      assert.equal((await call(id, { input })).status, 400, id)
      assert.equal((await call(id, { context: { currentDocument: uid } })).status, 400, id)
      assert.equal((await call(id, { input, context: { currentDocument: '/nowhere' } })).status, 404, id)
      assert.equal((await operationsOn(server, 'bob')(id, { input, context: { currentDocument: uid } })).status, 403, id)
    }
    assert.equal((await call('FileManager.ImportWithMetaData', { input: aFile('a.bin') })).status, 400)
  })
})
