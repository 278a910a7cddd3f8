import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { burn } from '@kenjiuno/msgreader/lib/Burner.js'
import { formatZip } from './zip-file.ts'

const folder = join(import.meta.dirname, '../../conversion/corpus')
const stored = (name: string) => readFileSync(join(folder, name))

/** A file of every format whose text can be read, each with the word zebrafish in it. */
export interface CorpusFile {
  readonly name: string
  readonly mimeType: string
  readonly bytes: () => Uint8Array
  /** What is in it beside the zebrafish. */
  readonly says: RegExp
}

const openxml = 'application/vnd.openxmlformats-officedocument'
const opendocument = 'application/vnd.oasis.opendocument'
const made = (text: string) => () => Buffer.from(text)

const mail = [
  'From: "Ada" <ada@example.org>',
  'To: bob@example.org',
  'Subject: =?utf-8?q?About_the_Gr=C3=B6=C3=9Fe?=',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p onclick="steal()">The <b>zebrafish</b></p><script>steal()</script><img src="http://127.0.0.1:9/spy.png">',
  '--b',
  'Content-Type: text/plain; name="list.txt"',
  'Content-Disposition: attachment; filename="list.txt"',
  '',
  'attached',
  '--b--',
  '',
].join('\r\n')

export const corpus: readonly CorpusFile[] = [
  { name: 'text.docx', mimeType: `${openxml}.wordprocessingml.document`, bytes: () => stored('text.docx'), says: /Größe/ },
  { name: 'text.doc', mimeType: 'application/msword', bytes: () => stored('text.doc'), says: /Größe/ },
  { name: 'text.odt', mimeType: `${opendocument}.text`, bytes: () => stored('text.odt'), says: /Größe/ },
  { name: 'text.rtf', mimeType: 'text/rtf', bytes: () => stored('text.rtf'), says: /Größe/ },
  { name: 'text.pdf', mimeType: 'application/pdf', bytes: () => stored('text.pdf'), says: /Größe/ },
  { name: 'table.xlsx', mimeType: `${openxml}.spreadsheetml.sheet`, bytes: () => stored('table.xlsx'), says: /34\.5/ },
  { name: 'table.xls', mimeType: 'application/vnd.ms-excel', bytes: () => stored('table.xls'), says: /Größe, cm[\s\S]*34\.5/ },
  { name: 'table.ods', mimeType: `${opendocument}.spreadsheet`, bytes: () => stored('table.ods'), says: /34[.,]5/ },
  { name: 'slides.odp', mimeType: `${opendocument}.presentation`, bytes: () => stored('slides.odp'), says: /second slide/ },
  {
    name: 'slides.pptx',
    mimeType: `${openxml}.presentationml.presentation`,
    bytes: () => stored('slides.pptx'),
    says: /second slide/,
  },
  {
    name: 'slides.ppt',
    mimeType: 'application/vnd.ms-powerpoint',
    bytes: () => gunzipSync(stored('slides.ppt.gz')),
    says: /second slide/,
  },
  { name: 'letter.eml', mimeType: 'message/rfc822', bytes: made(mail), says: /Ada[\s\S]*About the Größe[\s\S]*list\.txt/ },
  { name: 'letter.msg', mimeType: 'application/vnd.ms-outlook', bytes: outlookMail, says: /About the Größe/ },
  { name: 'notes.md', mimeType: 'text/x-web-markdown', bytes: made('# Größe\n\nThe **zebrafish**'), says: /Größe/ },
  { name: 'text.txt', mimeType: 'text/plain', bytes: made('The zebrafish: Größe'), says: /Größe/ },
  { name: 'old.txt', mimeType: 'text/plain', bytes: () => Buffer.from('The zebrafish: Größe', 'latin1'), says: /Größe/ },
  { name: 'table.csv', mimeType: 'text/csv', bytes: made('animal,Größe\nzebrafish,"3,5"\n'), says: /3,5/ },
  { name: 'data.json', mimeType: 'application/json', bytes: made('{"animal": "zebrafish", "Größe": 3}'), says: /Größe/ },
  {
    name: 'data.xml',
    mimeType: 'text/xml',
    bytes: made('<?xml version="1.0"?><a><b>zebrafish</b> Gr&#246;&#223;e</a>'),
    says: /Gr(ö|&amp;#246;)/,
  },
  { name: 'program.py', mimeType: 'text/python-source', bytes: made('# Größe\nprint("zebrafish")'), says: /Größe/ },
  {
    name: 'page.html',
    mimeType: 'text/html',
    bytes: made(
      '<html><head><script>steal()</script></head><body onload="steal()">The zebrafish: Gr&ouml;&szlig;e</body></html>',
    ),
    says: /Größe|Gr&ouml;/,
  },
]

/** Whose text can be read and who cannot be shown without LibreOffice. */
export const shownByOfficeAlone: ReadonlySet<string> = new Set(['text.doc', 'table.xls', 'slides.ppt'])

/** Office files that are zip archives, as hostile ones are made. */
export function officeZip(entries: { readonly [name: string]: string | Uint8Array }): Buffer {
  return formatZip(Object.entries(entries))
}

function outlookMail(): Uint8Array {
  const text = (value: string) => Uint8Array.from(Buffer.from(value, 'utf16le'))
  const streams: [name: string, content: Uint8Array][] = [
    ['__properties_version1.0', new Uint8Array(32)],
    ['__substg1.0_001A001F', text('IPM.Note')],
    ['__substg1.0_0037001F', text('About the Größe')],
    ['__substg1.0_0C1A001F', text('Ada')],
    ['__substg1.0_1000001F', text('The zebrafish')],
  ]
  const root = { name: 'Root Entry', type: 5, children: streams.map((_, index) => index + 1), length: 0 }
  const documents = streams.map(([name, content]) => ({
    name,
    type: 2,
    binaryProvider: () => content,
    length: content.length,
  }))
  return burn([root, ...documents])
}
