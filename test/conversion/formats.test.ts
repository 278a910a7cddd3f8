import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { type CorpusFile, corpus, shownByOfficeAlone } from '../support/conversion/corpus.ts'
import { formatZip } from '../support/conversion/zip-file.ts'
import { attach, download } from '../support/files.ts'
import { postscriptPicture } from '../support/pictures.ts'
import { smallPicture } from '../support/small-media.ts'
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

const postscript = { name: 'a.eps', mimeType: 'application/postscript', bytes: () => postscriptPicture }

const aPicture = async (format: 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff') =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
    .toFormat(format)
    .toBuffer()

type Convertible = Pick<CorpusFile, 'name' | 'mimeType' | 'bytes'>

function textOf(name: string): CorpusFile {
  const found = corpus.find((file) => file.name === name)
  assert.ok(found, name)
  return found
}

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

  test('a thumbnail is as large as either side says, and a size that is none is refused', async () => {
    const bytes = await aPicture('jpeg')
    const picture = { name: 'a.jpg', mimeType: 'image/jpeg', bytes: () => bytes }
    const ask = (size: string) => convert(picture, `converter=pdfAndImageToThumbnail&size=${encodeURIComponent(size)}`)
    for (const [size, width] of [
      ['90x90', 90],
      ['90', 90],
      ['90x', 90],
      ['x60', 90],
      ['90x90>', 90],
      ['900x900', 300],
      ['', 300],
    ] as const) {
      const { bytes: made, text } = await ask(size)
      assert.deepEqual([size, (await sharp(made).metadata()).width], [size, width], text.slice(0, 300))
    }
    for (const size of ['abc', 'x', '>', '-90x90', '90x90x90', '1e3', '90.5x90', '90%', '90x90!', '9'.repeat(400)]) {
      const { status, text } = await ask(size)
      assert.deepEqual([size, status], [size, 422], text.slice(0, 300))
      assert.match(JSON.parse(text).message, /The parameter size is /)
    }
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

  const zebrafishPages = () => formatZip([['QuickLook/Preview.pdf', textOf('text.pdf').bytes()]])
  const pages = { name: 'a.pages', mimeType: 'application/vnd.apple.pages', bytes: zebrafishPages }
  const listed = { name: 'a.zip', mimeType: 'application/zip', bytes: () => formatZip([['b/zebrafish.txt', 'a']]) }
  const site = {
    ...listed,
    bytes: () =>
      formatZip([
        ['a.txt', 'a'],
        ['index.html', '<p>The zebrafish</p>'],
      ]),
  }
  const named: readonly (readonly [converter: string, file: Convertible, type: string])[] = [
    ['2utf8', textOf('old.txt'), 'text/plain'],
    ['text2text', textOf('program.py'), 'text/plain'],
    ['xml2text', textOf('data.xml'), 'text/plain'],
    ['html2text', textOf('page.html'), 'text/plain'],
    ['md2text', textOf('notes.md'), 'text/plain'],
    ['xl2text', textOf('table.xls'), 'text/plain'],
    ['xlx2text', textOf('table.xlsx'), 'text/plain'],
    ['msoffice2text', textOf('text.doc'), 'text/plain'],
    ['msoffice2text', textOf('slides.ppt'), 'text/plain'],
    ['docx2text', textOf('text.docx'), 'text/plain'],
    ['pptx2text', textOf('slides.pptx'), 'text/plain'],
    ['rtf2text', textOf('text.rtf'), 'text/plain'],
    ['oo2text', textOf('slides.odp'), 'text/plain'],
    ['rfc822totext', textOf('letter.eml'), 'text/plain'],
    ['msg2text', textOf('letter.msg'), 'text/plain'],
    ['pdf2text', textOf('text.pdf'), 'text/plain'],
    ['md2html', textOf('notes.md'), 'text/html'],
    ['pdf2html', textOf('text.pdf'), 'text/html'],
    ['zip2html', listed, 'text/html'],
    ['zip2html', site, 'text/html'],
    ['iwork2html', pages, 'text/html'],
  ]
  for (const [converter, file, type] of named) {
    test(`${converter} makes ${type} of ${file.name}`, async () => {
      const { status, text, headers } = await convert(file, `converter=${converter}`)
      assert.equal(status, 200, text)
      assert.match(text, /zebrafish/)
      assert.ok(headers.get('content-type')?.startsWith(type), headers.get('content-type') ?? '')
    })
  }

  test('iwork2pdf takes the PDF that the file brings, and finds none where there is none', async () => {
    const { status, bytes, headers } = await convert(pages, 'converter=iwork2pdf')
    assert.deepEqual([status, bytes.toString('latin1', 0, 5)], [200, '%PDF-'])
    assert.match(headers.get('content-disposition') ?? '', /a\.pdf/)
    const newer = { ...pages, bytes: () => formatZip([['Index/Document.iwa', 'a']]) }
    assert.equal((await convert(newer, 'converter=iwork2pdf')).status, 404)
  })

  describe('a picture that is asked for by a type has that type, whatever it was, and its own size', () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="1200"><rect width="9" height="9"/></svg>'
    const wanted: [query: string, format: string][] = [
      ['type=image/jpeg', 'jpeg'],
      ['type=image/jpg', 'jpeg'],
      ['type=image/png', 'png'],
      ['format=gif', 'gif'],
      ['format=jpg', 'jpeg'],
      ['format=tiff', 'tiff'],
    ]
    for (const format of ['png', 'jpeg', 'gif', 'tiff', 'svg+xml'] as const) {
      test(`of ${format}`, async () => {
        const bytes = format === 'svg+xml' ? Buffer.from(drawing) : await sharp(Buffer.from(drawing)).toFormat(format).toBuffer()
        const picture = { name: 'a', mimeType: `image/${format}`, bytes: () => bytes }
        for (const [query, expected] of wanted) {
          const made = await convert(picture, query)
          assert.equal(made.status, 200, made.text.slice(0, 300))
          const { width, height, format: found } = await sharp(made.bytes).metadata()
          assert.deepEqual([query, found, width, height], [query, expected, 1500, 1200])
          assert.equal(made.headers.get('content-type'), `image/${expected}`)
        }
      })
    }
  })

  test('a format of pictures is asked for by its extension, and named by it', async () => {
    const bytes = await aPicture('png')
    const picture = { name: 'a.png', mimeType: 'image/png', bytes: () => bytes }
    for (const format of ['webp', 'avif', 'tiff', 'gif']) {
      for (const query of [`format=${format}`, `type=image/${format}`]) {
        const { status, text, headers } = await convert(picture, query)
        assert.deepEqual([query, status], [query, 200], text.slice(0, 300))
        assert.deepEqual(
          [headers.get('content-type'), headers.get('content-disposition')],
          [`image/${format}`, `attachment; filename=a.${format}`],
        )
      }
    }
  })

  test('a picture that is only resized, cropped or turned stays of its type', async () => {
    for (const format of ['png', 'gif', 'webp', 'tiff'] as const) {
      const bytes = await aPicture(format)
      const picture = { name: 'a', mimeType: `image/${format}`, bytes: () => bytes }
      const made = await convert(picture, 'converter=pictureResize&width=30&height=30')
      assert.equal((await sharp(made.bytes).metadata()).format, format)
    }
  })

  test('pictures become pages, portraits of users and thumbnails by the names of their converters', async () => {
    const bytes = await aPicture('png')
    const picture = { name: 'a.png', mimeType: 'image/png', bytes: () => bytes }
    const page = await convert(picture, 'converter=pictureConvertToPDF')
    assert.equal(page.bytes.toString('latin1', 0, 5), '%PDF-')
    const sizeOf = async (query: string) => {
      const { width, height, format } = await sharp((await convert(picture, query)).bytes).metadata()
      return [width, height, format]
    }
    assert.deepEqual(await sizeOf('converter=resizeAvatar&targetWidth=60&targetHeight=60'), [60, 40, 'jpeg'])
    assert.deepEqual(await sizeOf('converter=pdfAndImageToThumbnail&size=90x90'), [90, 60, 'png'])
    assert.deepEqual(await sizeOf('converter=pictureResize&width=30&height=30&conversionFormat=gif'), [30, 20, 'gif'])
  })

  test('every converter that needs a program says which, in chains that of the step', async () => {
    const wordPerfect = { name: 'a.wpd', mimeType: 'application/wordperfect', bytes: () => Buffer.from('a') }
    const film = { name: 'a.mp4', mimeType: 'video/mp4', bytes: () => Buffer.from('a') }
    for (const [converter, file, needs] of [
      ['any2ods', textOf('table.xls'), 'soffice'],
      ['any2odp', textOf('slides.pptx'), 'soffice'],
      ['any2odt', textOf('text.doc'), 'soffice'],
      ['any2doc', textOf('text.odt'), 'soffice'],
      ['md2pdf', textOf('notes.md'), 'soffice'],
      ['sofficeToPng', textOf('text.odt'), 'soffice'],
      ['officeToThumbnail', textOf('text.odt'), 'soffice'],
      ['anyToPdfToThumbnail', textOf('text.odt'), 'soffice'],
      ['wpd2text', wordPerfect, 'wpd2text'],
      ['wpd2html', wordPerfect, 'wpd2html'],
      ['videoScreenshot', film, 'ffmpeg'],
      ['convertToOgg', film, 'ffmpeg'],
    ] as const) {
      const { status, text } = await convert(file, `converter=${converter}`)
      assert.deepEqual([converter, status], [converter, 400], text)
      assert.match(JSON.parse(text).message, new RegExp(`converter is not available: it needs ${needs}`))
    }
  })

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

  test('PostScript says that it takes Ghostscript, whatever shall be made of it', async () => {
    for (const query of ['format=pdf', 'format=png', 'converter=image2pdf', 'converter=pictureResize', 'converter=ps2pdf']) {
      const { status, text } = await convert(postscript, query)
      assert.deepEqual([query, status], [query, 400], text)
      assert.match(JSON.parse(text).message, /converter is not available: it needs gs on the server/)
    }
  })

  test('a picture that nothing here reads is not available, rather than damaged', async () => {
    const file = { name: 'a.psd', mimeType: 'application/photoshop', bytes: () => Buffer.from('8BPS') }
    const { status, text } = await convert(file, 'format=png')
    assert.equal(status, 400, text)
    assert.match(JSON.parse(text).message, /converter is not available: it needs ffmpeg on the server/)
  })

  test('files of no known kind have an empty text', async () => {
    const file = { name: 'a.bin', mimeType: 'application/octet-stream', bytes: () => Buffer.from([1, 2, 3]) }
    const { status, text } = await convert(file, 'converter=any2text')
    assert.deepEqual([status, text], [200, ''])
  })
})

describe('with the programs of this machine', () => {
  const { convert, has } = converting({ convertEnforceSourceMimeTypeCheck: false })
  const office = corpus.filter(({ name }) => /\.(docx?|odt|rtf|xlsx?|ods|odp|pptx?)$/.test(name))

  for (const file of office) {
    test(`LibreOffice makes a PDF of ${file.name}`, async (context) => {
      if (!has('soffice')) return context.skip('LibreOffice is not installed')
      const { status, bytes } = await convert(file, 'format=pdf')
      assert.deepEqual([status, bytes.toString('latin1', 0, 5)], [200, '%PDF-'], bytes.toString('latin1', 0, 300))
    })
  }

  test('a converter that is named takes files of all types where that is not looked at', async () => {
    const file = { name: 'a.log', mimeType: 'application/x-log', bytes: () => Buffer.from('a zebrafish') }
    const { status, text } = await convert(file, 'converter=text2text')
    assert.deepEqual([status, text], [200, 'a zebrafish'])
  })

  test('LibreOffice makes HTML of what we cannot', async (context) => {
    if (!has('soffice')) return context.skip('LibreOffice is not installed')
    const file = corpus.find(({ name }) => name === 'text.doc') as CorpusFile
    const { status, text } = await convert(file, 'converter=office2html')
    assert.equal(status, 200, text)
    assert.match(text, /<html[\s\S]*zebrafish/)
  })

  test('LibreOffice makes other office files, pictures and thumbnails of them', async (context) => {
    if (!has('soffice')) return context.skip('LibreOffice is not installed')
    const [zip, compound] = ['504b', 'd0cf']
    for (const [converter, name, begins] of [
      ['any2ods', 'table.xls', zip],
      ['any2doc', 'text.odt', compound],
      ['officeToThumbnail', 'text.odt', '8950'],
    ] as const) {
      const { status, bytes } = await convert(textOf(name), `converter=${converter}`)
      assert.deepEqual(
        [converter, status, bytes.toString('hex', 0, 2)],
        [converter, 200, begins],
        bytes.toString('latin1', 0, 300),
      )
    }
  })

  test('a PDF is HTML as it looks', async (context) => {
    if (!has('pdftohtml')) return context.skip('pdftohtml is not installed')
    const file = corpus.find(({ name }) => name === 'text.pdf') as CorpusFile
    const { status, text } = await convert(file, 'converter=pdf2html')
    assert.equal(status, 200, text)
    assert.match(text, /<html[\s\S]*zebrafish/i)
  })

  test('the page of a PDF has the name of the file for its title, and nothing of where it was made', async (context) => {
    if (!has('pdftohtml')) return context.skip('pdftohtml is not installed')
    const printed = await convert({ name: 'a.png', mimeType: 'image/png', bytes: () => smallPicture }, 'converter=image2pdf')
    assert.equal(printed.status, 200, printed.text.slice(0, 300))
    const untitled = { name: 'R&D.pdf', mimeType: 'application/pdf', bytes: () => printed.bytes }
    for (const file of [untitled, { ...textOf('text.pdf'), name: 'R&D.pdf' }]) {
      const { status, text } = await convert(file, 'converter=pdf2html')
      assert.equal(status, 200, text)
      assert.deepEqual(text.match(/<title>.*<\/title>/gi), ['<title>R&amp;D.pdf</title>'])
      assert.doesNotMatch(text, /quire-conversion|\/tmp\//)
    }
  })

  test('PostScript has a text, is a page, and a picture of what it draws', async (context) => {
    if (!has('gs')) return context.skip('Ghostscript is not installed')
    const { status, text } = await convert(postscript, 'converter=ps2pdf2text')
    assert.deepEqual([status, /zebrafish/.test(text)], [200, true], text)
    for (const query of ['format=pdf', 'converter=pictureConvertToPDF', 'converter=image2pdf']) {
      const page = await convert(postscript, query)
      assert.deepEqual([query, page.status, page.bytes.toString('latin1', 0, 5)], [query, 200, '%PDF-'], page.text.slice(0, 300))
    }
    const picture = await convert(postscript, 'format=png')
    assert.equal(picture.status, 200, picture.text.slice(0, 300))
    const { format, width, height } = await sharp(picture.bytes).metadata()
    assert.deepEqual([format, width, height], ['png', 240, 120])
  })
})
