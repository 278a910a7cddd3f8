const openxml = 'application/vnd.openxmlformats-officedocument'
const opendocument = 'application/vnd.oasis.opendocument'
const sun = 'application/vnd.sun.xml'

const withTemplate = (type: string, tail: string) => [type, `${type}${tail}`]
const ofOpenDocument = (...kinds: readonly string[]) =>
  kinds.flatMap((kind) => withTemplate(`${opendocument}.${kind}`, '-template'))
const ofSun = (...kinds: readonly string[]) => kinds.flatMap((kind) => withTemplate(`${sun}.${kind}`, '.template'))

export const docxTypes = [`${openxml}.wordprocessingml.document`, `${openxml}.wordprocessingml.template`]
export const xlsxTypes = [`${openxml}.spreadsheetml.sheet`]
export const pptxTypes = [`${openxml}.presentationml.presentation`, `${openxml}.presentationml.slideshow`]

export const openDocumentTypes = [
  ...ofOpenDocument('text', 'spreadsheet', 'presentation', 'graphics'),
  ...ofSun('writer', 'calc', 'impress', 'draw'),
]

export const spreadsheetTypes = ['application/vnd.ms-excel', ...xlsxTypes, ...ofOpenDocument('spreadsheet'), ...ofSun('calc')]
export const presentationTypes = [
  'application/vnd.ms-powerpoint',
  ...pptxTypes,
  ...ofOpenDocument('presentation'),
  ...ofSun('impress'),
]

export const rtfTypes = ['application/rtf', 'text/rtf']
export const markdownTypes = ['text/x-web-markdown', 'text/markdown']
export const plainTypes = ['text/xml', 'text/html', 'text/plain', 'text/csv', 'text/tsv']
export const wordperfect = 'application/wordperfect'

/** Texts of writers, which can be turned into each other. */
export const writerTypes = [
  'text/xml',
  'text/html',
  'text/plain',
  ...rtfTypes,
  'application/msword',
  ...docxTypes,
  ...ofSun('writer'),
  ...ofOpenDocument('text'),
  wordperfect,
]

/** Office files without those that are text themselves. */
export const richOfficeTypes = [
  ...rtfTypes,
  'application/msword',
  'application/vnd.ms-powerpoint',
  'application/vnd.ms-excel',
  ...docxTypes,
  ...pptxTypes,
  ...xlsxTypes,
  ...openDocumentTypes,
  wordperfect,
]

/** The set that the contract calls O (blobs 6.7). */
export const officeTypes = [...plainTypes, ...richOfficeTypes]

/** Which reader of ours understands a type. */
export function officeFamilyOf(mimeType: string): 'docx' | 'xlsx' | 'pptx' | 'opendocument' | 'none' {
  if (docxTypes.includes(mimeType)) return 'docx'
  if (xlsxTypes.includes(mimeType)) return 'xlsx'
  if (pptxTypes.includes(mimeType)) return 'pptx'
  return openDocumentTypes.includes(mimeType) ? 'opendocument' : 'none'
}
