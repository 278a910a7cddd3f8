import { defineProblem } from '../../base/problem.ts'
import type { BlobContent } from '../../core/blobs/open-blob.ts'
import { mayRead } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'

/** Why a blob is downloaded; rules may tell the reasons apart, and the log shows them. */
export type DownloadReason = 'download' | 'rendition' | 'preview' | 'webengine'

export interface Download extends BlobContent {
  /** What the blob belongs to: rules, dates and events are about it. */
  readonly document?: Document
  readonly xpath?: string
  /** Instead of the blob's own. */
  readonly name?: string
  readonly reason: DownloadReason
  readonly rendition?: string
  /** Made of more than the document, whose date says nothing about it. */
  readonly isUndated?: boolean
  /** The next answer may be another: nobody keeps this one, and it has no tag to compare. */
  readonly isPassing?: boolean
  /** Digest of the file that it was made of, which stands for it in an address. */
  readonly madeOf?: string
  /** Files of other documents that it is made of: they are downloaded with it. */
  readonly contains?: readonly Download[]
  /** Listeners are not told of it. */
  readonly isSilent?: boolean
  /** What the page may load, instead of what pages may that somebody stored. */
  readonly policy?: string
  /** Shown in the browser whatever the query says. */
  readonly isInline?: boolean
}

/**
 * Refuses downloads to people who may read the document. One that says no is enough.
 * @example
 * const noDrafts: DownloadRule = {
 *   name: 'noDrafts',
 *   isAllowed: ({ document }, { principal }) => document?.state !== 'draft' || principal.isAdministrator,
 * }
 */
export interface DownloadRule {
  readonly name: string
  isAllowed(download: Download, session: Session): boolean | Promise<boolean>
}

/** How files are handed over. */
export interface DownloadSettings {
  readonly rules: readonly DownloadRule[]
  /** Clients are sent to the store for the bytes, where it has an address for them. */
  readonly sendsToStore: boolean
  /** Documents show the address at the store as that of a file. */
  readonly showsStoreAddresses: boolean
  /** What could run in the browser is kept from it. */
  readonly sandboxesActiveContent: boolean
}

export const downloadRefused = defineProblem('downloadRefused', 'forbidden', (_: object) => 'Permission denied')

/** Whether every rule lets the caller have the blob. That the document may be read was checked when it was. */
export async function mayDownload(rules: readonly DownloadRule[], session: Session, download: Download): Promise<boolean> {
  for (const rule of rules) if (!(await rule.isAllowed(download, session))) return false
  return true
}

/** The same where the document was handed on by others, who may have found it with Browse alone: it has to be readable, too. */
export async function mayTake(rules: readonly DownloadRule[], session: Session, download: Download): Promise<boolean> {
  const { document } = download
  return (document === undefined || (await mayRead(session, document))) && mayDownload(rules, session, download)
}
