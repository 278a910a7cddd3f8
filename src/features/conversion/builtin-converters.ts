import {
  acceptsType,
  type Converter,
  type ConverterWay,
  converterModule,
  type WayOptions,
} from '../../core/conversion/converter.ts'
import {
  docxTypes,
  markdownTypes,
  officeTypes,
  openDocumentTypes,
  plainTypes,
  pptxTypes,
  presentationTypes,
  richOfficeTypes,
  rtfTypes,
  spreadsheetTypes,
  wordperfect,
  writerTypes,
  xlsxTypes,
} from './office-types.ts'
import { postscriptTypes } from './reading/postscript.ts'
import { rasters } from './reading/rasters.ts'

function work(name: string, options?: WayOptions): ConverterWay {
  const module = converterModule(import.meta.url, name)
  return options === undefined ? { module } : { module, options }
}

const reading = (reader: string): readonly ConverterWay[] => [work('file-to-text', { reader })]
const soffice = (format: string): ConverterWay => ({ ...work('soffice', { format }), needs: ['soffice'] })

const html = 'text/html'
const firstPage = 'application/x-first-page'
const text = 'text/plain'
const pdf = 'application/pdf'
const opendocument = 'application/vnd.oasis.opendocument'
const outlook = 'application/vnd.ms-outlook'
const mailTypes = ['message/rfc822', outlook]
const illustrator = 'application/illustrator'
const rasterTypes = [...rasters.keys()]
const iworkTypes = ['iwork', 'pages', 'numbers', 'keynote'].map((kind) => `application/vnd.apple.${kind}`)
const drawnTypes = ['image/*', 'application/photoshop', illustrator, ...postscriptTypes]
const codeTypes = [
  'application/json',
  'application/xml',
  'application/javascript',
  'application/yaml',
  'application/x-yaml',
  'application/sql',
  'application/csv',
]

/** Files that are text themselves, which we show better than an office program does. */
const shownAsText = [...plainTypes, ...markdownTypes, ...codeTypes, 'application/xhtml+xml', 'text/*', 'text/partial']

const pageWays: readonly ConverterWay[] = [
  { ...work('office-to-html', { reader: 'richText' }), sources: rtfTypes },
  { ...work('text-to-html'), sources: shownAsText },
  { ...work('office-to-html', { reader: 'mail' }), sources: mailTypes },
  { ...work('office-page'), needs: ['soffice'], sources: officeTypes },
  { ...work('office-to-html'), sources: [...docxTypes, ...xlsxTypes, ...pptxTypes, ...openDocumentTypes] },
]

/** What is LibreOffice's where it is there, else ours: of rich text we show the text alone. */
const officeWays: readonly ConverterWay[] = [
  { ...work('office-page'), needs: ['soffice'], sources: richOfficeTypes },
  ...pageWays,
]

const pictureWays = (deed: string, module = 'picture'): readonly ConverterWay[] => [
  { ...work(module, { deed }), needs: ['gs'], sources: postscriptTypes },
  { ...work(module, { deed }), needs: ['ffmpeg'], sources: rasterTypes },
  { ...work(module, { deed }), sources: ['image/*', pdf, illustrator, firstPage] },
]

const pageOfPicture: readonly ConverterWay[] = [
  { ...work('postscript-to-pdf', { isCropped: true }), needs: ['gs'], sources: postscriptTypes },
  { ...work('picture-to-pdf'), needs: ['ffmpeg'], sources: rasterTypes },
  { ...work('picture-to-pdf'), sources: ['image/*', illustrator] },
]

const pictureTypes = ['image/jpeg', 'image/png', 'image/gif']
/** A converter that is named and not told a format leaves a picture in its own, if it can make that. */
const writtenTypes = [...pictureTypes, 'image/webp', 'image/tiff', 'image/avif', 'image/jpg']

/** All that the contract lists (blobs 6.7) but those of videos. Of two that make the same of the same, the later one is taken. */
export const builtinConverters: readonly Converter[] = [
  // Texts
  { name: '2utf8', sources: plainTypes, destinations: plainTypes, ways: [work('to-utf8')] },
  { name: 'text2text', sources: [...plainTypes, 'text/*', ...codeTypes], destinations: [text], ways: reading('text') },
  { name: 'xml2text', sources: ['text/xml', 'application/xml', 'image/svg+xml'], destinations: [text], ways: reading('markup') },
  {
    name: 'html2text',
    sources: [html, 'text/xhtml', 'application/xhtml+xml'],
    destinations: [text],
    ways: reading('markup'),
  },
  { name: 'md2text', sources: markdownTypes, destinations: [text], ways: reading('text') },
  { name: 'xl2text', sources: ['application/vnd.ms-excel'], destinations: [text], ways: reading('excel') },
  { name: 'xlx2text', sources: xlsxTypes, destinations: [text], ways: reading('office') },
  {
    name: 'msoffice2text',
    sources: ['application/msword', 'application/vnd.ms-powerpoint'],
    destinations: [text],
    ways: [
      { ...work('file-to-text', { reader: 'word' }), sources: ['application/msword'] },
      { ...work('file-to-text', { reader: 'powerPoint' }), sources: ['application/vnd.ms-powerpoint'] },
    ],
  },
  { name: 'docx2text', sources: docxTypes, destinations: [text], ways: reading('office') },
  { name: 'pptx2text', sources: pptxTypes, destinations: [text], ways: reading('office') },
  { name: 'rtf2text', sources: rtfTypes, destinations: [text], ways: reading('richText') },
  { name: 'oo2text', sources: openDocumentTypes, destinations: [text], ways: reading('office') },
  { name: 'rfc822totext', sources: ['message/rfc822'], destinations: [text], ways: reading('mail') },
  { name: 'msg2text', sources: [outlook], destinations: [text], ways: reading('mail') },
  {
    name: 'wpd2text',
    sources: [wordperfect],
    destinations: [text],
    ways: [{ ...work('printed-output', { program: 'wpd2text' }), needs: ['wpd2text'] }],
  },
  { name: 'pdf2text', sources: [pdf], destinations: [text], ways: [work('pdf-to-text')] },
  {
    name: 'ps2pdf',
    sources: [...postscriptTypes, illustrator],
    destinations: [pdf],
    ways: [{ ...work('postscript-to-pdf'), needs: ['gs'] }],
  },
  { name: 'ps2pdf2text', sources: [...postscriptTypes, illustrator], destinations: [text], steps: ['ps2pdf', 'pdf2text'] },
  {
    name: 'any2text',
    sources: ['*'],
    destinations: [text],
    dispatch: (_, { findSpecific }) => [findSpecific(text) ?? 'octets2text'],
  },
  { name: 'octets2text', sources: ['*'], destinations: ['application/x-no-text'], ways: reading('nothing') },
  // Office files
  { name: 'any2pdf', sources: [...officeTypes, 'text/partial'], destinations: [pdf], ways: [soffice('pdf')] },
  { name: 'any2ods', sources: spreadsheetTypes, destinations: [`${opendocument}.spreadsheet`], ways: [soffice('ods')] },
  { name: 'any2odp', sources: presentationTypes, destinations: [`${opendocument}.presentation`], ways: [soffice('odp')] },
  { name: 'any2odt', sources: writerTypes, destinations: [`${opendocument}.text`], ways: [soffice('odt')] },
  { name: 'any2doc', sources: writerTypes, destinations: ['application/msword'], ways: [soffice('doc')] },
  { name: 'any2docx', sources: writerTypes, destinations: [docxTypes[0] ?? ''], ways: [soffice('docx')] },
  {
    name: 'wpd2html',
    sources: [wordperfect],
    destinations: [html],
    ways: [{ ...work('printed-output', { program: 'wpd2html' }), needs: ['wpd2html'] }],
  },
  {
    name: 'office2html',
    sources: [...officeTypes, ...markdownTypes, ...codeTypes, ...mailTypes, 'text/partial', 'text/*', 'application/xhtml+xml'],
    destinations: [html],
    ways: officeWays,
  },
  { name: 'md2html', sources: markdownTypes, destinations: [html], ways: [work('text-to-html')] },
  { name: 'md2pdf', sources: markdownTypes, destinations: [pdf], steps: ['md2html', 'any2pdf'] },
  // PDF
  {
    name: 'pdf2html',
    sources: [pdf],
    destinations: [html],
    ways: [{ ...work('pdf-to-html', { asItLooks: true }), needs: ['pdftohtml'] }, work('pdf-to-html')],
  },
  {
    name: 'pdf2image',
    sources: [pdf],
    destinations: pictureTypes,
    ways: [work('picture', { deed: 'page' })],
  },
  // By name alone: nobody who asks for a PDF, a picture or JSON of one means these.
  { name: 'editPdf', sources: [pdf], destinations: ['application/x-edited-pdf'], ways: [work('edit-pdf')] },
  { name: 'pdfPages', sources: [pdf], destinations: ['application/x-pdf-pages'], ways: [work('pdf-pages')] },
  { name: 'pdfInfo', sources: [pdf], destinations: ['application/x-pdf-info'], ways: [work('read-pdf')] },
  {
    name: 'pdfLinks',
    sources: [pdf],
    destinations: ['application/x-pdf-links'],
    ways: [work('read-pdf', { links: true })],
  },
  {
    name: 'readMetadata',
    sources: ['*'],
    destinations: ['application/x-file-metadata'],
    ways: [
      { ...work('read-metadata'), needs: ['exiftool'] },
      { ...work('read-metadata'), sources: ['image/*'] },
    ],
  },
  {
    name: 'writeMetadata',
    sources: ['*'],
    destinations: ['application/x-file-with-metadata'],
    ways: [{ ...work('write-metadata'), needs: ['exiftool'] }],
  },
  { name: 'iwork2pdf', sources: iworkTypes, destinations: [pdf], ways: [work('iwork-to-pdf')] },
  { name: 'iwork2html', sources: iworkTypes, destinations: [html], steps: ['iwork2pdf', 'pdf2html'] },
  {
    name: 'zip2html',
    sources: ['application/zip', 'application/x-zip-compressed'],
    destinations: [html],
    ways: [work('zip-to-html')],
  },
  {
    name: 'any2html',
    sources: [
      ...officeTypes,
      pdf,
      'text/partial',
      ...markdownTypes,
      ...codeTypes,
      ...mailTypes,
      'text/*',
      'application/xhtml+xml',
    ],
    destinations: [html],
    dispatch(mimeType, { can, has }) {
      if (mimeType === pdf) return ['pdf2html']
      const isLaidOut = richOfficeTypes.includes(mimeType) && has('pdftohtml') && can('any2pdf')
      return isLaidOut ? ['any2pdf', 'pdf2html'] : ['office2html']
    },
  },
  // Pictures
  { name: 'image2pdf', sources: drawnTypes, destinations: [pdf], ways: pageOfPicture },
  { name: 'pictureConvertToPDF', sources: drawnTypes, destinations: [pdf], ways: pageOfPicture },
  { name: 'diffPictures', sources: ['image/*'], destinations: ['application/x-picture-diff'], ways: [work('diff-pictures')] },
  // For pictures with views, which are several files.
  {
    name: 'pictureViews',
    sources: drawnTypes,
    destinations: ['application/x-picture-views'],
    ways: pictureWays('views', 'picture-views'),
  },
  {
    name: 'pdfAndImageToThumbnail',
    sources: [pdf, ...drawnTypes, firstPage],
    destinations: ['image/png'],
    ways: pictureWays('thumbnail'),
  },
  { name: 'sofficeToPng', sources: richOfficeTypes, destinations: ['image/png'], ways: [soffice('png')] },
  {
    name: 'officeToThumbnail',
    sources: richOfficeTypes,
    destinations: ['image/png'],
    steps: ['sofficeToPng', 'pdfAndImageToThumbnail'],
  },
  {
    name: 'anyToPdfToThumbnail',
    sources: [...officeTypes, 'text/partial'],
    destinations: ['image/png'],
    steps: ['any2pdf', 'pdfAndImageToThumbnail'],
  },
  // Not the whole text, so that it is nobody's PDF.
  { name: 'textToFirstPage', sources: [text], destinations: [firstPage], ways: [work('text-page')] },
  {
    name: 'anyToThumbnail',
    sources: [pdf, ...drawnTypes, ...officeTypes, ...shownAsText, ...mailTypes],
    destinations: ['image/png'],
    dispatch(mimeType, { can, findSpecific }) {
      const isText = acceptsType([...shownAsText, ...mailTypes], mimeType) && !rtfTypes.includes(mimeType)
      const others = ['pdfAndImageToThumbnail', 'officeToThumbnail', 'anyToPdfToThumbnail']
      const direct = isText ? undefined : others.find(can)
      if (direct !== undefined) return [direct]
      return findSpecific(text) === undefined ? [] : ['any2text', 'textToFirstPage', 'pdfAndImageToThumbnail']
    },
  },
  // Behind those that make pictures small: who asks for a PNG of a picture by its type wants all of it.
  { name: 'resizeAvatar', sources: ['image/*'], destinations: ['image/jpeg', 'image/jpg'], ways: pictureWays('avatar') },
  { name: 'pictureRotation', sources: drawnTypes, destinations: writtenTypes, ways: pictureWays('rotate') },
  { name: 'pictureCrop', sources: drawnTypes, destinations: writtenTypes, ways: pictureWays('crop') },
  { name: 'pictureResize', sources: [...drawnTypes, pdf], destinations: writtenTypes, ways: pictureWays('resize') },
]
