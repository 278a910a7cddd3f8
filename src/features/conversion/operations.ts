import type { OperationContext } from '../../automation/context.ts'
import { defineOperation } from '../../automation/operation.ts'
import { optional, required } from '../../automation/parameter.ts'
import type { FlowingBlob } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import { mainBlob } from '../../core/blobs/document-blobs.ts'
import type { ConversionTarget } from '../../core/conversion/conversions.ts'
import type { ConversionParameters } from '../../core/conversion/converter.ts'
import { nothingConverted } from '../../core/conversion/run-conversion.ts'
import { plainMimeType } from '../../core/file-texts/text-extractor.ts'
import type { Document } from '../../model/document.ts'
import { readTakenFile } from '../files/index.ts'

const pdf = 'application/pdf'

const nothingToMakePdfOf = defineProblem(
  'nothingToConvertOf',
  'invalid',
  (of: { id: string }) => `The document ${of.id} has no file to convert.`,
)

const notAPdf = defineProblem(
  'notAPdf',
  'invalid',
  (of: { name: string | null; mimeType: string | null }) =>
    `The file ${of.name ?? ''} is ${of.mimeType ?? 'of no type'}. Only PDF files can be joined.`,
)

const noSuchVariable = defineProblem(
  'noFileInVariable',
  'invalid',
  (of: { name: string }) => `The context has no file in its variable ${of.name}.`,
)

async function converted(
  { services, session, host }: OperationContext,
  file: FlowingBlob,
  target: ConversionTarget,
  more: { readonly parameters?: ConversionParameters; readonly attached?: readonly FlowingBlob[] } = {},
): Promise<FlowingBlob> {
  const { repository } = session
  const wanted = { repository, source: file, target, ...more, signal: host.signal }
  const [blob] = await services.conversions.convert(wanted)
  if (blob === undefined) throw nothingConverted({ converter: 'converter' in target ? target.converter : target.type })
  // Who may not download the file may not download what is made of it.
  return { blob, ...(file.source !== undefined && { source: file.source }) }
}

/** Same type, same file. */
function convertedTo(context: OperationContext, file: FlowingBlob, type: string): Promise<FlowingBlob> | FlowingBlob {
  const isThatAlready = plainMimeType(file.blob['mime-type'] ?? '') === plainMimeType(type)
  return isThatAlready ? file : converted(context, file, { type })
}

function mainFile(context: OperationContext, document: Document): Promise<FlowingBlob> {
  const found = mainBlob(context.session, document)
  if (found === undefined) throw nothingToMakePdfOf({ id: document.id })
  return readTakenFile(context, document, found)
}

async function allConvertedTo(context: OperationContext, files: readonly FlowingBlob[], type: string) {
  const results: FlowingBlob[] = []
  for (const file of files) results.push(await convertedTo(context, file, type))
  return results
}

export const toPdf = defineOperation({
  id: 'Blob.ToPDF',
  category: 'Conversion',
  description: 'Converts the file, or the main file of the document, to PDF.',
  effect: 'waits',
  params: {},
  run: ({ on }) => [
    on('document', 'blob', async (document, { context }) => convertedTo(context, await mainFile(context, document), pdf)),
    on('blob', 'blob', (file, { context }) => convertedTo(context, file, pdf)),
    on('bloblist', 'bloblist', (files, { context }) => allConvertedTo(context, files, pdf)),
  ],
})

export const convertTo = defineOperation({
  id: 'Blob.Convert',
  category: 'Conversion',
  description: 'Converts the file, or the main file of the document, to another type; a file of that type stays as it is.',
  effect: 'waits',
  params: { mimeType: required('string', { description: 'The type of the result: application/pdf' }) },
  run: ({ on }) => [
    on('document', 'blob', async (document, { context, params }) =>
      convertedTo(context, await mainFile(context, document), params.mimeType),
    ),
    on('blob', 'blob', (file, { context, params }) => convertedTo(context, file, params.mimeType)),
    on('bloblist', 'bloblist', (files, { context, params }) => allConvertedTo(context, files, params.mimeType)),
  ],
})

export const runConverter = defineOperation({
  id: 'Blob.RunConverter',
  category: 'Conversion',
  description: 'Has a converter convert the file.',
  effect: 'waits',
  params: {
    converter: required('string', { description: 'Its name' }),
    parameters: optional('properties', { description: 'What the converter is told' }),
  },
  run: ({ on }) => [
    on('blob', 'blob', (file, { context, params: { converter, parameters = {} } }) =>
      converted(context, file, { converter }, { parameters: textsOf(parameters) }),
    ),
  ],
})

function textsOf(parameters: { readonly [name: string]: unknown }): ConversionParameters {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
}

export const concatenatePdfs = defineOperation({
  id: 'Blob.ConcatenatePDFs',
  category: 'Conversion',
  description: 'Joins PDF files into one: first that of a variable of the context, if one is named, then those that come in.',
  effect: 'waits',
  params: {
    filename: required('string', { description: 'The name of the result' }),
    blob_to_append: optional('string', { description: 'The variable with the file that comes first' }),
  },
  run: ({ on }) => [
    on('blob', 'blob', (file, { context, params }) => joined(context, [file], params)),
    on('bloblist', 'blob', (files, { context, params }) => joined(context, files, params)),
  ],
})

interface Joining {
  readonly filename: string
  readonly blob_to_append?: string | undefined
}

async function joined(
  context: OperationContext,
  files: readonly FlowingBlob[],
  { filename, blob_to_append: variable }: Joining,
): Promise<FlowingBlob | undefined> {
  const all = variable === undefined || variable === '' ? files : [fileIn(context, variable), ...files]
  for (const { blob } of all) {
    const mimeType = blob['mime-type']
    if (plainMimeType(mimeType ?? '') !== pdf) throw notAPdf({ name: blob.name, mimeType })
  }
  const [first, ...attached] = all
  if (first === undefined || attached.length === 0) return first
  const made = await converted(context, first, { converter: 'joinPdfs' }, { attached })
  return { blob: { ...made.blob, name: filename, 'mime-type': pdf } }
}

function fileIn({ variables }: OperationContext, name: string): FlowingBlob {
  const value = variables.get(name)
  if (value?.kind !== 'blob') throw noSuchVariable({ name })
  return value.blob
}
