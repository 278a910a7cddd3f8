import type { Readable } from 'node:stream'
import type { Document } from '../../model/document.ts'
import type { BlobValue, Properties } from '../../model/properties/property.ts'
import type { ByteRange } from '../../store/blobs/blob-store.ts'
import type { ClientSaveOptions } from '../save-options.ts'
import type { WriteSession } from '../session.ts'

/** A file that shall become a document, wherever its bytes are now. */
export interface FileToImport {
  /** Without folders; empty when it has none. */
  readonly name: string
  /** What it is, under the name that is stored. */
  readonly mimeType: string
  /** What the file is said to be encoded in; null when the client did not say. */
  readonly encoding: string | null
  readonly length: number
  /** Fires when nobody waits for the document any more: what takes long ends then. */
  readonly signal?: AbortSignal
  /** The caller reads the stream to its end or destroys it. */
  read(range?: ByteRange): Promise<Readable>
  /** The file as a document can hold it. */
  store(): Promise<BlobValue>
}

/** Where an imported file goes, and how. */
export interface ImportTarget {
  /** As read in the session's own transaction. The caller may add to it. */
  readonly folder: Document
  /** The name of the file. */
  readonly title: string
  readonly fileName: string
  /** A document that exists already for this file is given its new content. */
  readonly overwrite: boolean
  /** Set with the content, of the document that is made or overwritten. */
  propertiesFor(document: Document): Properties | Promise<Properties>
  /** Tell where the save comes from. */
  readonly options: ClientSaveOptions
}

/** Makes the document, in the transaction that is the whole request. It may run twice. */
export type ImportRun = (session: WriteSession, target: ImportTarget) => Promise<Document>

/**
 * Makes documents of files of some types, wherever files are dropped into a folder.
 * @example
 * const invoiceImporter: Importer = {
 *   name: 'InvoiceImporter',
 *   order: 5,
 *   mimeTypes: ['application/pdf'],
 *   async prepare(file) {
 *     if (!file.name.startsWith('INV-')) return undefined
 *     const content = { 'file:content': await file.store() }
 *     return (session, target) => importAs(session, target, { type: 'Invoice', content, existing: 'fileName' })
 *   },
 * }
 */
export interface Importer {
  /** Saves carry it as their source: `fileimporter-InvoiceImporter`. */
  readonly name: string
  /** Lower is asked first. */
  readonly order: number
  /** Regular expressions, of which one must match the whole type. */
  readonly mimeTypes: readonly string[]
  /**
   * Nobody gets the file back as it was: it becomes several documents, or a text. Left out where files are to stay what they are, as in a
   * folder that a desktop client synchronises.
   */
  readonly altersFile?: true
  /** Reads what it needs of the file, outside of any transaction. Nothing: the file is for the next importer. */
  prepare(file: FileToImport): Promise<ImportRun | undefined>
}
