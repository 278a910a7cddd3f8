import { systemAccess } from '../../core/access.ts'
import { mainFile } from '../../core/blobs/document-blobs.ts'
import { conversionSettings } from '../../core/conversion/conversion-settings.ts'
import { acceptsType } from '../../core/conversion/converter.ts'
import { bringsFile, type Derivation, enqueueDerivation, isFinal } from '../../core/derived-files.ts'
import { plainMimeType } from '../../core/file-texts/text-extractor.ts'
import type { InlineListener } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import { type BlobValue, isUnset } from '../../model/properties/property.ts'
import { readVideo, type VideoMeans } from './read-video.ts'
import { automaticConversions, convertVideoKind } from './transcoded-videos.ts'
import { videoTypes } from './video-converters.ts'
import { infoProperty, storyboardProperty, transcodedProperty, videoFacetName, viewsProperty } from './video-model.ts'

/** With another file a video has nothing of what was made of the old one (contract: blobs 11.2). */
export const forgetOldVideo: InlineListener = {
  name: 'forgetOldVideo',
  when: 'inline',
  events: ['beforeDocumentModification'],
  changes: ({ name }) => name === mainFile,
  handle(event, { model }) {
    const { document, options } = event
    if (options.media === false || document.isVersion || !isVideo(document, model) || !bringsFile(event)) return undefined
    const forgotten = { [infoProperty]: null, [storyboardProperty]: [], [transcodedProperty]: [], [viewsProperty]: [] }
    return { ...document, properties: { ...document.properties, ...forgotten } }
  },
}

function isVideo(document: Document, model: Model): boolean {
  return model.shapeOf(document).hasFacet(videoFacetName)
}

/** What is known of a video and how it looks, and then its other formats. */
export const videoDerivation = (means: VideoMeans): Derivation => ({
  kind: 'readVideo',
  isAwaited: (document, file, model) =>
    isVideo(document, model) &&
    isReadable(file) &&
    (isUnset(document.properties[infoProperty]) || isUnset(document.properties[viewsProperty])) &&
    means.valuesOf(conversionSettings).conversionInBackground,
  async make(found, repository) {
    try {
      const { width } = await readVideo(means, found, repository)
      // What shows nothing shows nothing in other formats either.
      if (width === 0) return
      await systemAccess(repository).write((session) =>
        enqueueDerivation(session, convertVideoKind, found, { names: automaticConversions }),
      )
    } catch (err) {
      if (!isFinal(err, repository)) throw err
      const about = { event: 'video.unread', document: found.document.id, mimeType: found.file['mime-type'], err }
      means.log.warn(about, 'nothing could be read from a video')
    }
  },
})

function isReadable({ 'mime-type': type }: BlobValue): boolean {
  return acceptsType(videoTypes, plainMimeType(type ?? ''))
}
