import { readFile } from 'node:fs/promises'
import { storeFile } from '../../core/blobs/store-file.ts'
import type { ConvertedFile } from '../../core/conversion/process/conversion-messages.ts'
import { conversionSource, fileNotConvertible, nothingConverted } from '../../core/conversion/run-conversion.ts'
import { type DerivedFrom, saveDerived } from '../../core/derived-files.ts'
import type { Repository } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type BlobValue, isComplexValue, isUnset, type Properties, type PropertyValue } from '../../model/properties/property.ts'
import type { Services } from '../../rest/services.ts'
import { noVideoInfo, secondsIn, type VideoInfo } from './ffmpeg/video-facts.ts'
import { videoSettings } from './settings.ts'
import { infoProperty, storyboardProperty, viewsProperty } from './video-model.ts'

/** What works on videos. */
export type VideoMeans = Pick<Services, 'conversions' | 'valuesOf' | 'log'>

export interface ReadingWish {
  /** Also what is there already. */
  readonly isAnew?: boolean
}

/**
 * Reads what is known of a video, and takes pictures of it. One that cannot be read has black ones. Gives what is known.
 * @throws what converting throws
 */
export async function readVideo(
  means: VideoMeans,
  found: DerivedFrom,
  repository: Repository,
  { isAnew = false }: ReadingWish = {},
): Promise<VideoInfo> {
  const { document, file } = found
  const known = isAnew ? undefined : findKnownInfo(document)
  const info = known ?? (await readInfo(means, repository, file)) ?? noVideoInfo
  if (known === undefined) await saveDerived(repository, found, () => ({ properties: { [infoProperty]: infoValue(info) } }))
  const shape = repository.model.shapeOf(document)
  if (!shape.hasFacet('HasStoryboard') || !shape.hasFacet('HasVideoPreview')) return info
  const isMissing = (name: string) => isAnew || isUnset(document.properties[name])
  const storyboard = isMissing(storyboardProperty) ? await makeStoryboard(means, repository, file, info) : undefined
  const views = isMissing(viewsProperty) ? await makeViews(means, repository, file) : undefined
  await saveDerived(repository, found, () => ({
    properties: {
      ...(storyboard !== undefined && { [storyboardProperty]: storyboard }),
      ...(views !== undefined && { [viewsProperty]: views }),
    },
  }))
  return info
}

/** Of a video whose size is known the rest is, too. */
function findKnownInfo({ properties }: Document): VideoInfo | undefined {
  const info = properties[infoProperty] ?? null
  if (!isComplexValue(info)) return undefined
  const { duration, width, height } = info
  if (!(Number(width) > 0 && Number(height) > 0)) return undefined
  return { ...noVideoInfo, duration: Number(duration ?? 0), width: Number(width), height: Number(height) }
}

/** As the property has it. */
export function infoValue({ streams, ...info }: VideoInfo): PropertyValue {
  return { ...info, streams: streams.map((stream) => ({ ...stream })) }
}

/** Undefined of what is no video. */
export async function readInfo(
  { conversions }: Pick<VideoMeans, 'conversions'>,
  repository: Repository,
  file: BlobValue,
): Promise<VideoInfo | undefined> {
  try {
    return await conversions.convertFor(
      conversionSource(repository, { blob: file }),
      { converter: 'videoInfo' },
      async ([made]) => JSON.parse(await readFile(made?.path ?? '', 'utf8')) as VideoInfo,
      { isBackground: true },
    )
  } catch (error) {
    if (fileNotConvertible.is(error)) return undefined
    throw error
  }
}

async function makeStoryboard(
  { conversions, valuesOf }: VideoMeans,
  repository: Repository,
  file: BlobValue,
  { duration }: VideoInfo,
): Promise<readonly PropertyValue[]> {
  const { videoStoryboardMinSeconds: least, videoStoryboardPictures: count } = valuesOf(videoSettings)
  if (least < 0 || duration < least || duration === 0) return []
  const parameters = { minDuration: String(least), count: String(count) }
  const use = async (files: readonly ConvertedFile[]) => {
    const pictures: Properties[] = []
    for (const [index, made] of files.entries()) {
      const content = await store(repository, made, made.name ?? '')
      pictures.push({ content, timecode: secondsIn(made.name), comment: `${file.name ?? ''} ${index}` })
    }
    return pictures
  }
  const target = { converter: 'videoStoryboard' }
  try {
    return await conversions.convertFor(conversionSource(repository, { blob: file }), target, use, {
      parameters,
      isBackground: true,
    })
  } catch (error) {
    // Its beginning could be read, and nothing that could be shown.
    if (fileNotConvertible.is(error) || nothingConverted.is(error)) return []
    throw error
  }
}

interface ViewReport {
  readonly title: string
  readonly width: number
  readonly height: number
}

function makeViews(
  { conversions, valuesOf }: VideoMeans,
  repository: Repository,
  file: BlobValue,
): Promise<readonly PropertyValue[]> {
  const parameters = { percent: String(valuesOf(videoSettings).videoPreviewPercent) }
  const use = async ([report, ...files]: readonly ConvertedFile[]) => {
    const reports = JSON.parse(await readFile(report?.path ?? '', 'utf8')) as readonly ViewReport[]
    const views: Properties[] = []
    for (const [index, { title, width, height }] of reports.entries()) {
      const made = files[index]
      if (made === undefined) continue
      const filename = `${title}_${bareName(file)}.jpg`
      const content = await store(repository, made, filename)
      const info = { width, height, depth: 8, format: 'JPEG', colorSpace: 'sRGB' }
      views.push({ title, description: null, tag: null, width, height, filename, content, info })
    }
    return views
  }
  return conversions.convertFor(conversionSource(repository, { blob: file }), { converter: 'videoViews' }, use, {
    parameters,
    isBackground: true,
  })
}

async function store({ blobs }: Repository, { path, mimeType }: ConvertedFile, name: string): Promise<BlobValue> {
  const written = await storeFile(blobs, path)
  return { ...written, name, 'mime-type': mimeType, encoding: null }
}

function bareName({ name }: BlobValue): string {
  return (name ?? 'video').replace(/\.[^./\\]*$/, '')
}
