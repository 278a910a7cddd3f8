import { crc32, deflateSync } from 'node:zlib'
import { corpus, officeZip } from './corpus.ts'
import { formatZip } from './zip-file.ts'

/** A file that was made to do harm. */
export interface HostileFile {
  readonly what: string
  readonly name: string
  readonly mimeType: string
  readonly bytes: () => Uint8Array
  /** Which conversions are tried. */
  readonly queries: readonly string[]
}

const text = 'converter=any2text'
const page = 'format=html'
const thumbnail = 'converter=anyToThumbnail'
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** Those that are known by name; what they would fetch is below the address. */
export function hostileFiles(remote: string): readonly HostileFile[] {
  // More than one part of a document may have.
  const zeros = () => Buffer.alloc(66 * 1024 ** 2)
  const external = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${remote}/docx.png" TargetMode="External"/></Relationships>`
  const picture =
    '<w:document xmlns:w="w" xmlns:a="a" xmlns:r="r"><w:body><w:p><w:r><w:t>shown</w:t><a:blip r:link="r1"/></w:r></w:p></w:body></w:document>'
  const types = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
  const nested = (depth: number): Buffer => formatZip([['in.zip', depth === 0 ? 'end' : nested(depth - 1)]])
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" height="10"><script>fetch("${remote}/script")</script><image width="9" height="9" xlink:href="${remote}/svg.png"/><image width="9" height="9" xlink:href="file:///etc/passwd"/></svg>`
  const html = `<html><body onload="x()"><script src="${remote}/a.js"></script><img src="${remote}/a.png"><iframe src="${remote}/f"></iframe><link rel="stylesheet" href="${remote}/a.css">shown</body></html>`
  return [
    {
      what: 'a docx that bursts open',
      name: 'a.docx',
      mimeType: docx,
      queries: [text, page],
      bytes: () => officeZip({ 'word/document.xml': zeros() }),
    },
    {
      what: 'a docx that lies about its size',
      name: 'a.docx',
      mimeType: docx,
      queries: [text, page],
      bytes: () => formatZip([['word/document.xml', zeros()]], 100),
    },
    {
      what: 'a docx with external references',
      name: 'a.docx',
      mimeType: docx,
      queries: [text, page],
      bytes: () =>
        officeZip({ '[Content_Types].xml': types, 'word/document.xml': picture, 'word/_rels/document.xml.rels': external }),
    },
    {
      what: 'a docx whose XML grows by its own entities',
      name: 'a.docx',
      mimeType: docx,
      queries: [text, page],
      bytes: () =>
        officeZip({
          'word/document.xml':
            '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]><w:document xmlns:w="w"><w:body><w:p><w:t>&c;</w:t></w:p></w:body></w:document>',
        }),
    },
    {
      what: 'XML that is nested deeply',
      name: 'a.docx',
      mimeType: docx,
      queries: [text],
      bytes: () => officeZip({ 'word/document.xml': '<a>'.repeat(100_000) }),
    },
    { what: 'archives in archives', name: 'a.zip', mimeType: 'application/zip', queries: [page], bytes: () => nested(20) },
    {
      what: 'an archive of too many entries',
      name: 'a.zip',
      mimeType: 'application/zip',
      queries: [page],
      bytes: () => formatZip(Array.from({ length: 12_000 }, (_, number) => [`${number}`, ''] as const)),
    },
    {
      what: 'a picture of 50,000 by 50,000',
      name: 'a.png',
      mimeType: 'image/png',
      queries: [thumbnail],
      bytes: () => hugePng(50_000),
    },
    {
      what: 'a PDF of 100,000 pages',
      name: 'a.pdf',
      mimeType: 'application/pdf',
      queries: [text, thumbnail],
      bytes: () => longPdf(100_000),
    },
    {
      what: 'an SVG with scripts and remote links',
      name: 'a.svg',
      mimeType: 'image/svg+xml',
      queries: [text, thumbnail],
      bytes: () => Buffer.from(svg),
    },
    {
      what: 'HTML with scripts and remote links',
      name: 'a.html',
      mimeType: 'text/html',
      queries: [text, page],
      bytes: () => Buffer.from(html),
    },
    {
      what: 'HTML that is nested deeply',
      name: 'a.html',
      mimeType: 'text/html',
      queries: [page],
      bytes: () => Buffer.from('<div>'.repeat(200_000)),
    },
    {
      what: 'rich text of groups in groups',
      name: 'a.rtf',
      mimeType: 'text/rtf',
      queries: [text],
      bytes: () => Buffer.from(`{\\rtf1 ${'{'.repeat(500_000)}`),
    },
    {
      what: 'mail in mail',
      name: 'a.eml',
      mimeType: 'message/rfc822',
      queries: [text, page],
      bytes: () => Buffer.from('Content-Type: message/rfc822\r\n\r\n'.repeat(200)),
    },
    {
      what: 'a letter whose directory follows upon itself',
      name: 'a.msg',
      mimeType: 'application/vnd.ms-outlook',
      queries: [text, page],
      bytes: circularLetter,
    },
  ]
}

/** The beginnings of real files, and real ones with bytes that are not theirs; always the same for a seed. */
export function* damagedFiles(seed: number): Generator<HostileFile> {
  let state = seed >>> 0 || 1
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 0x1_00_00_00_00) * below)
  }
  for (let number = 0; ; number += 1) {
    const file = corpus[number % corpus.length]
    if (file === undefined) return
    const whole = Buffer.from(file.bytes())
    const kind = random(3)
    if (kind === 1) for (let count = 0; count < 30; count += 1) whole[random(whole.length)] = random(256)
    if (kind === 2) for (let at = random(whole.length); at < whole.length; at += 1) whole[at] = random(256)
    const bytes = kind === 0 ? whole.subarray(0, random(whole.length)) : whole
    const what = `${file.name} ${['cut off', 'with wrong bytes', 'with noise at its end'][kind]}, number ${number}`
    yield { what, name: file.name, mimeType: file.mimeType, bytes: () => bytes, queries: [text, page] }
  }
}

export function circularLetter(): Buffer {
  const letter = corpus.find(({ name }) => name === 'letter.msg')
  if (letter === undefined) throw new Error('The corpus has no letter of Outlook.')
  const bytes = Buffer.from(letter.bytes())
  const [directory, table] = [bytes.readUInt32LE(48), bytes.readUInt32LE(76)]
  bytes.writeUInt32LE(directory, (table + 1) * 512 + directory * 4)
  return bytes
}

/** The head of a picture that would be so wide and high. */
export function hugePng(side: number): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(name), content])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    check.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, check])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The same page again and again. */
function longPdf(pages: number): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${'3 0 R '.repeat(pages)}] >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    '<< /Length 38 >>\nstream\nBT /F 12 Tf 10 10 Td (zebrafish) Tj ET\nendstream',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const start = body.length
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(body, 'latin1')
}
