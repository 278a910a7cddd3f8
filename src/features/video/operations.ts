import type { OperationContext } from '../../automation/context.ts'
import { defineOperation, type MethodBuilders, type OperationMethod } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import type { FlowingBlob } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import type { ConversionParameters } from '../../core/conversion/converter.ts'
import { nothingConverted } from '../../core/conversion/run-conversion.ts'
import type { Session } from '../../core/session.ts'
import { allConverted, converted, fileAt } from '../conversion/index.ts'
import { parseVideoEdit } from './video-edit.ts'

export const nothingToJoin = defineProblem('nothingToJoin', 'invalid', (_: object) => 'Give at least one video to join.')

const editing = { converter: 'editVideo' }
const xpath = optional('string', { description: 'The place of the video in the document; its main file when absent' })

/** What is wrong with the parameters is said before anything runs. @throws wrongVideoParameter */
function told(edit: string, params: { readonly [name: string]: unknown }): ConversionParameters {
  const known = Object.entries(params).filter(([, value]) => value !== undefined && value !== null)
  const parameters = { ...Object.fromEntries(known.map(([name, value]) => [name, String(value)])), edit }
  parseVideoEdit(parameters)
  return parameters
}

type Edit<Values> = (context: OperationContext, file: FlowingBlob, params: Values) => Promise<FlowingBlob | undefined>

/** For a video, a document with one, and many of either. */
function methodsFor<Values extends { readonly xpath: string | undefined }>(
  { on, each }: MethodBuilders<Values, Session>,
  edit: Edit<Values>,
): readonly OperationMethod[] {
  return [
    on('document', 'blob', async (document, { context, params }) =>
      edit(context, await fileAt(context, document, params.xpath), params),
    ),
    on('documents', 'bloblist', async (documents, { context, params }) => {
      const files: FlowingBlob[] = []
      for (const document of documents) {
        const made = await edit(context, await fileAt(context, document, params.xpath), params)
        if (made !== undefined) files.push(made)
      }
      return files
    }),
    each('blob', 'blob', (file, { context, params }) => edit(context, file, params)),
  ]
}

export const slice = defineOperation({
  id: 'Video.Slice',
  category: 'Conversion',
  description: 'Gives a part of the video.',
  effect: 'waits',
  params: {
    startAt: optional('string', { description: 'Where it begins: 90 or 00:01:30; at the beginning when absent' }),
    duration: optional('string', { description: 'How long it is; up to the end when absent' }),
    encode: defaulted('boolean', true, { description: 'False is faster, and cuts at the next whole picture' }),
    xpath,
  },
  run: (builders) =>
    methodsFor(builders, (context, file, { startAt, duration, encode }) =>
      converted(context, file, editing, { parameters: told('slice', { startAt, duration, encode }) }),
    ),
})

export const sliceInParts = defineOperation({
  id: 'Video.SliceInParts',
  category: 'Conversion',
  description: 'Cuts the video into parts of one length; the last may be shorter.',
  effect: 'waits',
  params: { duration: optional('string', { description: 'The length of each part: 90 or 00:01:30' }), xpath },
  run: ({ on }) => [
    on('document', 'bloblist', async (document, { context, params: { duration, xpath: place } }) =>
      parts(context, await fileAt(context, document, place), duration),
    ),
    on('blob', 'bloblist', (file, { context, params: { duration } }) => parts(context, file, duration)),
  ],
})

async function parts(
  context: OperationContext,
  file: FlowingBlob,
  duration: string | undefined,
): Promise<readonly FlowingBlob[]> {
  const made = await allConverted(context, file, editing, { parameters: told('parts', { duration }) })
  return made.map((part, index) => ({ ...part, blob: { ...part.blob, name: numbered(part.blob.name, index + 1) } }))
}

/** `film.mp4` becomes `film-1.mp4`. */
function numbered(name: string | null, number: number): string {
  const [, bare = 'video', extension = ''] = /^(.*?)(\.[^.]*)?$/s.exec(name ?? 'video') ?? []
  return `${bare}-${number}${extension}`
}

export const addWatermark = defineOperation({
  id: 'Video.AddWatermark',
  category: 'Files',
  description: 'Gives the video with a picture on it.',
  effect: 'waits',
  params: {
    watermark: required('document', { description: 'The document with the picture' }),
    x: optional('string', { description: 'Pixels from the left' }),
    y: optional('string', { description: 'Pixels from above' }),
    xpath,
  },
  run: (builders) =>
    methodsFor(builders, async (context, file, { watermark, x, y }) => {
      const parameters = told('watermark', { x, y })
      return converted(context, file, editing, { parameters, attached: [await fileAt(context, watermark, undefined)] })
    }),
})

export const concat = defineOperation({
  id: 'Video.Concat',
  category: 'Files',
  description: 'Joins videos into one, in the size of the first.',
  effect: 'waits',
  params: { xpath },
  run: ({ on }) => [
    on('bloblist', 'blob', (files, { context }) => joined(context, files)),
    on('documents', 'blob', async (documents, { context, params }) => {
      const files: FlowingBlob[] = []
      for (const document of documents) files.push(await fileAt(context, document, params.xpath))
      return joined(context, files)
    }),
  ],
})

async function joined(context: OperationContext, [first, ...attached]: readonly FlowingBlob[]): Promise<FlowingBlob> {
  if (first === undefined) throw nothingToJoin({})
  return converted(context, first, editing, { parameters: told('concat', {}), attached })
}

export const extractCaptions = defineOperation({
  id: 'Video.ExtractClosedCaptions',
  category: 'Conversion',
  description: 'Gives what is said in the video as text, where it comes with subtitles or captions.',
  effect: 'waits',
  params: {
    outFormat: optional('string', { values: ['ttxt', 'srt', 'txt'], widget: 'Option', description: 'srt when absent' }),
    startAt: optional('string', { description: 'Only what is shown from then on: 90 or 00:01:30' }),
    endAt: optional('string', { description: 'Only what is shown before' }),
    xpath,
  },
  run: (builders) =>
    methodsFor(builders, async (context, file, { outFormat, startAt, endAt }) => {
      const parameters = told('captions', { outFormat, startAt, endAt })
      try {
        const { blob, ...made } = await converted(context, file, editing, { parameters })
        const name = (blob.name ?? 'captions').replace(/\.[^.]*$/, `.${parameters['outFormat'] || 'srt'}`)
        return { ...made, blob: { ...blob, name } }
      } catch (error) {
        if (nothingConverted.is(error)) return undefined
        throw error
      }
    }),
})
