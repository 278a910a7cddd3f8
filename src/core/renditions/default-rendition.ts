import type { Document } from '../../model/document.ts'
import type { Shape } from '../../model/shape.ts'

/** What a rendition is wanted for, when it is not named. */
export type RenditionReason = 'download' | 'publish'

export const containerRendition = 'containerDefaultRendition'
const main = 'mainBlob'
const pdf = 'pdf'
const xml = 'xmlExport'

/** The name of the rendition that is meant when none is named; undefined where there is none for the reason (contract: blobs 7.4). */
export function defaultRenditionName(
  { type }: Pick<Document, 'type'>,
  shape: Pick<Shape, 'hasFacet' | 'hasSchema'>,
  reason?: RenditionReason,
): string | undefined {
  switch (reason) {
    case undefined:
      return xml
    case 'download':
      if (isContainer(shape)) return containerRendition
      if (shape.hasSchema('file')) return main
      return type === 'Note' ? pdf : xml
    case 'publish':
      if (type === 'File' || type === 'Note') return pdf
      return shape.hasSchema('file') ? main : undefined
  }
}

export function isContainer(shape: Pick<Shape, 'hasFacet'>): boolean {
  return shape.hasFacet('Folderish') || shape.hasFacet('Collection')
}
