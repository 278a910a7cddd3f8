import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { knownTypes } from './known-types.ts'
import { findMimeType, findTypeOfName, isNormalised, normalised, saysNothing } from './mime-type.ts'

/** The registry by its extensions, in the words of the contract (blobs 5.1). */
const byExtension: { readonly [type: string]: string } = {
  'text/plain': 'txt',
  'text/html': 'html xhtml shtml',
  'multipart/related': 'mhtml mht',
  'text/structured': 'stx',
  'text/x-rst': 'rst rest restx',
  'text/python-source': 'py',
  'text/java-source': 'java',
  'text/rtf': 'rtf',
  'text/x-web-markdown': 'md mkd markdown',
  'text/xml': 'xml graffle twb',
  'text/csv': 'csv',
  'message/rfc822': 'eml',
  'application/vnd.ms-outlook': 'msg',
  'application/msword': 'doc dot',
  'application/vnd.ms-excel': 'xls xlt',
  'application/vnd.ms-powerpoint': 'ppt pot pps',
  'application/vnd.ms-project': 'mpp',
  'application/vnd.ms-publisher': 'pub',
  'application/docbook+xml': 'doc.xml docb.xml docb',
  'application/vnd.sun.xml.writer': 'sxw',
  'application/vnd.sun.xml.impress.template': 'sti',
  'application/vnd.sun.xml.draw.template': 'std',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.text-template': 'ott',
  'application/vnd.oasis.opendocument.graphics-template': 'otg',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template': 'dotx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.presentationml.slideshow': 'ppsx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.ms-word.template.macroEnabled.12': 'dotm',
  'application/vnd.ms-powerpoint.slideshow.macroEnabled.12': 'ppsm',
  'application/vnd.ms-excel.sheet.binary.macroEnabled.12': 'xlsb',
  'application/vnd.ms-xpsdocument': 'xps',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/java-archive': 'jar',
  'application/wordperfect': 'wpd',
  'application/visio': 'vsdx vsd vst',
  'image/jpeg': 'jpg jpeg',
  'image/tiff': 'tiff tif',
  'image/x-portable-bitmap': 'pbm',
  'image/x-portable-pixmap': 'ppm',
  'image/g3fax': 'fax',
  'image/svg+xml': 'svg',
  'application/photoshop': 'psd psb',
  'application/postscript': 'ps eps',
  'image/x-panasonic-raw': 'raw rw2',
  'image/raw': 'mos nrw 3fr',
  'image/x-raw': 'mef',
  'image/x-raw-epson': 'erf',
  'audio/mpeg': 'mp3 mpga mp2',
  'audio/x-wav': 'wav',
  'audio/ogg': 'ogg oga spx',
  'application/ogg': 'ogm ogx',
  'audio/aac': 'aac m4a m4b m4p m4r',
  'video/mp4': 'mp4',
  'video/mpeg': 'mpa mpe mpeg mpg mpv2',
  'video/MP2T': 'mts m2t m2ts ts tsa tsv',
  'video/quicktime': 'mov qt',
  'video/x-ms-asf': 'asf asr asx',
  'video/vnd.vivo': 'viv vivo',
  'video/x-ms-wmx': 'wmx',
  'application/gxf': 'gxf',
  'application/mxf': 'mxf',
}

describe('the name of a file tells its type', () => {
  for (const [type, extensions] of Object.entries(byExtension)) {
    test(`${extensions} is ${type}`, () => {
      for (const extension of extensions.split(' ')) assert.equal(findTypeOfName(`a.${extension}`), type, extension)
    })
  }

  const rows: readonly [name: string, type: string | undefined][] = [
    ['PLAN.PDF', 'application/pdf'],
    ['a.b.c.txt', 'text/plain'],
    ['book.chapter.doc.xml', 'application/docbook+xml'],
    ['C:\\files.doc\\plan.txt', 'text/plain'],
    ['/tmp.pdf/plan', undefined],
    ['.txt', 'text/plain'],
    ['txt', undefined],
    ['plan.', undefined],
    ['plan.unheard-of', undefined],
    ['', undefined],
    ['work.tmp', 'application/octet-stream'],
    ['work.pdf.TMP', 'application/octet-stream'],
    ['~$plan.docx', 'application/octet-stream'],
    ['/home/ann/~$plan.docx', 'application/octet-stream'],
  ]
  for (const [name, type] of rows)
    test(`${name || 'no name'} is ${type ?? 'nothing known'}`, () => assert.equal(findTypeOfName(name), type))

  test('whatever the name is, the answer is a type that is known, or none', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', '.pdf', '.TMP', '.doc.xml', '.constructor'),
        (stem, tail) => {
          const type = findTypeOfName(stem + tail)
          return type === undefined || isNormalised(type)
        },
      ),
    )
  })
})

describe('a type that goes by several names', () => {
  const rows: readonly [name: string, stored: string][] = [
    ['text/restructured', 'text/x-rst'],
    ['text/x-python', 'text/python-source'],
    ['text/comma-separated-values', 'text/csv'],
    ['application/x-zip-compressed', 'application/zip'],
    ['zz-application/zz-winassoc-vsd', 'application/visio'],
    ['image/pjpeg', 'image/jpeg'],
    ['image/x-bitmap', 'image/bmp'],
    ['image/vnd.adobe.photoshop', 'application/photoshop'],
    ['image/CR2', 'image/x-canon-cr2'],
    ['IMAGE/cr2', 'image/x-canon-cr2'],
    ['audio/MP4A-LATM', 'audio/aac'],
    ['video/mp2t', 'video/MP2T'],
    ['IMAGE/PNG', 'image/png'],
  ]
  for (const [name, stored] of rows) test(`${name} is stored as ${stored}`, () => assert.equal(normalised(name), stored))

  test('stays itself when it is also the name of another that is stored', () =>
    assert.equal(normalised('application/vnd.ms-excel'), 'application/vnd.ms-excel'))
  test('stays as it is when it is unknown', () => {
    for (const name of ['application/json', 'x/y', 'text/plain; charset=UTF-8', '']) assert.equal(normalised(name), name)
  })
  test('is stored under one name only, however often it is asked', () => {
    for (const { type, aliases } of knownTypes) {
      for (const name of [type, ...aliases]) assert.equal(normalised(normalised(name)), normalised(name))
      assert.equal(normalised(type), type)
    }
  })
})

describe('what is known of a type', () => {
  const icons: readonly [type: string, icon: string][] = [
    ['text/plain', 'text.png'],
    ['text/csv', 'csv.png'],
    ['message/rfc822', 'email.png'],
    ['application/msword', 'word.png'],
    ['application/vnd.ms-excel', 'xls.png'],
    ['application/vnd.sun.xml.calc.template', 'stc.png'],
    ['application/vnd.oasis.opendocument.text', 'odt.png'],
    ['application/vnd.ms-excel.sheet.macroEnabled.12', 'xlsx.png'],
    ['application/vnd.ms-xpsdocument', 'xlsx.png'],
    ['application/octet-stream', 'application.png'],
    ['application/x-gtar', 'tar.png'],
    ['application/x-visio', 'visio.gif'],
    ['image/pjpeg', 'image.gif'],
    ['audio/x-wav', 'wav.png'],
    ['audio/flac', 'audio.png'],
    ['application/mxf', 'video.png'],
  ]
  for (const [type, icon] of icons) test(`${type} has the icon ${icon}`, () => assert.equal(findMimeType(type)?.icon, icon))

  test('texts are not binary, and other files are', () => {
    assert.deepEqual(
      ['text/csv', 'message/rfc822', 'image/svg+xml', 'image/png', 'application/pdf'].map((type) => findMimeType(type)?.isBinary),
      [false, false, false, true, true],
    )
  })
  test('no type is there twice', () => {
    const types = knownTypes.map(({ type }) => type)
    assert.equal(new Set(types).size, types.length)
  })
})

describe('a type says nothing about the file', () => {
  for (const type of [null, '', '  ', 'application/octet-stream', 'Application/Octet-Stream; x=y']) {
    test(`when it is ${JSON.stringify(type)}`, () => assert.equal(saysNothing(type), true))
  }
  test('and something otherwise', () => assert.equal(saysNothing('text/plain'), false))
})
