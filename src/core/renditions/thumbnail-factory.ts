import type { Document } from '../../model/document.ts'
import { type BlobValue, isBlobValue } from '../../model/properties/property.ts'
import type { Shape } from '../../model/shape.ts'
import type { Repository } from '../session.ts'

/** A picture that a document has in one of its properties. */
export interface StoredPicture {
  readonly blob: BlobValue
  readonly xpath: string
  /** Its longest side in pixels, where that is known. */
  readonly longestSide?: number
}

/**
 * Says by which picture documents of a kind are shown in lists, and makes it of their main file. A document is the business of the first
 * factory whose facet it has, or else of the one without a facet.
 * @example
 * const stamps: ThumbnailFactory = {
 *   name: 'stamps',
 *   facet: 'Stamp',
 *   canMake: (file) => file['mime-type'] === 'image/png',
 *   make: async (file) => file,
 * }
 */
export interface ThumbnailFactory {
  readonly name: string
  /** What its documents have; absent for the one that is for all others. */
  readonly facet?: string
  /**
   * The picture by which the document is shown; undefined where that is its icon. With a size it may be a smaller one of several, whose
   * longest side is not below that. That in `thumb:thumbnail` when absent.
   */
  find?(document: Document, size?: number): StoredPicture | undefined
  /** Whether `make` could make something of such a file. Asked inside of transactions: it decides by what is known of the file. */
  canMake?(file: BlobValue): boolean
  /**
   * The picture that is then stored in `thumb:thumbnail`, made after the answer and outside of any transaction; undefined where there is
   * nothing to show. A problem that it throws is logged, and the document has none.
   */
  make?(file: BlobValue, repository: Repository): Promise<BlobValue | undefined>
}

/** Who shows documents of which kind. */
export interface Thumbnails {
  factoryFor(shape: Pick<Shape, 'hasFacet'>): ThumbnailFactory
}

export const thumbnailProperty = 'thumb:thumbnail'

/** As the document has it, whoever made it. */
export function findStoredThumbnail({ properties }: Document): StoredPicture | undefined {
  const { [thumbnailProperty]: blob = null } = properties
  return isBlobValue(blob) ? { blob, xpath: thumbnailProperty } : undefined
}

const showsNothing: ThumbnailFactory = { name: 'none' }

export function createThumbnails(factories: readonly ThumbnailFactory[]): Thumbnails {
  const special = factories.filter(({ facet }) => facet !== undefined)
  const usual = factories.find(({ facet }) => facet === undefined) ?? showsNothing
  return { factoryFor: ({ hasFacet }) => special.find(({ facet = '' }) => hasFacet(facet)) ?? usual }
}
