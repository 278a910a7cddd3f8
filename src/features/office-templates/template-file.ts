import { findTypeOfName } from '../../base/mime-types/mime-type.ts'
import { defineProblem } from '../../base/problem.ts'
import { plainMimeType } from '../../core/file-texts/text-extractor.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { docxTypes } from '../conversion/index.ts'
import { type OfficeKind, officeKinds } from './filling/office-kinds.ts'
import type { Processor } from './template-source.ts'

/** How a file is filled in. */
export type TemplateForm =
  | { readonly kind: 'office'; readonly office: OfficeKind; readonly mimeType: string }
  /** `isMarkup`: values in it are escaped. */
  | { readonly kind: 'text'; readonly isMarkup: boolean; readonly mimeType: string }
  | { readonly kind: 'asIs' }

export const notATemplateFile = defineProblem(
  'notATemplateFile',
  'unprocessable',
  (of: { name: string | null; mimeType: string | null }) =>
    `The file ${of.name ?? ''} of the template is ${of.mimeType ?? 'of no type'}. Templates are docx and odt files, and texts such as HTML and Markdown.`,
)

const odtTypes = ['application/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.text-template']
const markup = new Set(['text/html', 'application/xhtml+xml', 'text/xml', 'application/xml'])
const extension = '.ftl'

/** @throws notATemplateFile */
export function formOf({ name, 'mime-type': said }: BlobValue, processor: Processor): TemplateForm {
  if (processor === 'Identity') return { kind: 'asIs' }
  const mimeType = typeOf(name ?? '', plainMimeType(said ?? ''))
  if (docxTypes.includes(mimeType)) return { kind: 'office', office: officeKinds.docx, mimeType }
  if (odtTypes.includes(mimeType)) return { kind: 'office', office: officeKinds.odt, mimeType }
  const isText = mimeType.startsWith('text/') || markup.has(mimeType) || processor === 'Freemarker'
  if (!isText || processor === 'XDocReportProcessor') throw notATemplateFile({ name, mimeType: said })
  return { kind: 'text', isMarkup: markup.has(mimeType), mimeType }
}

/** What the file becomes: of `letter.html.ftl` a page. */
function typeOf(name: string, said: string): string {
  if (name.endsWith(extension)) return findTypeOfName(name.slice(0, -extension.length)) ?? 'text/plain'
  const isKnown = said !== '' && said !== 'application/octet-stream' && said !== 'application/zip'
  return isKnown ? said : (findTypeOfName(name) ?? said)
}
