import type { Document } from '../../model/document.ts'
import { accessIn } from '../access.ts'
import { announce } from '../event.ts'
import type { Repository, Session, WriteSession } from '../session.ts'
import { shortRemark } from '../short-text.ts'

/** What listeners hear of a download. */
export interface DownloadNote {
  readonly document: Document
  readonly fileName: string
  readonly properties: {
    readonly blobXPath: string | null
    readonly blobFilename: string
    readonly downloadReason: string
    readonly rendition?: string
    /** Where the client was sent for the bytes. */
    readonly redirect?: string
    /** What the client says it is for. */
    readonly clientReason?: string
  }
}

export const downloadEvent = 'download'

/**
 * Tells listeners of a download, before its first byte is sent: one that throws stops it, and what one writes is committed. Where
 * there is no listener nothing is done, as a download has nothing else to commit.
 */
export async function announceDownloadEvent(session: Session, { document, fileName, properties }: DownloadNote): Promise<void> {
  const { repository } = session
  if (!isListenedTo(repository)) return
  const tell = (telling: WriteSession) =>
    announce(telling, downloadEvent, document, { comment: shortRemark(fileName), properties })
  await accessIn(session).write(tell)
}

function isListenedTo({ listeners }: Repository): boolean {
  const all = [listeners.inline(downloadEvent), listeners.afterCommit(downloadEvent), listeners.asynchronous(downloadEvent)]
  return all.some((some) => some.length > 0)
}
