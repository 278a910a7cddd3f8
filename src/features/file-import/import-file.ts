import { randomDecimal } from '../../base/ids.ts'
import { defineProblem } from '../../base/problem.ts'
import { shortFileName } from '../../base/short-file-name.ts'
import { findCharset } from '../../core/blobs/note-text.ts'
import { findStored } from '../../core/documents/read-document.ts'
import type { FileToImport, Importer, ImportRun } from '../../core/file-imports/importer.ts'
import { requirePermission } from '../../core/permissions.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { BlobValue, Properties } from '../../model/properties/property.ts'
import { sanitisedText } from '../../model/properties/value-bounds.ts'
import { anyBytes, baseName, detectDeclaredType, detectType, normalised, saysNothing } from '../mime-types/index.ts'
import type { SourceFile } from './source-file.ts'

/** A file of which everything was read that takes time. */
export interface PreparedImport {
  readonly fileName: string
  readonly importer: string
  readonly run: ImportRun
}

export interface FileImport {
  /** Where it goes; beside a document that is no folder. As read in the session's own transaction. */
  readonly parent: Document
  /** A document that exists already for this file is given its new content. Without it there will be two. */
  readonly overwrite?: boolean
  /** Set with the content, of the document that is made or overwritten. */
  propertiesFor?(document: Document): Properties | Promise<Properties>
}

export const noFolderToImport = defineProblem(
  'noFolderToImport',
  'invalid',
  (of: { id: string }) => `${of.id} is neither in a folder nor one, so no file can be imported there. Choose a folder.`,
)

/**
 * Finds out what a file is and has the first importer that takes it read what it needs: all that waits for something else than the
 * database, before the transaction. Undefined when no importer takes it.
 */
export async function prepareImport(
  { importers }: { readonly importers: readonly Importer[] },
  source: SourceFile,
  { checksMimeType = true, signal }: { readonly checksMimeType?: boolean; readonly signal?: AbortSignal } = {},
): Promise<PreparedImport | undefined> {
  const type = checksMimeType ? await detectDeclaredType(source, source.mimeType) : (source.mimeType ?? anyBytes)
  const file = { ...fileToImport(source, type), ...(signal && { signal }) }
  for (const importer of importers) {
    const run = isFor(importer, [file.mimeType, type]) ? await importer.prepare(file) : undefined
    if (run !== undefined) return { fileName: file.name, importer: importer.name, run }
  }
  return undefined
}

/**
 * Makes a document of a file that was prepared.
 * @throws privilegeMissing, typeNotAllowed, noFolderToImport
 */
export async function importFile(
  session: WriteSession,
  { fileName, importer, run }: PreparedImport,
  { parent, overwrite = false, propertiesFor = () => ({}) }: FileImport,
): Promise<Document> {
  const folder = await readFolder(session, parent)
  await requirePermission(session, folder, 'ReadProperties')
  await requirePermission(session, folder, 'AddChildren')
  const title = importTitle(fileName) || randomDecimal()
  const options = { source: `fileimporter-${importer}` }
  return run(session, { folder, title, fileName, overwrite, propertiesFor, options })
}

/** The title of a document that is made of a file of that name; empty when there is nothing in it that can be seen. */
export function importTitle(fileName: string): string {
  return sanitisedText(fileName).normalize('NFC').trim()
}

/** The document itself when it is a folder, else the one that it is in. @throws noFolderToImport */
export async function readFolder(session: WriteSession, parent: Document): Promise<Document> {
  if (session.model.shapeOf(parent).hasFacet('Folderish')) return parent
  const folder = parent.parentId === null ? undefined : await findStored(session, parent.parentId)
  if (folder === undefined) throw noFolderToImport({ id: parent.id })
  return folder
}

function fileToImport(source: SourceFile, type: string): FileToImport {
  // As it is stored, by which an earlier document of the file is found.
  const name = shortFileName(baseName(source.name ?? '').normalize('NFC'))
  const mimeType = normalised(plain(type))
  return {
    name,
    mimeType,
    encoding: findCharset(type) ?? findCharset(source.mimeType ?? '') ?? source.encoding,
    length: source.length,
    read: source.read,
    store: async (): Promise<BlobValue> => ({
      ...(await source.store()),
      name: name === '' ? null : name,
      // What its sender took for any bytes may be something all the same, as it would be in a document that is saved with it.
      'mime-type': saysNothing(mimeType) ? await detectType(source) : mimeType,
      encoding: source.encoding,
    }),
  }
}

function plain(type: string): string {
  return type.split(';', 1)[0]?.trim() ?? ''
}

function isFor({ mimeTypes }: Importer, types: readonly string[]): boolean {
  return mimeTypes.some((pattern) => types.some((type) => new RegExp(`^(?:${pattern})$`).test(type)))
}
