import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sniffType } from './sniffed-type.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const png = hex('89504e470d0a1a0a 0000000d49484452 00000001000000010806000000')
const riff = (kind: string) => Buffer.concat([Buffer.from('RIFF'), hex('24000000'), Buffer.from(`${kind}fmt `), hex('10000000')])

const rows: readonly [what: string, bytes: Uint8Array, type: string | undefined][] = [
  ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj\n'), 'application/pdf'],
  ['a PNG', png, 'image/png'],
  ['a JPEG', hex('ffd8ffe000104a46494600010100'), 'image/jpeg'],
  ['a GIF', Buffer.concat([Buffer.from('GIF89a'), hex('0100010080')]), 'image/gif'],
  [
    'a picture of an editor, under the name it is stored',
    Buffer.concat([Buffer.from('8BPS'), hex('0001000000000000')]),
    'application/photoshop',
  ],
  ['a recording', riff('WAVE'), 'audio/x-wav'],
  ['a film', riff('AVI '), 'video/x-msvideo'],
  ['a zip archive', hex('504b0506000000000000000000000000000000000000'), 'application/zip'],
  ['a rich text', Buffer.from('{\\rtf1\\ansi hello}'), 'text/rtf'],
  ['a page for a printer', Buffer.from('%!PS-Adobe-3.0\n%%Pages: 1\n'), 'application/postscript'],
  ['a text', Buffer.from('Hello\r\n\tworld\n'), 'text/plain'],
  ['a text in UTF-8', Buffer.from('Grüße, 世界 🌍'), 'text/plain'],
  ['a text that is cut within a character', Buffer.from('Grüße').subarray(0, 4), 'text/plain'],
  ['a text with a mark', Buffer.from('\ufeffHello'), 'text/plain'],
  ['a text of old', Buffer.from('Gr\xfc\xdfe', 'latin1'), 'text/plain'],
  ['a text that begins like a picture', Buffer.from('BM is what they call it'), 'text/plain'],
  ['a text that begins like a program', Buffer.from('MZ, dear reader, is'), 'text/plain'],
  ['XML', Buffer.from('<?xml version="1.0"?><a/>'), 'text/xml'],
  ['XML, nearly', Buffer.from('<?xmlversion'), 'text/plain'],
  ['HTML', Buffer.from('\n<!DOCTYPE html>\n<p>'), 'text/html'],
  ['HTML without its first line', Buffer.from('<HTML lang="en">'), 'text/html'],
  ['a zero among the first bytes', Buffer.from('Hello\0world'), undefined],
  ['a text of two bytes a character', Buffer.from('Hello world, hello', 'utf16le'), undefined],
  ['bytes of no kind', hex('0102030405060708090e0f101112131415'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
]

describe('the first bytes of a file tell that it is', () => {
  for (const [what, bytes, type] of rows) {
    test(`${what}: ${type ?? 'nothing known'}`, async () => assert.equal(await sniffType(bytes), type))
  }

  test('whatever they are: no bytes make it fail', async () => {
    const starts = fc
      .constantFrom('', 'PK\x03\x04', '%PDF', 'RIFF', 'ID3', 'II*\0', '\x1f\x8b', 'ftyp', '<?xml ', 'OggS')
      .map((text) => Buffer.from(text, 'latin1'))
    await fc.assert(
      fc.asyncProperty(starts, fc.uint8Array({ maxLength: 200 }), async (start, rest) => {
        const type = await sniffType(Buffer.concat([start, rest]))
        assert.ok(type === undefined || /^[\w.+-]+\/[\w.+-]+$/.test(type))
      }),
    )
  })
})
