import assert from 'node:assert/strict'
import { readDocumentByPath } from '../../src/core/documents/read-document.ts'
import { type FileImport, importFile, prepareImport, storedFile } from '../../src/features/file-import/index.ts'
import type { Document } from '../../src/model/document.ts'
import type { TestServer } from '../../src/testing.ts'

export interface TestFile {
  readonly name: string | null
  readonly type?: string | null
  readonly content?: string | Uint8Array
  readonly encoding?: string
}

export interface ImportOptions extends Omit<FileImport, 'parent'> {
  /** The administrator unless told. */
  readonly user?: string
  readonly checksMimeType?: boolean
}

/** Imports a file that was uploaded, as operations do. */
export async function importTestFile(
  server: TestServer,
  path: string,
  { name, type = null, content = 'some text', encoding }: TestFile,
  { user = 'Administrator', checksMimeType, ...options }: ImportOptions = {},
): Promise<Document> {
  const repository = server.services.repositories.get('default')
  assert.ok(repository)
  const bytes = await repository.blobs.write(Buffer.from(content))
  const blob = { ...bytes, name, 'mime-type': type, encoding: encoding ?? null }
  const checks = checksMimeType === undefined ? {} : { checksMimeType }
  const prepared = await prepareImport(server.services, storedFile(repository.blobs, blob), checks)
  assert.ok(prepared, 'an importer takes the file')
  return server.inSession(user, async (session) =>
    importFile(session, prepared, { parent: await readDocumentByPath(session, path), ...options }),
  )
}
