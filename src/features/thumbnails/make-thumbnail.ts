import { mainFile } from '../../core/blobs/document-blobs.ts'
import { conversionSettings } from '../../core/conversion/conversion-settings.ts'
import { bringsFile, type Derivation, type DerivedFrom, findFile, isFinal, saveDerived } from '../../core/derived-files.ts'
import { thumbnailProperty } from '../../core/renditions/thumbnail-factory.ts'
import type { DocumentEvent, InlineListener, Repository } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import { withFacet, withOwnFacets, withoutFacet } from '../../model/own-facets.ts'
import { type BlobValue, isUnset, sameValue } from '../../model/properties/property.ts'
import type { Services } from '../../rest/services.ts'
import { thumbnailFacetName } from './thumbnail-model.ts'

type Means = Pick<Services, 'thumbnails' | 'valuesOf' | 'log'>

/**
 * A document whose file can be shown has the facet at once, and its picture later; one whose file was replaced or removed loses the
 * picture of the old one (contract: blobs 9). Where nothing could come of the file it is not given the facet in the first place.
 */
export const markForThumbnail = (means: Means): InlineListener => ({
  name: 'thumbnails',
  when: 'inline',
  events: ['aboutToCreate', 'aboutToImport', 'beforeDocumentModification'],
  order: 999,
  changes: ({ name }) => name === mainFile,
  handle(event, { model }) {
    const { document, options } = event
    if (options.media === false || document.isVersion || document.isProxy || !bringsFile(event)) return undefined
    return planMark(event, model, canBeMade(means, document, model))
  },
})

function planMark(event: DocumentEvent, model: Model, isMade: boolean): Document | undefined {
  const { document } = event
  const has = model.shapeOf(document).hasFacet(thumbnailFacetName)
  if (!isMade && !has) return undefined
  if (isSetByCaller(event)) return undefined
  if (isMade) return withPicture(withOwnFacets(model, document, withFacet(model, document, thumbnailFacetName)), null)
  // With another file it will have none; without a file it may get another one.
  const isEmpty = findFile(document) === undefined
  return isEmpty ? withPicture(document, null) : withOwnFacets(model, document, withoutFacet(model, document, thumbnailFacetName))
}

function isSetByCaller({ document, properties }: DocumentEvent): boolean {
  const picture = document.properties[thumbnailProperty] ?? null
  const before = properties['previousDocumentModel'] as Document | undefined
  return !isUnset(picture) && !sameValue(before?.properties[thumbnailProperty], picture)
}

function withPicture(document: Document, picture: BlobValue | null): Document {
  return { ...document, properties: { ...document.properties, [thumbnailProperty]: picture } }
}

function canBeMade({ thumbnails, valuesOf }: Means, document: Document, model: Model): boolean {
  const file = findFile(document)
  if (file === undefined || !valuesOf(conversionSettings).conversionInBackground) return false
  return thumbnails.factoryFor(model.shapeOf(document)).canMake?.(file) ?? false
}

/** The picture of a document that has the facet and no picture yet. */
export const thumbnailDerivation = (means: Means): Derivation => ({
  kind: 'makeThumbnail',
  isAwaited: (document, _, model) =>
    model.shapeOf(document).hasFacet(thumbnailFacetName) && isUnset(document.properties[thumbnailProperty] ?? null),
  async make(found, repository) {
    try {
      await makeThumbnail(means, found, repository)
    } catch (err) {
      if (!isFinal(err, repository)) throw err
      const { document, file } = found
      const about = { event: 'thumbnail.failed', document: document.id, mimeType: file['mime-type'], err }
      means.log[err.kind === 'failed' ? 'warn' : 'info'](about, 'no thumbnail could be made of a file')
      await saveThumbnail(repository, found, undefined)
    }
  },
})

/** Makes the picture of a document as its kind is shown, whether it has one or not. Gives whether it has one now. */
export async function makeThumbnail({ thumbnails }: Means, found: DerivedFrom, repository: Repository): Promise<boolean> {
  const { canMake, make } = thumbnails.factoryFor(repository.model.shapeOf(found.document))
  const picture = make !== undefined && (canMake?.(found.file) ?? true) ? await make(found.file, repository) : undefined
  await saveThumbnail(repository, found, picture)
  return picture !== undefined
}

/** Without a picture the facet goes again. */
async function saveThumbnail(repository: Repository, found: DerivedFrom, picture: BlobValue | undefined): Promise<void> {
  await saveDerived(repository, found, (current, { model }) =>
    picture === undefined
      ? { properties: {}, facets: withoutFacet(model, current, thumbnailFacetName) }
      : { properties: { [thumbnailProperty]: picture }, facets: withFacet(model, current, thumbnailFacetName) },
  )
}
