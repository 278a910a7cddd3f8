import { readFile } from 'node:fs/promises'
import { mainFile } from '../../core/blobs/document-blobs.ts'
import { conversionSettings } from '../../core/conversion/conversion-settings.ts'
import { acceptsType } from '../../core/conversion/converter.ts'
import { conversionSource, nothingConverted } from '../../core/conversion/run-conversion.ts'
import { bringsFile, type Derivation, isFinal, saveDerived } from '../../core/derived-files.ts'
import { plainMimeType } from '../../core/file-texts/text-extractor.ts'
import type { ThumbnailFactory } from '../../core/renditions/thumbnail-factory.ts'
import type { InlineListener, Repository } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type BlobValue, isUnset, sameValue } from '../../model/properties/property.ts'
import type { Services } from '../../rest/services.ts'
import { audioTypes } from './audio-converters.ts'
import { audioFacetName, durationProperty } from './audio-model.ts'

type Means = Pick<Services, 'conversions' | 'valuesOf' | 'log'>

/** Another recording is not as long as the one before it, unless the caller says so. */
export const forgetOldDuration: InlineListener = {
  name: 'forgetOldDuration',
  when: 'inline',
  events: ['beforeDocumentModification'],
  changes: ({ name }) => name === mainFile,
  handle(event, { model }) {
    const { document, options, properties } = event
    const isAudio = model.shapeOf(document).hasFacet(audioFacetName)
    if (options.media === false || document.isVersion || !isAudio || !bringsFile(event)) return undefined
    const before = properties['previousDocumentModel'] as Document | undefined
    const isOld = sameValue(before?.properties[durationProperty], document.properties[durationProperty])
    return isOld ? { ...document, properties: { ...document.properties, [durationProperty]: null } } : undefined
  },
}

function isRecording({ 'mime-type': type }: BlobValue): boolean {
  return acceptsType(audioTypes, plainMimeType(type ?? ''))
}

/** How long a recording is (contract: blobs 12). */
export const durationDerivation = (means: Means): Derivation => ({
  kind: 'readAudio',
  isAwaited: (document, file, model) =>
    model.shapeOf(document).hasFacet(audioFacetName) &&
    isRecording(file) &&
    isUnset(document.properties[durationProperty]) &&
    means.valuesOf(conversionSettings).conversionInBackground,
  async make(found, repository) {
    try {
      const seconds = await readDuration(means, found.file, repository)
      await saveDerived(repository, found, () => ({ properties: { [durationProperty]: Math.round(seconds) } }))
    } catch (err) {
      if (!isFinal(err, repository)) throw err
      const about = { event: 'audio.unread', document: found.document.id, mimeType: found.file['mime-type'], err }
      means.log.info(about, 'nothing could be read from a recording')
    }
  },
})

function readDuration({ conversions }: Means, file: BlobValue, repository: Repository): Promise<number> {
  const source = conversionSource(repository, { blob: file })
  const use = async ([made]: readonly { readonly path: string }[]) => {
    const { duration } = JSON.parse(await readFile(made?.path ?? '', 'utf8')) as { readonly duration: number }
    return duration
  }
  return conversions.convertFor(source, { converter: 'audioInfo' }, use, { isBackground: true })
}

/** A recording is shown by the picture on its cover (contract: blobs 9). */
export const coverFactory = (services: Pick<Services, 'conversions'>): ThumbnailFactory => ({
  name: 'audio',
  facet: audioFacetName,
  canMake: isRecording,
  async make(blob, repository) {
    try {
      const [picture] = await services.conversions.convert({
        repository,
        source: { blob },
        target: { converter: 'audioCover' },
        isBackground: true,
      })
      return picture
    } catch (error) {
      if (nothingConverted.is(error)) return undefined
      throw error
    }
  },
})
