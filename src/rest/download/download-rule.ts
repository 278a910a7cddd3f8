import { defineProblem } from '../../base/problem.ts'
import { mainFile } from '../../core/blobs/document-blobs.ts'
import type { BlobContent } from '../../core/blobs/open-blob.ts'
import { mayRead } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { isBlobValue } from '../../model/properties/property.ts'

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
  /** Below which nginx has the folder of the files, if it hands them over itself. */
  readonly handOffLocation?: string
  /** Documents show the address at the store as that of a file. */
  readonly showsStoreAddresses: boolean
  /** What could run in the browser is kept from it. */
  readonly sandboxesActiveContent: boolean
}

export const downloadRefused = defineProblem('downloadRefused', 'forbidden', (_: object) => 'Permission denied')

/**
 * Whether every rule lets the caller have the blob. That the document may be read was checked when it was. What has the bytes of the
 * document's main file is asked for as that, too: of a small picture some views are the file itself, and a rule about the file
 * knows nothing of them.
 */
export async function mayDownload(rules: readonly DownloadRule[], session: Session, download: Download): Promise<boolean> {
  const asked = [download, ...mainFileIn(download)]
  for (const rule of rules) for (const one of asked) if (!(await rule.isAllowed(one, session))) return false
  return true
}

/** The same where the document was handed on by others, who may have found it with Browse alone: it has to be readable, too. */
export async function mayTake(rules: readonly DownloadRule[], session: Session, download: Download): Promise<boolean> {
  const { document } = download
  return (document === undefined || (await mayRead(session, document))) && mayDownload(rules, session, download)
}

/** The main file of the document, where the download is of its bytes from another place. */
function mainFileIn(download: Download): readonly Download[] {
  const { document, xpath, blob } = download
  const main = document?.properties[mainFile]
  const isElsewhere = xpath !== mainFile && isBlobValue(main) && main.key === blob.key
  return isElsewhere ? [{ ...download, blob: main, xpath: mainFile }] : []
}
