import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { OperationContext } from '../../automation/context.ts'
import { blobMadeOf, type FlowingBlob, madeBlob } from '../../automation/values/flowing-blob.ts'
import { escapeXml } from '../../base/xml.ts'
import { writeZip } from '../../base/zip/write-zip.ts'
import { mainBlob } from '../../core/blobs/document-blobs.ts'
import { openBlob } from '../../core/blobs/open-blob.ts'
import { resultName } from '../../core/conversion/conversions.ts'
import { ConversionRefusal } from '../../core/conversion/converter.ts'
import { plainMimeType } from '../../core/file-texts/text-extractor.ts'
import { type Document, titleOf } from '../../model/document.ts'
import { converted, openZip } from '../conversion/index.ts'
import { readTakenFile } from '../files/index.ts'
import { parseTextTemplate, type RenderingRules, renderPieces, type TemplatePiece } from '../rendering/index.ts'
import type { TemplateBinding } from './bindings.ts'
import { filledEntries } from './filling/fill-office-file.ts'
import { officeFileDamaged, templateTooLarge } from './filling/problems.ts'
import { type ParameterValues, readParameterValues } from './parameter-values.ts'
import { parametersFor, parseTemplateData } from './template-data.ts'
import { formOf, type TemplateForm } from './template-file.ts'
import { templateNames } from './template-names.ts'
import { noTemplateFile } from './template-problems.ts'
import { parseOutput, parseProcessor, type TemplateSource } from './template-source.ts'

const maxFileBytes = 20 * 1024 ** 2
const unpacking = { entries: 5_000, unpackedBytes: 100 * 1024 ** 2 }
const longestPart = 8_000_000

/** A template, bound to a document in one way. */
export interface BoundTemplate {
  readonly source: TemplateSource
  readonly binding: TemplateBinding
}

/**
 * The file that the template makes of the document, in the type that it says. All that is in it the caller may read.
 * @throws noTemplateFile, notATemplateFile, wrongTemplateData, downloadRefused, what filling in and converting throw
 */
export async function renderBound(context: OperationContext, document: Document, bound: BoundTemplate): Promise<FlowingBlob> {
  const { source, binding } = bound
  const file = await templateFile(context, document, bound)
  const [form, output] = [formOf(file.blob, parseProcessor(source.processor)), parseOutput(source.output)]
  const own = await parseTemplateData(binding.templateData ?? '')
  const parameters = parametersFor(
    { parameters: await parseTemplateData(source.data), allowsOverride: source.allowsOverride },
    own,
  )
  const on = context.on({ kind: 'document', document })
  const values = await readParameterValues(on, document, parameters)
  const names = templateNames(on, { document, templateName: source.name, parameters: values.values })
  const render = (pieces: readonly TemplatePiece[], rules: RenderingRules) =>
    renderPieces(on, pieces, { ...rules, names, longest: longestPart })
  const made = await filled(on, { file, form, values, render, document })
  const result = { ...made, ...blobMadeOf(made.blob, [file, ...values.files]) }
  return output === undefined || isOf(result, output) ? result : converted(on, result, { type: output })
}

function isOf({ blob }: FlowingBlob, type: string): boolean {
  return plainMimeType(blob['mime-type'] ?? '') === plainMimeType(type)
}

/** That of the template, or of the document where it was copied to that. */
async function templateFile(
  context: OperationContext,
  document: Document,
  { source, binding }: BoundTemplate,
): Promise<FlowingBlob> {
  const isOwn = binding.useMainContentAsTemplate && mainBlob(context.session, document) !== undefined
  const owner = isOwn ? document : source.document
  const found = mainBlob(context.session, owner)
  if (found === undefined) throw noTemplateFile({ id: owner.id })
  if (found.blob.length > maxFileBytes) throw templateTooLarge({ what: 'bytes' })
  return readTakenFile(context, owner, found)
}

interface FilledIn {
  readonly file: FlowingBlob
  readonly form: TemplateForm
  readonly values: ParameterValues
  readonly document: Document
  render(pieces: readonly TemplatePiece[], rules: RenderingRules): Promise<string>
}

async function filled(context: OperationContext, work: FilledIn): Promise<FlowingBlob> {
  const { file, form } = work
  switch (form.kind) {
    case 'asIs':
      return file
    case 'text':
      return filledText(context, work, form)
    case 'office':
      return filledOffice(context, work, form).catch((error) => {
        if (!(error instanceof ConversionRefusal)) throw error
        throw error.isTooLarge
          ? templateTooLarge({ what: 'bytes' }, { cause: error })
          : officeFileDamaged({ reason: error.message }, { cause: error })
      })
  }
}

type FormOf<Kind extends TemplateForm['kind']> = Extract<TemplateForm, { readonly kind: Kind }>

async function filledText(
  { session }: OperationContext,
  { file, document, render }: FilledIn,
  { isMarkup, mimeType }: FormOf<'text'>,
): Promise<FlowingBlob> {
  const bytes = await buffer(await openBlob(session.repository.blobs, file))
  const pieces = parseTextTemplate(bytes.toString('utf8'), 'office')
  const text = await render(pieces, isMarkup ? { written: escapeXml } : {})
  return madeBlob(text, { name: resultName(titleOf(document), mimeType), mimeType })
}

async function filledOffice(
  { session, host, budget }: OperationContext,
  { file, document, values, render }: FilledIn,
  { office, mimeType }: FormOf<'office'>,
): Promise<FlowingBlob> {
  const { blobs } = session.repository
  const bytes = await buffer(await openBlob(blobs, file))
  const zip = await openZip({ source: { bytes }, limits: unpacking })
  try {
    const entries = await filledEntries(zip, office, {
      ...{ loops: values.loops, pictures: values.pictures, rest: () => budget.work(20) },
      render: (pieces, written) => render(pieces, { written }),
    })
    const stored = await blobs.write(Readable.from(writeZip(entries), { objectMode: false }), { signal: host.signal })
    return { blob: { ...stored, name: resultName(titleOf(document), mimeType), 'mime-type': mimeType, encoding: null } }
  } finally {
    zip.close()
  }
}
