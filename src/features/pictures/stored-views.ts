import type { StoredPicture } from '../../core/renditions/thumbnail-factory.ts'
import type { Document } from '../../model/document.ts'
import { isBlobValue, isComplexValue, type PropertyValue } from '../../model/properties/property.ts'

export const viewsProperty = 'picture:views'

/** A view of a document, with its file. */
export interface StoredView extends StoredPicture {
  readonly title: string
}

/** The views that a document has files of, in their order. */
export function listViews({ properties }: Document): readonly StoredView[] {
  const views = properties[viewsProperty]
  return (Array.isArray(views) ? views : []).flatMap((view: PropertyValue, index) => {
    if (!isComplexValue(view)) return []
    const { title, content = null, width, height } = view
    if (typeof title !== 'string' || !isBlobValue(content)) return []
    const longestSide = Math.max(Number(width ?? 0), Number(height ?? 0))
    return [{ title, blob: content, xpath: `${viewsProperty}/${index}/content`, ...(longestSide > 0 && { longestSide }) }]
  })
}

const shownInLists = ['Small', 'Thumbnail']

/** The view by which a document is shown in lists, or the smallest that is not smaller than was asked for (contract: blobs 9). */
export function findViewToShow(document: Document, size?: number): StoredPicture | undefined {
  const views = listViews(document)
  const usual = shownInLists.map((name) => views.find(({ title }) => title === name)).find((view) => view !== undefined)
  if (size === undefined || usual === undefined) return usual
  const bySize = views
    .filter(({ longestSide }) => longestSide !== undefined)
    .toSorted((left, right) => sideOf(left) - sideOf(right))
  return bySize.find((view) => sideOf(view) >= size) ?? bySize.at(-1) ?? usual
}

function sideOf({ longestSide = 0 }: StoredPicture): number {
  return longestSide
}
