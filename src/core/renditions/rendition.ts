import type { Document } from '../../model/document.ts'
import type { DocumentBlob } from '../blobs/document-blobs.ts'
import type { BlobContent } from '../blobs/open-blob.ts'
import type { Session } from '../session.ts'

/** A file of a document that becomes part of something else: it is downloaded with it. */
export interface TakenFile extends BlobContent, Partial<Pick<DocumentBlob, 'xpath'>> {
  readonly document: Document
  readonly rendition?: string
}

/** What a rendition is asked for with. */
export interface RenditionCall {
  /** Of who asks: nothing they may not read is in the result. */
  readonly session: Session
  /** As it is seen, which the caller may read. */
  readonly document: Document
  /** Fires when nobody waits for it any more. */
  readonly signal: AbortSignal
  /** Longest side of a picture in pixels, where smaller than it would be. */
  readonly size?: number
  /** Whether the rules for downloads let the caller have a file that is to be part of it. */
  mayTake(file: TakenFile): Promise<boolean>
  /** Tells listeners that a file became part of it; for one that is made of more documents than `contains` can hold. */
  tellTaken(file: TakenFile): Promise<void>
}

/** A document in another form. */
export interface RenderedFile extends BlobContent {
  /** Where in the document it is, if it is one of its files. */
  readonly xpath?: string
  /** Made of more than the document, whose date says nothing about it. */
  readonly isUndated?: boolean
  /** It tells how far the rendition is: the next answer may be another, and nobody keeps this one. */
  readonly isPassing?: boolean
  /** Digest of the file that it was made of: an address with it leads to the same picture for ever. */
  readonly madeOf?: string
  /** Files of other documents that are in it; listeners are told of them when it is sent. */
  readonly contains?: readonly TakenFile[]
}

/**
 * A form in which documents can be had: `/id/{uid}/@rendition/{name}`.
 * @example
 * const coverSheet: Rendition = {
 *   name: 'coverSheet',
 *   icon: 'text.png',
 *   mimeType: 'text/plain',
 *   isAvailable: (_, { type }) => type === 'Invoice',
 *   render: async ({ document }) => madeBlob(`For ${document.properties['dc:title']}`, { name: 'cover.txt', mimeType: 'text/plain' }),
 * }
 */
export interface Rendition {
  readonly name: string
  /** What clients of other protocols know it as: `cmis:thumbnail`. */
  readonly kind?: string
  /** The file of a picture below `/icons/`. */
  readonly icon: string
  /** What it mostly is; absent where that depends on the document. */
  readonly mimeType?: string
  /** Among those of a document lower comes first; behind all others when absent. */
  readonly order?: number
  /** Can be asked for, but is not listed. */
  readonly isHidden?: boolean
  /** Shown in lists rather than downloaded: listeners are not told each time. */
  readonly isGlance?: boolean
  /** Made once for each state of the document and stored as a document of its own. */
  readonly isStored?: boolean
  /**
   * Takes too long to wait for. Who asks for it first gets an empty file of the type `text/plain;empty=true`, and the rendition once it is
   * made in the background; that of an earlier state of the document has `;stale=true` in its type, and a failure is `text/plain;error=true`.
   * Operations wait for it.
   */
  readonly isLazy?: boolean
  /** Differs from one user to the other, so that of a stored or lazy one each has their own. */
  readonly isPerUser?: boolean
  isAvailable(session: Session, document: Document): boolean | Promise<boolean>
  /** Undefined where the document gives nothing to make it of, or the server lacks what would make it. */
  render(call: RenditionCall): Promise<RenderedFile | undefined>
}

/** Renditions that only a document itself tells: one for each view of a picture. They come behind the others, in this order. */
export interface RenditionProvider {
  readonly name: string
  listFor(session: Session, document: Document): readonly Rendition[] | Promise<readonly Rendition[]>
}
