import { readFile } from 'node:fs/promises'
import { mainFile } from '../../core/blobs/document-blobs.ts'
import { storeFile } from '../../core/blobs/store-file.ts'
import { conversionSettings } from '../../core/conversion/conversion-settings.ts'
import type { PictureReport } from '../../core/conversion/picture-report.ts'
import type { ConvertedFile } from '../../core/conversion/process/conversion-messages.ts'
import { conversionSource } from '../../core/conversion/run-conversion.ts'
import { bringsFile, type Derivation, type DerivedFrom, findFile, isFinal, saveDerived } from '../../core/derived-files.ts'
import type { InlineListener, Repository } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type BlobValue, isUnset, type Properties, type PropertyValue, sameValue } from '../../model/properties/property.ts'
import type { Services } from '../../rest/services.ts'
import { cameraProperties, metadataFrom } from './picture-metadata.ts'
import { usualViews, type ViewTemplate, viewFileName, viewTemplatesIn } from './picture-views.ts'
import { viewsProperty } from './stored-views.ts'

export const viewsDone = 'pictureViewsGenerationDone'
export const pictureFacetName = 'Picture'
export const pictureViewsKind = 'makePictureViews'
const infoProperty = 'picture:info'

/** With another file a picture has neither the views nor the facts of the old one; what the caller sets stays (contract: blobs 10.3). */
export const forgetOldViews: InlineListener = {
  name: 'pictureViews',
  when: 'inline',
  events: ['aboutToCreate', 'beforeDocumentModification'],
  changes: ({ name }) => name === mainFile,
  handle(event, { model }) {
    const { document, options, properties } = event
    const isPicture = model.shapeOf(document).hasFacet(pictureFacetName)
    if (options.media === false || document.isVersion || !isPicture || !bringsFile(event)) return undefined
    const before = (properties['previousDocumentModel'] as Document | undefined)?.properties
    const forgotten = before === undefined ? factsOfNothing(document) : factsLeft(before, document)
    const cleared = Object.fromEntries(forgotten.map((name) => [name, name === viewsProperty ? [] : null]))
    return { ...document, properties: { ...document.properties, ...cleared } }
  },
}

/** Who creates a picture with views of its own knows what it is. */
function factsOfNothing(document: Document): readonly string[] {
  return isUnset(document.properties[viewsProperty]) && findFile(document) !== undefined ? [infoProperty] : []
}

function factsLeft(before: Properties, { properties }: Document): readonly string[] {
  const isLeft = (name: string) => sameValue(before[name], properties[name]) && !isUnset(properties[name])
  return [viewsProperty, infoProperty, ...cameraProperties].filter(isLeft)
}

type Means = Pick<Services, 'conversions' | 'valuesOf' | 'log'>

/** The views and facts of a picture that has none yet. */
export const viewsDerivation = (means: Means): Derivation => ({
  kind: pictureViewsKind,
  isAwaited: (document, _, model) =>
    model.shapeOf(document).hasFacet(pictureFacetName) &&
    isUnset(document.properties[viewsProperty]) &&
    means.valuesOf(conversionSettings).conversionInBackground,
  async make(found, repository, told) {
    try {
      await makeViews(means, found, repository, { templates: viewTemplatesIn(told as PropertyValue) })
    } catch (err) {
      if (!isFinal(err, repository)) throw err
      const about = { event: 'pictureViews.failed', document: found.document.id, mimeType: found.file['mime-type'], err }
      means.log[err.kind === 'failed' ? 'warn' : 'info'](about, 'no views could be made of a picture')
    }
  },
})

export interface ViewsWish {
  /** Those of its folder, or the usual ones, when absent. */
  readonly templates?: readonly ViewTemplate[] | undefined
  /** Also where it has views already. */
  readonly isAnew?: boolean
}

/** Makes the views of a picture and reads what its file tells. @throws what converting throws */
export async function makeViews(
  { conversions }: Pick<Means, 'conversions'>,
  found: DerivedFrom,
  repository: Repository,
  { templates, isAnew = false }: ViewsWish = {},
): Promise<void> {
  const { document, file } = found
  const views = templates ?? (await templatesOfFolder(document, repository)) ?? usualViews
  const source = conversionSource(repository, { blob: file })
  const parameters = { views: JSON.stringify(views.map(({ maxSize }) => maxSize)) }
  const use = (files: readonly ConvertedFile[]) => storeViews(repository, file, views, files)
  const made = await conversions.convertFor(source, { converter: 'pictureViews' }, use, { parameters, isBackground: true })
  await saveDerived(
    repository,
    found,
    (current, { model }) => {
      if (!isAnew && !isUnset(current.properties[viewsProperty])) return undefined
      const { properties: known } = model.shapeOf(current)
      const told = {
        [viewsProperty]: made.views,
        [infoProperty]: { ...made.report.info },
        ...metadataFrom(made.report.tags, current),
      }
      return { properties: Object.fromEntries(Object.entries(told).filter(([property]) => known.has(property))) }
    },
    viewsDone,
  )
}

/** A picture book says which views the pictures in it have. */
async function templatesOfFolder({ parentId }: Document, { store }: Repository): Promise<readonly ViewTemplate[] | undefined> {
  const folder = parentId === null ? undefined : await store.reader.documents.find(parentId)
  return folder && viewTemplatesIn(folder.properties['picturebook:picturetemplates'])
}

interface StoredViews {
  readonly report: PictureReport
  readonly views: readonly PropertyValue[]
}

async function storeViews(
  { blobs }: Repository,
  source: BlobValue,
  templates: readonly ViewTemplate[],
  [reportFile, ...files]: readonly ConvertedFile[],
): Promise<StoredViews> {
  const report = JSON.parse(await readFile(reportFile?.path ?? '', 'utf8')) as PictureReport
  const left = [...files]
  const views: PropertyValue[] = []
  for (const [index, { title, description, tag }] of templates.entries()) {
    const told = report.views[index]
    const made = told === undefined || told.isSource ? undefined : left.shift()
    if (told === undefined || (made === undefined && !told.isSource)) continue
    const filename = viewFileName(title, source.name)
    const bytes = made === undefined ? source : await storeFile(blobs, made.path)
    const content: BlobValue = { ...bytes, name: filename, 'mime-type': 'image/jpeg', encoding: null }
    const { width, height } = told.info
    views.push({ title, description, tag, height, width, filename, content, info: { ...told.info } })
  }
  return { report, views }
}
