import { buffer } from 'node:stream/consumers'
import type { OperationContext } from '../../automation/context.ts'
import { documentItem } from '../../automation/expressions/document-members.ts'
import { boolean, list, type Operand, plainValue, text, textOf } from '../../automation/expressions/operand.ts'
import { type FlowingBlob, readBlobText } from '../../automation/values/flowing-blob.ts'
import { nothing, type Value } from '../../automation/values/value.ts'
import { htmlToText } from '../../base/html/html-text.ts'
import { findBlobAt } from '../../core/blobs/blob-place.ts'
import { mainBlob } from '../../core/blobs/document-blobs.ts'
import { openBlob } from '../../core/blobs/open-blob.ts'
import { plainMimeType } from '../../core/file-texts/text-extractor.ts'
import type { Document } from '../../model/document.ts'
import { converted } from '../conversion/index.ts'
import { readTakenFile } from '../files/index.ts'
import { pictureExtensions, type TemplatePicture } from './filling/pictures.ts'
import { pictureUnusable, templateTooLarge } from './filling/problems.ts'
import { findDate, type TemplateParameter } from './template-data.ts'

/** What the parameters of a template stand for in one document. */
export interface ParameterValues {
  readonly values: ReadonlyMap<string, Operand>
  readonly pictures: readonly TemplatePicture[]
  readonly loops: ReadonlySet<string>
  /** Files of which something is in the result. */
  readonly files: readonly FlowingBlob[]
}

/** @throws downloadRefused, pictureUnusable, templateTooLarge, what converting throws */
export async function readParameterValues(
  context: OperationContext,
  document: Document,
  parameters: readonly TemplateParameter[],
): Promise<ParameterValues> {
  const values = new Map<string, Operand>()
  const pictures: TemplatePicture[] = []
  const files: FlowingBlob[] = []
  for (const parameter of parameters) {
    if (parameter.kind === 'picture') {
      const file = await findPicture(context, document, parameter)
      if (file !== undefined) pictures.push(await pictureOf(context, parameter.name, file))
      if (file !== undefined) files.push(file)
      values.set(parameter.name, text(file?.blob.name ?? ''))
    } else if (parameter.kind === 'content') {
      const { said, file } = await contentOf(context, document, parameter.value ?? '')
      if (file !== undefined) files.push(file)
      values.set(parameter.name, text(said))
    } else values.set(parameter.name, givenValue(context, document, parameter))
  }
  const loops = parameters.filter(({ isLooped }) => isLooped).map(({ name }) => name)
  return { values, pictures, files, loops: new Set(loops) }
}

function givenValue(context: OperationContext, document: Document, { kind, value, members }: TemplateParameter): Value {
  switch (kind) {
    case 'Boolean':
      return boolean(value?.trim().toLowerCase() === 'true')
    case 'Date': {
      const date = findDate(value ?? '')
      return date === undefined ? nothing : { kind: 'date', date }
    }
    case 'List':
      return list(members.map((member) => plainValue(givenValue(context, document, member))))
    case 'Map': {
      const entries = members.map((member) => [member.name, givenValue(context, document, member)] as const)
      return { kind: 'map', members: Object.fromEntries(entries) }
    }
    case 'source':
      return value === null || value === '' ? nothing : documentItem(context, document, value)
    // What stands in a file is read before, and is none of the members of a list.
    case 'picture':
    case 'content':
    case 'String':
      return text(value ?? '')
  }
}

const maxPictureBytes = 20 * 1024 ** 2

/** The picture at the place, or the main file where none is named. */
async function findPicture(
  context: OperationContext,
  document: Document,
  { value }: TemplateParameter,
): Promise<FlowingBlob | undefined> {
  const { session } = context
  const place = value?.trim() ?? ''
  const found = place === '' ? mainBlob(session, document) : findBlobAt(session, document, place)
  return found && readTakenFile(context, document, found)
}

async function pictureOf({ session }: OperationContext, parameter: string, file: FlowingBlob): Promise<TemplatePicture> {
  const mimeType = plainMimeType(file.blob['mime-type'] ?? '')
  const extension = Object.hasOwn(pictureExtensions, mimeType) ? pictureExtensions[mimeType] : undefined
  if (extension === undefined) throw pictureUnusable({ parameter, mimeType: file.blob['mime-type'] })
  if (file.blob.length > maxPictureBytes) throw templateTooLarge({ what: 'pictures' })
  return { parameter, mimeType, extension, bytes: await buffer(await openBlob(session.repository.blobs, file)) }
}

interface Content {
  readonly said: string
  readonly file?: FlowingBlob
}

const ofMainFile = new Set(['', 'htmlPreview', 'blobContent'])

/** The text of the main file, or of a property. What is HTML gives its text. */
async function contentOf(context: OperationContext, document: Document, source: string): Promise<Content> {
  if (!ofMainFile.has(source)) {
    const said = textOf(documentItem(context, document, source))
    return { said: source === 'note:note' && isHtmlNote(document) ? htmlToText(said) : said }
  }
  const main = mainBlob(context.session, document)
  if (main === undefined) return { said: '' }
  const file = await readTakenFile(context, document, main)
  if (plainMimeType(main.blob['mime-type'] ?? '') === 'text/plain') return { said: await boundedText(context, file), file }
  return { said: await boundedText(context, await converted(context, file, { type: 'text/plain' })), file }
}

function isHtmlNote({ properties }: Document): boolean {
  return properties['note:mime_type'] === 'text/html'
}

async function boundedText({ session, budget }: OperationContext, file: FlowingBlob): Promise<string> {
  if (file.blob.length > budget.limits.valueBytes) throw templateTooLarge({ what: 'elements' })
  return readBlobText(session.repository, file)
}
