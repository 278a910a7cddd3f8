import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { text as readAll } from 'node:stream/consumers'
import { stringifyJson } from '../../base/json.ts'
import type { DocumentBlob } from '../../core/blobs/document-blobs.ts'
import { inspectBlob } from '../../core/blobs/inspect-blob.ts'
import { openBlob } from '../../core/blobs/open-blob.ts'
import type { Repository } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { BlobValue } from '../../model/properties/property.ts'

/** A file on its way between operations: its bytes are in the blob store, or were just made and are in no store yet. */
export interface FlowingBlob {
  /** Of bytes that are in no store the `key` names nothing. */
  readonly blob: BlobValue
  readonly bytes?: Uint8Array
  /** Where it was taken from: its download needs the rights, and the log is told. */
  readonly source?: BlobSource
  /** Where more of it was taken from, as that of a merged PDF: whoever has it has downloaded these, too. */
  readonly furtherSources?: readonly BlobSource[]
}

export interface BlobSource {
  readonly document: Document
  readonly xpath: string
}

/** A file of a document. */
export function blobOfDocument(document: Document, { xpath, ...content }: DocumentBlob): FlowingBlob {
  return { ...content, source: { document, xpath } }
}

/** What was made of files: it is of all documents of which these are. */
export function blobMadeOf(blob: BlobValue, files: readonly FlowingBlob[]): FlowingBlob {
  const [source, ...furtherSources] = files.flatMap((file) => [
    ...(file.source === undefined ? [] : [file.source]),
    ...(file.furtherSources ?? []),
  ])
  return { blob, ...(source !== undefined && { source }), ...(furtherSources.length > 0 && { furtherSources }) }
}

/** A file made from a text: JSON, XML, an empty one. */
export function madeBlob(text: string, { name, mimeType }: { name: string; mimeType: string }): FlowingBlob {
  const bytes = Buffer.from(text)
  return {
    bytes,
    blob: {
      key: '',
      name,
      'mime-type': mimeType,
      encoding: 'UTF-8',
      digest: hash('md5', bytes),
      digestAlgorithm: 'MD5',
      length: bytes.length,
    },
  }
}

/** How most operations give lists and maps that are no documents. */
export function jsonBlob(json: unknown): FlowingBlob {
  return madeBlob(stringifyJson(json), { name: 'json', mimeType: 'application/json' })
}

/** The blob as a document can hold it: its bytes are in the store. */
export async function storedBlob(repository: Repository, { blob, bytes }: FlowingBlob): Promise<BlobValue> {
  if (bytes === undefined) return blob
  const stored = await repository.blobs.write(bytes)
  return inspectBlob(repository, { ...blob, ...stored })
}

export async function readBlobText(repository: Repository, content: FlowingBlob): Promise<string> {
  return readAll(await openBlob(repository.blobs, content))
}
