import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { aStoredDocument } from '../../../../test/support/stored-document.ts'
import type { Properties } from '../../../model/properties/property.ts'
import { type FileToCompare, hasSameContent, mayContain } from './same-content.ts'

const saved = '2031-06-01T00:00:00.000Z'
const aDocument = (properties: Properties) => aStoredDocument({ properties: { 'dc:modified': saved, ...properties } })
const aFileDocument = (content: string, name = 'a.pdf', algorithm = 'md5') => {
  const digest = createHash(algorithm).update(content).digest('hex')
  const digestAlgorithm = algorithm === 'md5' ? 'MD5' : 'SHA-256'
  const blob = { key: digest, digest, digestAlgorithm, name, 'mime-type': null, encoding: null, length: content.length }
  return aDocument({ 'file:content': blob })
}
const aNote = (text: string, type = 'text/plain') => aDocument({ 'note:note': text, 'note:mime_type': type })

function aFile(content: string | Buffer, modified = '2031-05-01') {
  const bytes = Buffer.from(content)
  let reads = 0
  const read = async () => {
    reads += 1
    return Readable.from([bytes])
  }
  const file: FileToCompare = { name: 'a.pdf', length: bytes.length, modified: new Date(modified), read }
  return { file, reads: () => reads }
}

const same = (document: ReturnType<typeof aDocument>, { file }: ReturnType<typeof aFile>, checksum = false) =>
  hasSameContent(document, file, { checksum })

describe('a file is the one in a document', () => {
  test('when it is as long and older than the document, without being read', async () => {
    const other = aFile('other')
    assert.equal(await same(aFileDocument('equal'), other), true)
    assert.equal(other.reads(), 0)
  })
  test('when it is as long and newer, only with the same bytes', async () => {
    assert.equal(await same(aFileDocument('equal'), aFile('equal', '2031-07-01')), true)
    assert.equal(await same(aFileDocument('equal'), aFile('other', '2031-07-01')), false)
  })
  test('only with the same bytes when all are compared', async () => {
    assert.equal(await same(aFileDocument('equal'), aFile('equal'), true), true)
    assert.equal(await same(aFileDocument('equal'), aFile('other'), true), false)
    assert.equal(await same(aFileDocument('equal', 'a.pdf', 'sha256'), aFile('equal'), true), true)
  })
  test('not when it is of another length', async () => {
    const longer = aFile('longer')
    assert.equal(await same(aFileDocument('short'), longer, true), false)
    assert.equal(longer.reads(), 0)
  })
})

describe('a text is the one of a note', () => {
  const rows: readonly [what: string, note: string, file: string | Buffer, type: string, isSame: boolean][] = [
    ['with the same characters', 'café', 'café', 'text/plain', true],
    ['in another encoding', 'café', Buffer.from('caf\xe9', 'latin1'), 'text/plain', true],
    ['with a mark that notes have not', 'café', '\ufeffcafé', 'text/plain', true],
    ['not with other characters', 'café', 'cafe', 'text/plain', false],
    ['not when it is no text', '', Buffer.from([0, 1, 2]), 'text/plain', false],
    ['of HTML that was made harmless', '<p>Hi</p>', '<p onclick="x()">Hi</p>', 'text/html', true],
    ['not of HTML with other words', '<p>Hi</p>', '<p>Ho</p>', 'text/html', false],
    ['not of markup that is a text', '<p>Hi</p>', '<p class="a">Hi</p>', 'text/plain', false],
  ]
  for (const [what, note, file, type, isSame] of rows) {
    test(what, async () => assert.equal(await same(aNote(note, type), aFile(file)), isSame))
  }
})

describe('a document may be that of a file', () => {
  const file = { name: 'cafe\u0301.pdf' }
  test('when its file has the name, composed', () => assert.equal(mayContain(aFileDocument('x', 'café.pdf'), file), true))
  test('not when its file has another', () => assert.equal(mayContain(aFileDocument('x', 'other.pdf'), file), false))
  test('when it is a text', () => assert.equal(mayContain(aNote('x'), file), true))
  test('not when it holds neither', () => assert.equal(mayContain(aDocument({}), file), false))
})
