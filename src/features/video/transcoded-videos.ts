import { isJsonObject, type Json } from '../../base/json.ts'
import type { DocumentBlob } from '../../core/blobs/document-blobs.ts'
import { nothingConverted } from '../../core/conversion/run-conversion.ts'
import { type Derivation, type DerivedFrom, isFinal, saveDerived } from '../../core/derived-files.ts'
import type { Repository } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { isBlobValue, isComplexValue, type Properties } from '../../model/properties/property.ts'
import { noVideoInfo } from './ffmpeg/video-facts.ts'
import { infoValue, readInfo, type VideoMeans } from './read-video.ts'
import { transcodedProperty, videoFacetName } from './video-model.ts'

/** A format in which a video can be had beside its own. */
interface VideoConversion {
  readonly converter: string
  readonly height: number
  /** Made of each video that comes. */
  readonly isAutomatic: boolean
}

/** Contract: blobs 11.2. */
export const videoConversions: ReadonlyMap<string, VideoConversion> = new Map([
  ['MP4 480p', { converter: 'convertToMP4', height: 480, isAutomatic: true }],
  ['WebM 480p', { converter: 'convertToWebM', height: 480, isAutomatic: true }],
  ['Ogg 480p', { converter: 'convertToOgg', height: 480, isAutomatic: false }],
])

export const automaticConversions: readonly string[] = [...videoConversions]
  .filter(([, { isAutomatic }]) => isAutomatic)
  .map(([name]) => name)

export const convertVideoKind = 'convertVideo'
export const conversionsDone = 'videoConversionsDone'

/** The other formats of a video, one after the other; when the last is there, or cannot be made, listeners are told. */
export const transcodingDerivation = (means: VideoMeans): Derivation => ({
  kind: convertVideoKind,
  isAwaited: (document, _, model) => model.shapeOf(document).hasFacet(videoFacetName),
  make: (found, repository, told) => transcodeVideo(means, found, repository, { names: namesIn(told) }),
})

function namesIn(told: Json): readonly string[] {
  const names = isJsonObject(told) ? told['names'] : undefined
  return Array.isArray(names) ? names.map(String) : []
}

export interface TranscodingWish {
  readonly names: readonly string[]
  /** Also those that are there already. */
  readonly isAnew?: boolean
}

/** Those that cannot be made are logged and left out. @throws what another attempt may not throw */
export async function transcodeVideo(
  means: VideoMeans,
  found: DerivedFrom,
  repository: Repository,
  { names, isAnew = false }: TranscodingWish,
): Promise<void> {
  const there = new Set(isAnew ? [] : listTranscoded(found.document).map(({ name }) => name))
  for (const name of names) {
    if (there.has(name)) continue
    try {
      await transcode(means, found, repository, name)
    } catch (err) {
      if (!isFinal(err, repository)) throw err
      const about = { event: 'video.notConverted', document: found.document.id, conversion: name, err }
      means.log.warn(about, 'a video could not be had in another format')
    }
  }
  await saveDerived(repository, found, () => ({ properties: {} }), conversionsDone)
}

async function transcode(means: VideoMeans, found: DerivedFrom, repository: Repository, name: string): Promise<void> {
  const { converter = '', height = 0 } = videoConversions.get(name) ?? {}
  const [content] = await means.conversions.convert({
    repository,
    source: { blob: found.file },
    target: { converter },
    parameters: { height: String(height) },
    isBackground: true,
  })
  if (content === undefined) throw nothingConverted({ converter })
  const info = (await readInfo(means, repository, content)) ?? noVideoInfo
  await saveDerived(repository, found, ({ properties }) => ({
    properties: { [transcodedProperty]: withTranscoded(properties, { name, content, info: infoValue(info) }) },
  }))
}

/** In place of the one with its name. */
function withTranscoded(properties: Properties, made: Properties): readonly Properties[] {
  const { [transcodedProperty]: listed = null } = properties
  const videos = (Array.isArray(listed) ? listed : []).filter(isComplexValue)
  const place = videos.findIndex(({ name }) => name === made['name'])
  return place === -1 ? [...videos, made] : videos.with(place, made)
}

/** A format in which a video is there. */
export interface TranscodedVideo extends DocumentBlob {
  readonly name: string
}

export function listTranscoded({ properties }: Document): readonly TranscodedVideo[] {
  const { [transcodedProperty]: listed = null } = properties
  return (Array.isArray(listed) ? listed : []).flatMap((video, index) => {
    if (!isComplexValue(video)) return []
    const { name, content = null } = video
    if (typeof name !== 'string' || !isBlobValue(content)) return []
    return [{ name, blob: content, xpath: `${transcodedProperty}/${index}/content` }]
  })
}
