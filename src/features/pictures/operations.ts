import type { OperationContext } from '../../automation/context.ts'
import { defineOperation } from '../../automation/operation.ts'
import { optional, required } from '../../automation/parameter.ts'
import type { FlowingBlob } from '../../automation/values/flowing-blob.ts'
import { readSentProperties } from '../../automation/values/read-sent-properties.ts'
import { findJson, isJsonObject, type Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { mainBlob, mainFile } from '../../core/blobs/document-blobs.ts'
import { converterUnavailable, noConverter, sourceTypeRefused } from '../../core/conversion/converter.ts'
import { enqueueDerivation, findFile } from '../../core/derived-files.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import type { Document } from '../../model/document.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import { actingName } from '../../model/rights/principal.ts'
import { readTakenFile } from '../files/index.ts'
import { pictureViewsKind } from './make-views.ts'
import { viewTemplatesIn } from './picture-views.ts'
import { listViews } from './stored-views.ts'

export const wrongPictureTemplate = defineProblem(
  'wrongPictureTemplate',
  'invalid',
  (of: { name: string }) =>
    `The picture template ${of.name.slice(0, 100)} must be a JSON object with a title, and perhaps a description and a maxsize.`,
)

const createPicture = defineOperation({
  id: 'Picture.Create',
  category: 'Services',
  description: 'Creates a picture below the input.',
  effect: 'writes',
  params: {
    name: optional('string', { description: 'The last part of its path; one that is taken gets a number' }),
    properties: optional('properties', { description: 'Its properties; originalPicture is the file' }),
    pictureTemplates: optional('properties', {
      description: 'The views that it gets instead of the usual ones, by name: JSON with title, description and maxsize',
    }),
  },
  run: ({ each }) => [
    each('document', 'document', async (parent, { session, context, params }) => {
      const { originalPicture, ...properties } = params.properties ?? {}
      const templates = parseTemplates(params.pictureTemplates ?? {})
      const sent = originalPicture === undefined ? properties : { ...properties, [mainFile]: originalPicture }
      const created = await createDocument(session, {
        parent,
        type: 'Picture',
        name: params.name || 'Untitled',
        properties: (empty) => readSentProperties(context, empty, sent),
        ...(templates !== undefined && { options: { media: false } }),
      })
      const file = findFile(created)
      if (templates !== undefined && file !== undefined)
        await enqueueDerivation(session, pictureViewsKind, { document: created, file }, templates)
      return created
    }),
  ],
})

type SentTemplate = { readonly title: string; readonly [member: string]: string | number | null }

/** Undefined where none is told. @throws wrongPictureTemplate */
function parseTemplates(templates: { readonly [name: string]: unknown }): readonly SentTemplate[] | undefined {
  const told = Object.entries(templates).map(([name, text]) => parseTemplate(name, text))
  return told.length === 0 ? undefined : told
}

function parseTemplate(name: string, told: unknown): SentTemplate {
  const template = typeof told === 'string' ? findJson(told) : (told as Json)
  const [checked] = isJsonObject(template) ? (viewTemplatesIn([{ title: name, ...template } as PropertyValue]) ?? []) : []
  if (checked === undefined) throw wrongPictureTemplate({ name })
  const { maxSize: maxsize, ...rest } = checked
  return { ...rest, maxsize }
}

const getView = defineOperation({
  id: 'Picture.GetView',
  aliases: ['Picture.getView'],
  category: 'Conversion',
  description: 'Gives a view of the picture; nothing where it has none of that title.',
  effect: 'waits',
  params: { viewName: optional('string', { description: 'The title of the view; the original one when absent' }) },
  run: ({ each }) => [
    each('document', 'blob', (document, { context, params }) => {
      const view = listViews(document).find(({ title }) => title === (params.viewName || originOf(document)))
      return view && readTakenFile(context, document, { blob: view.blob, xpath: view.xpath })
    }),
  ],
})

/** Which view is the original one, a picture may say itself. */
function originOf({ properties }: Document): string {
  const origin = properties['picture:origin']
  return typeof origin === 'string' && origin !== '' ? origin : 'OriginalJpeg'
}

const resize = defineOperation({
  id: 'Picture.Resize',
  aliases: ['Picture.resize'],
  category: 'Conversion',
  description: 'Gives the picture no larger than a box, in its own proportions; what is no picture stays as it is.',
  effect: 'waits',
  params: {
    maxWidth: required('int', { description: 'In pixels; 0 for any' }),
    maxHeight: required('int', { description: 'In pixels; 0 for any' }),
  },
  run: ({ each }) => [
    each('document', 'blob', async (document, { context, params }) => {
      const main = mainBlob(context.session, document)
      return main && resized(context, await readTakenFile(context, document, main), params)
    }),
    each('blob', 'blob', (file, { context, params }) => resized(context, file, params)),
  ],
})

interface Box {
  readonly maxWidth: number
  readonly maxHeight: number
}

async function resized(
  { services, session, host }: OperationContext,
  file: FlowingBlob,
  { maxWidth, maxHeight }: Box,
): Promise<FlowingBlob> {
  if (maxWidth <= 0 && maxHeight <= 0) return file
  const parameters = { width: String(maxWidth), height: String(maxHeight) }
  const { repository } = session
  try {
    const target = { converter: 'pictureResize' }
    const [blob] = await services.conversions.convert({
      repository,
      source: file,
      target,
      parameters,
      user: actingName(session.principal),
      signal: host.signal,
    })
    // Who may not download the file may not download what is made of it.
    return blob === undefined ? file : { blob, ...(file.source !== undefined && { source: file.source }) }
  } catch (error) {
    if ([converterUnavailable, noConverter, sourceTypeRefused].some((problem) => problem.is(error))) return file
    throw error
  }
}

export const pictureOperations = [createPicture, getView, resize]
