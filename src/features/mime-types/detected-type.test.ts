import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { detectDeclaredType, detectType, type FileToDetect } from './detected-type.ts'

const pdf = '%PDF-1.7\n'

function aFile(name: string | null, content = pdf, length = content.length) {
  const reads: { start: number; end: number }[] = []
  const file: FileToDetect = {
    name,
    length,
    read: async (range) => {
      reads.push(range)
      return Readable.from([Buffer.from(content)])
    },
  }
  return { file, reads }
}

describe('a file is', () => {
  const rows: readonly [what: string, name: string | null, content: string, type: string][] = [
    ['what its name says, whatever is in it', 'a.txt', pdf, 'text/plain'],
    ['what is in it when its name says nothing', 'plan', pdf, 'application/pdf'],
    ['what is in it when it has no name', null, pdf, 'application/pdf'],
    ['any bytes when neither says anything', 'plan', '\x01\x02\x03', 'application/octet-stream'],
    ['any bytes when it is empty', 'plan', '', 'application/octet-stream'],
    ['any bytes when a program only works on it', '~$plan.docx', pdf, 'application/octet-stream'],
  ]
  for (const [what, name, content, type] of rows) {
    test(what, async () => assert.equal(await detectType(aFile(name, content).file), type))
  }

  test('looked into only when its name says nothing', async () => {
    const { file, reads } = aFile('a.txt')
    await detectType(file)
    assert.deepEqual(reads, [])
  })
  test('looked into at its beginning, and no further', async () => {
    const { file, reads } = aFile('plan', pdf, 9 * 1024 ** 2)
    assert.equal(await detectType(file), 'application/pdf')
    assert.deepEqual(reads, [{ start: 0, end: 64 * 1024 - 1 }])
  })
  test('not looked into when it is larger than 10 MiB', async () => {
    const { file, reads } = aFile('plan', pdf, 10 * 1024 ** 2 + 1)
    assert.equal(await detectType(file), 'application/octet-stream')
    assert.deepEqual(reads, [])
  })
})

describe('a file that is said to be something', () => {
  const rows: readonly [what: string, name: string, declared: string | null, type: string][] = [
    ['is what its name says first', 'a.txt', 'image/png', 'text/plain'],
    ['is what it is said to be when its name says nothing', 'a', 'image/png', 'image/png'],
    ['is that also with parameters', 'a', 'Text/HTML; charset=UTF-8', 'text/html'],
    ['is what is in it when that type is never stored', 'a', 'image/pjpeg', 'application/pdf'],
    ['is what is in it when that type is unknown', 'a', 'application/x-unheard', 'application/pdf'],
    ['is what is in it when no type is given', 'a', null, 'application/pdf'],
    ['is any bytes when it is said to be just that', 'a', 'application/octet-stream', 'application/octet-stream'],
  ]
  for (const [what, name, declared, type] of rows) {
    test(what, async () => assert.equal(await detectDeclaredType(aFile(name).file, declared), type))
  }
})
