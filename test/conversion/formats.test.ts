import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { type CorpusFile, corpus, shownByOfficeAlone } from '../support/conversion/corpus.ts'
import { attach, download } from '../support/files.ts'
import { workbenchOn } from '../support/workbench.ts'

/** A server, and what it makes of files. */
function converting(settings: { readonly [name: string]: unknown }) {
  let server: TestServer
  before(async () => {
    server = await startTestServer({ settings })
  })
  after(() => server.stop())
  const convert = async (
    { name, mimeType, bytes }: Pick<CorpusFile, 'name' | 'mimeType' | 'bytes'>,
    query: string,
  ): Promise<Awaited<ReturnType<typeof download>>> => {
    const { uid } = await workbenchOn(server).create('File', { 'dc:title': name })
    await attach(server, uid, bytes(), { name, 'mime-type': mimeType })
    return download(server, `api/v1/id/${uid}/@convert?${query}`)
  }
  return {
    convert,
    has: (program: 'soffice' | 'pdftohtml' | 'gs') => server.services.conversions.programs.find(program) !== undefined,
  }
}

const aPicture = async (format: 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff') =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
    .toFormat(format)
    .toBuffer()

describe('on a machine with nothing but Node.js', () => {
  const { convert } = converting({ conversionPath: '/nowhere' })

  for (const file of corpus) {
    test(`${file.name} has its text`, async () => {
      const { status, text, headers } = await convert(file, 'converter=any2text')
      assert.equal(status, 200, text)
      assert.match(text, /zebrafish/)
      assert.match(text, file.says)
      assert.match(headers.get('content-type') ?? '', /^text\/plain/)
    })

    const isShown = !shownByOfficeAlone.has(file.name)
    test(`${file.name} is ${isShown ? 'shown as' : 'not available as'} HTML`, async () => {
      const { status, text } = await convert(file, 'format=html')
      if (!isShown) {
        assert.equal(status, 400)
        assert.match(JSON.parse(text).message, /is not available: it needs soffice/)
        return
      }
      assert.equal(status, 200, text)
      assert.match(text, /<html[\s\S]*zebrafish/)
      assert.match(text, file.says)
      assert.doesNotMatch(text, /steal|<script|spy\.png/)
    })
  }

  const pdf = corpus.find(({ name }) => name === 'text.pdf') as CorpusFile

  test('a PDF is a picture of its first page', async () => {
    const { status, bytes, headers } = await convert(pdf, 'converter=pdf2image&targetFilePath=page.png')
    assert.equal(status, 200, bytes.toString('latin1', 0, 300))
    const { format, width = 0, height = 0 } = await sharp(bytes).metadata()
    assert.deepEqual([format, headers.get('content-type'), height > width], ['png', 'image/png', true])
    // White paper, with something on it.
    const { channels } = await sharp(bytes).stats()
    assert.ok((channels[0]?.max ?? 0) > 250 && (channels[0]?.min ?? 255) < 100)
  })

  test('a thumbnail is no larger than was asked for', async () => {
    const bytes = await aPicture('jpeg')
    const picture = { name: 'a.jpg', mimeType: 'image/jpeg', bytes: () => bytes }
    const made = await convert(picture, 'converter=anyToThumbnail&size=100x100')
    const { format, width, height } = await sharp(made.bytes).metadata()
    assert.deepEqual([made.status, format, width, height], [200, 'png', 100, 67])
  })

  for (const format of ['png', 'jpeg', 'gif', 'webp', 'tiff'] as const) {
    test(`a ${format} is resized, cropped, turned, and made a PDF`, async () => {
      const bytes = await aPicture(format)
      const picture = { name: `a.${format}`, mimeType: `image/${format}`, bytes: () => bytes }
      const sizeOf = async (query: string) => {
        const made = await convert(picture, query)
        assert.equal(made.status, 200, made.text.slice(0, 300))
        const { width, height } = await sharp(made.bytes).metadata()
        return [width, height]
      }
      assert.deepEqual(await sizeOf('converter=pictureResize&width=150&height=150'), [150, 100])
      assert.deepEqual(await sizeOf('converter=pictureCrop&x=10&y=20&width=50&height=40'), [50, 40])
      assert.deepEqual(await sizeOf('converter=pictureRotation&angle=90'), [200, 300])
      const page = await convert(picture, 'converter=image2pdf')
      assert.deepEqual([page.status, page.bytes.toString('latin1', 0, 5)], [200, '%PDF-'])
    })
  }

  test('what takes a program that is missing is not available, and says which', async () => {
    for (const [name, query] of [
      ['text.docx', 'converter=any2pdf'],
      ['text.docx', 'format=pdf'],
      ['text.odt', 'converter=any2docx'],
    ] as const) {
      const file = corpus.find((one) => one.name === name) as CorpusFile
      const { status, text } = await convert(file, query)
      assert.deepEqual([status, /converter is not available: it needs soffice/.test(text)], [400, true], text)
    }
  })

  test('files of no known kind have an empty text', async () => {
    const file = { name: 'a.bin', mimeType: 'application/octet-stream', bytes: () => Buffer.from([1, 2, 3]) }
    const { status, text } = await convert(file, 'converter=any2text')
    assert.deepEqual([status, text], [200, ''])
  })
})

describe('with the programs of this machine', () => {
  const { convert, has } = converting({})
  const office = corpus.filter(({ name }) => /\.(docx?|odt|rtf|xlsx?|ods|odp|pptx?)$/.test(name))

  for (const file of office) {
    test(`LibreOffice makes a PDF of ${file.name}`, async (context) => {
      if (!has('soffice')) return context.skip('LibreOffice is not installed')
      const { status, bytes } = await convert(file, 'format=pdf')
      assert.deepEqual([status, bytes.toString('latin1', 0, 5)], [200, '%PDF-'], bytes.toString('latin1', 0, 300))
    })
  }

  test('LibreOffice makes HTML of what we cannot', async (context) => {
    if (!has('soffice')) return context.skip('LibreOffice is not installed')
    const file = corpus.find(({ name }) => name === 'text.doc') as CorpusFile
    const { status, text } = await convert(file, 'converter=office2html')
    assert.equal(status, 200, text)
    assert.match(text, /<html[\s\S]*zebrafish/)
  })

  test('a PDF is HTML as it looks', async (context) => {
    if (!has('pdftohtml')) return context.skip('pdftohtml is not installed')
    const file = corpus.find(({ name }) => name === 'text.pdf') as CorpusFile
    const { status, text } = await convert(file, 'converter=pdf2html')
    assert.equal(status, 200, text)
    assert.match(text, /<html[\s\S]*zebrafish/i)
  })

  test('PostScript has a text', async (context) => {
    if (!has('gs')) return context.skip('Ghostscript is not installed')
    const program = '%!PS\n/Helvetica findfont 20 scalefont setfont 100 700 moveto (zebrafish) show showpage\n'
    const file = { name: 'a.ps', mimeType: 'application/postscript', bytes: () => Buffer.from(program) }
    const { status, text } = await convert(file, 'converter=ps2pdf2text')
    assert.deepEqual([status, /zebrafish/.test(text)], [200, true], text)
  })
})
