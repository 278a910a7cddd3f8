import { madeBlob } from '../../automation/values/flowing-blob.ts'
import { decodeText } from '../../base/decoded-text.ts'
import { firstBytes } from '../../base/first-bytes.ts'
import { plainFileName } from '../../base/plain-file-name.ts'
import { Problem } from '../../base/problem.ts'
import { type BlobContent, openBlob } from '../../core/blobs/open-blob.ts'
import type { ConversionTarget } from '../../core/conversion/conversions.ts'
import {
  type ConversionParameters,
  converterUnavailable,
  converterUnknown,
  noConverter,
  sourceTypeRefused,
} from '../../core/conversion/converter.ts'
import type { Session } from '../../core/session.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { actingName } from '../../model/rights/principal.ts'
import type { Services } from '../../rest/services.ts'
import { contentPolicy, imageBody, pdfBody, previewPage, soundBody, textBody, videoBody, viewerPolicy } from './preview-page.ts'
import type { PreviewSource } from './preview-source.ts'

export interface PreviewCall {
  readonly services: Pick<Services, 'conversions'>
  readonly session: Session
  readonly signal: AbortSignal
  /** What addresses of parts begin with, seen from the page. */
  readonly toParts: string
  /** The whole address of the folder of the parts, for what a page may load. */
  readonly folder: string
}

/** A page, and the files that belong to it, by the names under which they lie beside it. */
export interface Preview {
  readonly page: BlobContent
  /** What the page may load. */
  readonly policy: string
  readonly parts: ReadonlyMap<string, BlobContent>
}

/** What is shown as a picture, where something here can draw it. */
const pictures = /^image\/|^application\/(?:photoshop|illustrator|postscript|eps|x-eps)$/
/** Those that browsers show by themselves. */
const shownPictures = /^image\/(?:jpeg|png|gif|webp|avif|bmp|svg\+xml|x-icon|apng)$/
const printed = /^application\/(?:rtf|msword|wordperfect|vnd\.(?:ms-|openxmlformats|oasis|sun\.xml|apple\.))|^text\/rtf$/

/** Contract: blobs 8. Undefined where there is no way to show the file. */
export async function makePreview(call: PreviewCall, source: PreviewSource): Promise<Preview | undefined> {
  const type = (source.blob['mime-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const { name } = source.blob
  try {
    if (pictures.test(type)) return await previewPicture(call, source, type)
    if (type === 'application/pdf') return viewer(call, name, 'pdf', source, pdfBody)
    if (type.startsWith('video/')) return previewVideo(call, source)
    if (type.startsWith('audio/')) return viewer(call, name, 'sound', source, soundBody)
    if (type === 'text/plain' || type === 'text/partial') return await previewText(call, source)
    if (type === 'application/zip') return await previewConverted(call, source, { converter: 'zip2html' })
    return (
      (printed.test(type) ? await previewPrinted(call, source) : undefined) ??
      (await previewConverted(call, source, { converter: 'any2html' }))
    )
  } catch (error) {
    // What the file lacks for a preview is no mistake of the client. What it waits for longer than it wants to is.
    if (error instanceof Problem && !call.signal.aborted) return undefined
    throw error
  }
}

type Body = (address: string, title: string | null) => string

function viewer(call: PreviewCall, title: string | null, part: string, content: BlobContent, body: Body): Preview {
  return {
    page: pageOf(title, body(`${call.toParts}${part}`, title)),
    policy: viewerPolicy(call.folder),
    parts: new Map([[part, content]]),
  }
}

// As large as the view that pictures are shown with.
const shownSize = { width: '1920', height: '1920' }

async function previewPicture(call: PreviewCall, source: PreviewSource, type: string): Promise<Preview> {
  const shown = shownPictures.test(type) ? source : await convertFirst(call, source, { type: 'image/png' }, shownSize)
  return viewer(call, source.blob.name, 'image', shown, imageBody)
}

function previewVideo(call: PreviewCall, source: PreviewSource): Preview {
  const videos = source.alternatives ?? [source]
  const parts = new Map(videos.map((video, index) => [plainFileName(video.blob.name ?? '') || `video-${index}`, video]))
  const shown = [...parts].map(([name, { blob }]) => ({
    address: `${call.toParts}${encodeURIComponent(name)}`,
    type: blob['mime-type'] ?? 'video/mp4',
  }))
  return { page: pageOf(source.blob.name, videoBody(shown)), policy: viewerPolicy(call.folder), parts }
}

// As much as anybody looks at, and no burden for who serves it.
const shownBytes = 1024 ** 2

async function previewText({ session, folder }: PreviewCall, source: PreviewSource): Promise<Preview> {
  const stream = await openBlob(session.repository.blobs, source)
  try {
    const start = await firstBytes(stream, shownBytes)
    const text = decodeText(start, source.blob.encoding) + (start.isCut ? '\n…' : '')
    return { page: pageOf(source.blob.name, textBody(text)), policy: contentPolicy(folder), parts: new Map() }
  } finally {
    stream.destroy()
  }
}

/** As it would be printed, where something here can print it. */
async function previewPrinted(call: PreviewCall, source: PreviewSource): Promise<Preview | undefined> {
  try {
    return viewer(call, source.blob.name, 'pdf', await convertFirst(call, source, { type: 'application/pdf' }), pdfBody)
  } catch (error) {
    if ([noConverter, converterUnavailable, converterUnknown, sourceTypeRefused].some(({ is }) => is(error))) return undefined
    throw error
  }
}

async function previewConverted(
  call: PreviewCall,
  source: PreviewSource,
  target: ConversionTarget,
): Promise<Preview | undefined> {
  const [page, ...others] = await convert(call, source, target)
  if (page === undefined) return undefined
  const parts = new Map(others.map((blob) => [blob.name ?? '', { blob }]))
  return { page: { blob: page }, policy: contentPolicy(call.folder), parts }
}

async function convertFirst(
  call: PreviewCall,
  source: PreviewSource,
  target: ConversionTarget,
  parameters: ConversionParameters = {},
): Promise<BlobContent> {
  const [blob] = await convert(call, source, target, parameters)
  return blob === undefined ? source : { blob }
}

function convert(
  { services, session, signal }: PreviewCall,
  source: PreviewSource,
  target: ConversionTarget,
  parameters: ConversionParameters = {},
): Promise<readonly BlobValue[]> {
  const { repository, principal } = session
  return services.conversions.convert({ repository, source, target, parameters, user: actingName(principal), signal })
}

function pageOf(title: string | null, body: string): BlobContent {
  return madeBlob(previewPage(title, body), { name: 'index.html', mimeType: 'text/html' })
}
