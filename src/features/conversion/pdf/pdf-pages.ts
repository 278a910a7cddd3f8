import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, optional, required } from '../../../automation/parameter.ts'
import { notConvertible, toBlob, toBlobs } from '../../../automation/values/convert-value.ts'
import type { FlowingBlob } from '../../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../../base/problem.ts'
import { readDocument } from '../../../core/documents/read-document.ts'
import type { Document } from '../../../model/document.ts'
import { allConverted, fileAt, fileIn, mergedPdfs, requirePdf } from '../converted-file.ts'
import { bareName, editedPdf, given } from './edited-pdf.ts'
import { pagePositions, pdfFonts } from './pdf-edit.ts'

const about = {
  pdfTitle: optional('string', { description: 'The title that the result says it has' }),
  pdfSubject: optional('string'),
  pdfAuthor: optional('string'),
}

const password = optional('string', { description: 'What opens the file, where it has a password' })
const xpath = optional('string', { description: 'The place of the file in the document; its main file when absent' })

export const addPageNumbers = defineOperation({
  id: 'PDF.AddPageNumbers',
  category: 'Conversion',
  description: 'Gives the PDF with the numbers of its pages on them.',
  effect: 'waits',
  params: {
    startAtPage: defaulted('long', 1, { description: 'The first page that gets a number' }),
    startAtNumber: defaulted('long', 1, { description: 'The number that it gets' }),
    position: defaulted('string', 'Bottom right', { values: pagePositions, widget: 'Option' }),
    fontName: defaulted('string', 'Helvetica', { values: pdfFonts }),
    fontSize: defaulted('long', 16),
    hex255Color: defaulted('string', '0xffffff', { description: 'The colour: 0x000000 is black' }),
    password,
  },
  run: ({ each }) => [
    each('blob', 'blob', (file, { context, params }) => editedPdf(context, file, { edit: 'number', ...given(params) })),
  ],
})

export const extractPages = defineOperation({
  id: 'PDF.ExtractPages',
  category: 'Conversion',
  description: 'Gives a PDF of some pages of the PDF.',
  effect: 'waits',
  params: {
    startPage: required('long', { description: 'The first page; pages are counted from 1' }),
    endPage: required('long', { description: 'The last page' }),
    fileName: optional('string', { description: 'The name of the result' }),
    ...about,
    xpath,
    password,
  },
  run: ({ on }) => [
    on('blob', 'blob', (file, { context, params }) => extracted(context, file, params)),
    on('document', 'blob', async (document, { context, params }) =>
      extracted(context, await fileAt(context, document, params.xpath), params),
    ),
  ],
})

interface Extracting {
  readonly startPage: number | bigint
  readonly endPage: number | bigint
  readonly fileName?: string | undefined
}

async function extracted(context: OperationContext, file: FlowingBlob, params: Extracting): Promise<FlowingBlob> {
  const { fileName, ...told } = params
  const made = await editedPdf(context, file, { edit: 'extract', ...given(told) })
  return { ...made, blob: { ...made.blob, name: fileName || `${bareName(file)}-${params.startPage}-${params.endPage}.pdf` } }
}

export const convertToPictures = defineOperation({
  id: 'PDF.ConvertToPictures',
  category: 'Conversion',
  description: 'Gives a JPEG of each page of the PDF.',
  effect: 'waits',
  params: { fileName: optional('string', { description: 'What the names of the pictures begin with' }), xpath, password },
  run: ({ on }) => [
    on('document', 'bloblist', async (document, { context, params }) => {
      const file = requirePdf(await fileAt(context, document, params.xpath))
      const parameters = given({ fileName: params.fileName || bareName(file), password: params.password })
      return allConverted(context, file, { converter: 'pdfPages' }, { parameters })
    }),
  ],
})

const appended = {
  toAppendVarName: optional('string', { description: 'A variable of the context with a file that comes next' }),
  toAppendListVarName: optional('string', { description: 'A variable with a list of files that come next' }),
}

const fileName = optional('string', { description: 'The name of the result' })

export const mergeWithBlobs = defineOperation({
  id: 'PDF.MergeWithBlobs',
  category: 'Conversion',
  description: 'Joins the PDF files, and those of variables behind them, into one.',
  effect: 'waits',
  params: { ...appended, fileName, ...about },
  run: ({ on }) => [
    on('blob', 'blob', (file, { context, params }) => merged(context, [file], params)),
    on('bloblist', 'blob', (files, { context, params }) => merged(context, files, params)),
  ],
})

export const mergeWithDocs = defineOperation({
  id: 'PDF.MergeWithDocs',
  category: 'Conversion',
  description: 'Joins the PDF files of the documents, and those of variables behind them, into one.',
  effect: 'waits',
  params: {
    xpath: defaulted('string', 'file:content', { description: 'The place of the file in each document' }),
    ...appended,
    toAppendDocIDsVarName: optional('string', { description: 'A variable with ids of documents whose files come last' }),
    fileName,
    ...about,
  },
  run: ({ on }) => [
    on('document', 'blob', (document, { context, params }) => mergedOf(context, [document], params)),
    on('documents', 'blob', (documents, { context, params }) => mergedOf(context, documents, params)),
  ],
})

interface Merging {
  readonly toAppendVarName?: string | undefined
  readonly toAppendListVarName?: string | undefined
  readonly fileName?: string | undefined
  readonly pdfTitle?: string | undefined
  readonly pdfSubject?: string | undefined
  readonly pdfAuthor?: string | undefined
}

interface MergingOfDocuments extends Merging {
  readonly xpath: string
  readonly toAppendDocIDsVarName?: string | undefined
}

async function merged(
  context: OperationContext,
  files: readonly FlowingBlob[],
  params: Merging,
  last: readonly FlowingBlob[] = [],
): Promise<FlowingBlob | undefined> {
  const { toAppendVarName: one, toAppendListVarName: several, pdfTitle, pdfSubject, pdfAuthor } = params
  const appended = [...(one ? [await fileIn(context, one)] : []), ...(several ? await filesIn(context, several) : [])]
  const all = [...files, ...appended, ...last]
  for (const file of all) requirePdf(file)
  return mergedPdfs(context, all, { fileName: params.fileName, about: given({ pdfTitle, pdfSubject, pdfAuthor }) })
}

async function mergedOf(
  context: OperationContext,
  documents: readonly Document[],
  params: MergingOfDocuments,
): Promise<FlowingBlob | undefined> {
  const { xpath: place, toAppendDocIDsVarName: variable } = params
  const filesOf = async (some: readonly Document[]) => {
    const files: FlowingBlob[] = []
    for (const document of some) files.push(await fileAt(context, document, place))
    return files
  }
  const others = variable ? await documentsIn(context, variable) : []
  return merged(context, await filesOf(documents), params, await filesOf(others))
}

export const wrongVariable = defineProblem(
  'wrongVariable',
  'invalid',
  (of: { name: string; holds: string }) => `The variable ${of.name.slice(0, 100)} of the context must have ${of.holds}.`,
)

/** The files in a variable, which steps have put there or the request describes. @throws wrongVariable */
async function filesIn(context: OperationContext, name: string): Promise<readonly FlowingBlob[]> {
  const value = context.variables.get(name)
  if (value === undefined) throw wrongVariable({ name, holds: 'a list of files' })
  try {
    if (value.kind !== 'list') return await toBlobs(context, value)
    // Each by itself: what is no file is not passed over.
    const files: FlowingBlob[] = []
    for (const item of value.items) files.push(await toBlob(context, item))
    return files
  } catch (error) {
    throw notConvertible.is(error) ? wrongVariable({ name, holds: 'a list of files' }) : error
  }
}

/** @throws wrongVariable, documentNotFound */
async function documentsIn({ variables, session }: OperationContext, name: string): Promise<readonly Document[]> {
  const value = variables.get(name)
  switch (value?.kind) {
    case 'document':
      return [value.document]
    case 'documents':
      return value.documents
    case 'string':
      return Promise.all(idsIn(value.text.split(',')).map((id) => readDocument(session, id)))
    case 'list': {
      const ids = value.items.map((item) => (item.kind === 'string' ? item.text : ''))
      return Promise.all(idsIn(ids).map((id) => readDocument(session, id)))
    }
    default:
      throw wrongVariable({ name, holds: 'a list of ids of documents' })
  }
}

function idsIn(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '')
}
