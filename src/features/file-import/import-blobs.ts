import type { OperationContext } from '../../automation/context.ts'
import { type FlowingBlob, storedBlob } from '../../automation/values/flowing-blob.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type FileImport, importFile, prepareImport } from './import-file.ts'
import { storedFile } from './source-file.ts'

/** Where the files of an operation go, and how. */
export interface BlobsImport extends Omit<FileImport, 'parent'> {
  readonly checksMimeType?: boolean
  /** Looked up in each transaction. */
  readParent(session: Session): Promise<Document>
}

/**
 * Makes a document of each file, in the transaction that is open or, where none is, in one of its own: then a file that cannot be
 * imported takes none of those before it back. What no importer takes is left out.
 * @throws what `importFile` throws
 */
export async function importBlobs(
  context: OperationContext,
  blobs: readonly FlowingBlob[],
  { readParent, checksMimeType = true, ...wanted }: BlobsImport,
): Promise<readonly Document[]> {
  const { session } = context
  const { repository } = session
  // Before anything is read of the files.
  await readParent(session)
  const documents: Document[] = []
  for (const blob of blobs) {
    const source = storedFile(repository.blobs, await storedBlob(repository, blob))
    const prepared = await prepareImport(context.services, source, { checksMimeType, signal: context.host.signal })
    if (prepared === undefined) continue
    const document = await context.write(async (writing) =>
      importFile(writing, prepared, { ...wanted, parent: await readParent(writing) }),
    )
    documents.push(document)
  }
  return documents
}
