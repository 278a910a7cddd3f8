import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type ImportOptions, importTestFile, type TestFile } from '../support/imported-file.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn, workspaces } from '../support/workbench.ts'

const pdf = '%PDF-1.7\n'
const latin = Buffer.from('caf\xe9', 'latin1')

onEachServer('what files become', (server) => {
  const bench = workbenchOn(server)
  let path: string
  before(async () => {
    path = (await bench.create('Workspace')).path
  })
  const imported = (file: TestFile, options?: ImportOptions) => importTestFile(server, path, file, options)

  const types: readonly [name: string, declared: string | null, type: string, mimeType: string][] = [
    ['a.jpg', null, 'Picture', 'image/jpeg'],
    ['a.gif', null, 'Picture', 'image/gif'],
    ['a.png', null, 'Picture', 'image/png'],
    ['a.tif', null, 'Picture', 'image/tiff'],
    ['a.bmp', null, 'Picture', 'image/bmp'],
    ['a.ppm', null, 'Picture', 'image/x-portable-pixmap'],
    ['a.dpx', null, 'Picture', 'image/x-dpx'],
    ['a.cr2', null, 'Picture', 'image/x-canon-cr2'],
    ['a.nef', null, 'Picture', 'image/x-nikon-nef'],
    ['a.raw', null, 'Picture', 'image/x-panasonic-raw'],
    ['a.3fr', null, 'Picture', 'image/raw'],
    ['a.mef', null, 'Picture', 'image/x-raw'],
    ['a.svg', null, 'Picture', 'image/svg+xml'],
    ['a.psd', null, 'Picture', 'application/photoshop'],
    ['a.ai', null, 'Picture', 'application/illustrator'],
    ['a.eps', null, 'Picture', 'application/postscript'],
    ['a.pbm', null, 'File', 'image/x-portable-bitmap'],
    ['a.mp4', null, 'Video', 'video/mp4'],
    ['a.gxf', null, 'Video', 'application/gxf'],
    ['a.mxf', null, 'Video', 'application/mxf'],
    ['a.mp3', null, 'Audio', 'audio/mpeg'],
    ['a.m4a', null, 'Audio', 'audio/aac'],
    ['a.pdf', null, 'File', 'application/pdf'],
    ['a.zip', null, 'File', 'application/zip'],
    ['a.csv', null, 'File', 'text/csv'],
    ['a.xml', null, 'File', 'text/xml'],
    ['~$a.docx', null, 'File', 'application/octet-stream'],
    ['a.pdf', 'image/png', 'File', 'application/pdf'],
    ['a', 'image/png', 'Picture', 'image/png'],
    ['a', 'video/x-msvideo', 'Video', 'video/x-msvideo'],
    ['a', 'application/pdf', 'File', 'application/pdf'],
  ]
  for (const [name, declared, type, mimeType] of types) {
    test(`13 ${name}${declared === null ? '' : ` sent as ${declared}`} becomes a ${type}`, async () => {
      const document = await imported({ name, type: declared })
      assert.equal(document.type, type)
      const shown = (await bench.readProperties(document.id))['file:content']
      assert.deepEqual([shown.name, shown['mime-type'], shown.length], [name, mimeType, '9'])
    })
  }

  const notes: readonly [name: string, type: string | null, mimeType: string][] = [
    ['a.txt', null, 'text/plain'],
    ['a.html', null, 'text/html'],
    ['a.md', null, 'text/x-web-markdown'],
    ['a', 'text/html; charset=UTF-8', 'text/html'],
    ['README', null, 'text/plain'],
  ]
  for (const [name, type, mimeType] of notes) {
    test(`13 ${name}${type === null ? '' : ` sent as ${type}`} becomes a Note that is ${mimeType}`, async () => {
      const document = await imported({ name, type, content: 'Grüße' })
      assert.deepEqual(
        [document.type, document.properties['note:note'], document.properties['note:mime_type']],
        ['Note', 'Grüße', mimeType],
      )
    })
  }

  test('13 what is in a file decides when neither its name nor its sender does', async () => {
    const { id, type } = await imported({ name: 'plan', content: pdf })
    assert.equal(type, 'File')
    assert.equal((await bench.readProperties(id))['file:content']['mime-type'], 'application/pdf')
    assert.equal((await imported({ name: 'plan', content: Buffer.from('ffd8ffe000104a4649460001', 'hex') })).type, 'Picture')
    assert.equal((await imported({ name: 'plan', content: Buffer.from('ID3\x03\0\0\0\0\0\x0a', 'latin1') })).type, 'Audio')
  })

  test('13 without a check the type is what the sender said, whatever the name says', async () => {
    const options = { checksMimeType: false }
    assert.equal((await imported({ name: 'a.pdf', type: 'image/png' }, options)).type, 'Picture')
    assert.equal((await imported({ name: 'a.png', type: null }, options)).type, 'File')
    assert.equal((await imported({ name: 'a.png', type: 'image/pjpeg' }, options)).type, 'Picture')
    assert.equal((await imported({ name: 'a.txt', type: 'application/xhtml+xml' }, options)).type, 'Note')
  })

  test('13 any bytes by declaration become a File, whose content is known for what it is', async () => {
    const document = await imported({ name: 'plan', type: 'application/octet-stream', content: pdf })
    assert.equal(document.type, 'File')
    assert.equal((await bench.readProperties(document.id))['file:content']['mime-type'], 'application/pdf')
  })

  const texts: readonly [what: string, file: Partial<TestFile>][] = [
    ['in the charset of their type', { type: 'text/plain; charset=ISO-8859-1', content: latin }],
    ['in the encoding they come with', { encoding: 'ISO-8859-1', content: latin }],
    ['in the encoding that their mark says', { content: Buffer.from('\ufeffcafé', 'utf16le') }],
    ['in UTF-16 without a mark', { content: Buffer.from('café', 'utf16le') }],
    ['in UTF-8 otherwise', { content: 'café' }],
    ['in the encoding of old files when they cannot be UTF-8', { content: latin }],
    ['in another one when the charset of their type cannot be', { type: 'text/plain; charset=UTF-8', content: latin }],
    ['in another one when nobody knows the charset', { type: 'text/plain; charset=klingon', content: 'café' }],
    ['without the mark at their beginning', { content: '\ufeffcafé' }],
  ]
  for (const [what, file] of texts) {
    test(`13 notes are read ${what}`, async () => {
      assert.equal((await imported({ name: 'a.txt', ...file })).properties['note:note'], 'café')
    })
  }

  test('13 an empty text is a note without a word', async () => {
    const { type, properties } = await imported({ name: 'a.txt', content: '' })
    assert.deepEqual([type, properties['note:note']], ['Note', ''])
  })

  test('13 what is no text, or too long for a note, becomes a File with all its bytes', async () => {
    const binary = Buffer.from('0001feff00', 'hex')
    const document = await imported({ name: 'a.txt', content: binary })
    assert.equal(document.type, 'File')
    assert.equal((await bench.readProperties(document.id))['file:content'].length, '5')
    assert.equal((await imported({ name: 'a.txt', content: Buffer.alloc(1024 ** 2 + 1, 'x') })).type, 'File')
    assert.equal((await imported({ name: 'a.txt', content: Buffer.alloc(1024 ** 2, 'x') })).type, 'Note')
  })

  test('13 the place of a workspace holds workspaces, and no file becomes one', async () => {
    await assert.rejects(importTestFile(server, workspaces, { name: 'a.pdf' }), {
      message: /of type File, and \/.* of type WorkspaceRoot holds none/,
      kind: 'invalid',
    })
  })
})
