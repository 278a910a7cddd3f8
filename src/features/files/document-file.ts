import type { OperationContext } from '../../automation/context.ts'
import { blobOfDocument, type FlowingBlob } from '../../automation/values/flowing-blob.ts'
import type { DocumentBlob } from '../../core/blobs/document-blobs.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { downloadRefused } from '../../rest/download/download-rule.ts'

export interface FileAccess {
  readonly session: Session
  readonly context: OperationContext
}

/** A file of a document for other steps, which can do with it what they like; undefined when the caller may not download it. */
export async function findTakenFile(
  access: FileAccess,
  document: Document,
  found: DocumentBlob,
): Promise<FlowingBlob | undefined> {
  const file = blobOfDocument(await asStored(access, document), found)
  return (await access.context.host.mayDownload(access.session, file)) ? file : undefined
}

/** @throws downloadRefused */
export async function readTakenFile(access: FileAccess, document: Document, found: DocumentBlob): Promise<FlowingBlob> {
  const file = await findTakenFile(access, document, found)
  if (file === undefined) throw downloadRefused({})
  return file
}

/** The caller may pass other properties than the document has; what decides about its files are those it has. */
async function asStored({ session, context }: FileAccess, document: Document): Promise<Document> {
  const waiting = context.unsaved.find(document.id)
  return waiting === undefined || waiting.isNew ? document : readDocument(session, document.id)
}
