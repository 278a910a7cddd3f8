import type { OperationContext } from '../../automation/context.ts'
import { blobOfDocument, type FlowingBlob } from '../../automation/values/flowing-blob.ts'
import type { DocumentBlob } from '../../core/blobs/document-blobs.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import type { Document } from '../../model/document.ts'
import { downloadRefused } from '../../rest/download/download-rule.ts'

/** A file of a document for other steps, which can do with it what they like; undefined when the caller may not download it. */
export async function findTakenFile(
  context: OperationContext,
  document: Document,
  found: DocumentBlob,
): Promise<FlowingBlob | undefined> {
  const file = blobOfDocument(await asStored(context, document), found)
  return (await context.host.mayDownload(context.session, file)) ? file : undefined
}

/** @throws downloadRefused */
export async function readTakenFile(context: OperationContext, document: Document, found: DocumentBlob): Promise<FlowingBlob> {
  const file = await findTakenFile(context, document, found)
  if (file === undefined) throw downloadRefused({})
  return file
}

/** The caller may pass other properties than the document has; what decides about its files are those it has. */
export async function asStored({ session, unsaved }: OperationContext, document: Document): Promise<Document> {
  const waiting = unsaved.find(document.id)
  return waiting === undefined || waiting.isNew ? document : readDocument(session, document.id)
}
