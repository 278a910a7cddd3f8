import type { OperationContext } from '../../automation/context.ts'
import { defineOperation } from '../../automation/operation.ts'
import { optional, required } from '../../automation/parameter.ts'
import type { FlowingBlob } from '../../automation/values/flowing-blob.ts'
import type { ConversionParameters } from '../../core/conversion/converter.ts'
import { plainMimeType } from '../../core/file-texts/text-extractor.ts'
import { converted, fileIn, mainFile, mergedPdfs, pdf, requirePdf } from './converted-file.ts'

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

/** Same type, same file. */
function convertedTo(context: OperationContext, file: FlowingBlob, type: string): Promise<FlowingBlob> | FlowingBlob {
  const isThatAlready = plainMimeType(file.blob['mime-type'] ?? '') === plainMimeType(type)
  return isThatAlready ? file : converted(context, file, { type })
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
  const all = variable === undefined || variable === '' ? files : [await fileIn(context, variable), ...files]
  for (const file of all) requirePdf(file)
  const [first] = all
  return first === undefined || all.length === 1 ? first : mergedPdfs(context, all, { fileName: filename })
}
