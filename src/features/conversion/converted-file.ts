import type { OperationContext } from '../../automation/context.ts'
import { notConvertible, toBlob } from '../../automation/values/convert-value.ts'
import { blobMadeOf, type FlowingBlob } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import { findBlobAt } from '../../core/blobs/blob-place.ts'
import { mainBlob } from '../../core/blobs/document-blobs.ts'
import type { ConversionTarget } from '../../core/conversion/conversions.ts'
import type { ConversionParameters } from '../../core/conversion/converter.ts'
import { nothingConverted } from '../../core/conversion/run-conversion.ts'
import { plainMimeType } from '../../core/file-texts/text-extractor.ts'
import type { Document } from '../../model/document.ts'
import { parseXpath } from '../../model/properties/xpath.ts'
import { actingName } from '../../model/rights/principal.ts'
import { readTakenFile } from '../files/index.ts'

export const pdf = 'application/pdf'

export const nothingToConvertOf = defineProblem(
  'nothingToConvertOf',
  'invalid',
  (of: { id: string; xpath?: string }) =>
    `The document ${of.id} has no file${of.xpath === undefined ? '' : ` at ${of.xpath.slice(0, 100)}`} to convert.`,
)

export const notAPdf = defineProblem(
  'notAPdf',
  'invalid',
  (of: { name: string | null; mimeType: string | null }) =>
    `The file ${of.name ?? ''} is ${of.mimeType ?? 'of no type'}. Only PDF files can be given.`,
)

export const noFileInVariable = defineProblem(
  'noFileInVariable',
  'invalid',
  (of: { name: string }) => `The context has no file in its variable ${of.name.slice(0, 100)}.`,
)

/** What a converter is handed beside the file. */
export interface ConvertedWith {
  readonly parameters?: ConversionParameters
  readonly attached?: readonly FlowingBlob[]
}

export async function converted(
  context: OperationContext,
  file: FlowingBlob,
  target: ConversionTarget,
  more: ConvertedWith = {},
): Promise<FlowingBlob> {
  const [first] = await allConverted(context, file, target, more)
  if (first === undefined) throw nothingConverted({ converter: 'converter' in target ? target.converter : target.type })
  return first
}

/** The same where a converter makes several files. */
export async function allConverted(
  { services, session, host }: OperationContext,
  file: FlowingBlob,
  target: ConversionTarget,
  more: ConvertedWith = {},
): Promise<readonly FlowingBlob[]> {
  const { repository } = session
  const blobs = await services.conversions.convert({
    repository,
    source: file,
    target,
    ...more,
    user: actingName(session.principal),
    signal: host.signal,
  })
  // Who may not download the file may not download what is made of it.
  return blobs.map((blob) => blobMadeOf(blob, [file, ...(more.attached ?? [])]))
}

export function mainFile(context: OperationContext, document: Document): Promise<FlowingBlob> {
  const found = mainBlob(context.session, document)
  if (found === undefined) throw nothingToConvertOf({ id: document.id })
  return readTakenFile(context, document, found)
}

/** The file at a place of the document, or its main one. @throws nothingToConvertOf, unknownProperty, downloadRefused */
export function fileAt(context: OperationContext, document: Document, xpath: string | undefined): Promise<FlowingBlob> {
  if (xpath === undefined || xpath === '') return mainFile(context, document)
  const found = findBlobAt(context.session, document, xpath)
  if (found !== undefined) return readTakenFile(context, document, found)
  parseXpath(context.session.model, xpath)
  throw nothingToConvertOf({ id: document.id, xpath })
}

/** @throws notAPdf */
export function requirePdf(file: FlowingBlob): FlowingBlob {
  const { name, 'mime-type': mimeType } = file.blob
  if (plainMimeType(mimeType ?? '') !== pdf) throw notAPdf({ name, mimeType })
  return file
}

/** The file in a variable, which a step has put there or the request describes. @throws noFileInVariable */
export async function fileIn(context: OperationContext, name: string): Promise<FlowingBlob> {
  const value = context.variables.get(name)
  if (value === undefined) throw noFileInVariable({ name })
  try {
    return await toBlob(context, value)
  } catch (error) {
    throw notConvertible.is(error) ? noFileInVariable({ name }) : error
  }
}

/** What a merged PDF is called, and what it says of itself. */
export interface MergedAs {
  readonly fileName?: string | undefined
  readonly about?: ConversionParameters
}

/** One PDF of all, in their order. */
export async function mergedPdfs(
  context: OperationContext,
  [first, ...attached]: readonly FlowingBlob[],
  { fileName, about = {} }: MergedAs,
): Promise<FlowingBlob | undefined> {
  if (first === undefined) return undefined
  const parameters = { ...about, edit: 'merge' }
  const { blob, ...sources } = await converted(context, first, { converter: 'editPdf' }, { attached, parameters })
  return { blob: { ...blob, ...(fileName && { name: fileName }) }, ...sources }
}
