import type { Readable } from 'node:stream'
import { defineProblem } from '../../../base/problem.ts'
import type { Manifest } from '../format/manifest.ts'

/** A file of an archive, in the order in which it has them. */
export interface ArchivedFile {
  readonly key: string
  readonly length: number
  /** @throws archiveDamaged */
  open(): Promise<Readable>
}

/** An archive on the disk: a ZIP file, or a folder that one was unpacked to. */
export interface ArchiveSource {
  /** A file that is no document's; undefined when there is none. The caller reads it to its end or destroys it. */
  open(name: string): Promise<Readable | undefined>
  /** From the first on, each time. */
  files(): AsyncGenerator<ArchivedFile>
  close(): Promise<void>
}

export interface ReadableArchive extends ArchiveSource {
  readonly manifest: Manifest
  /** Its text, by which the archive is known again. */
  readonly manifestText: string
}

export const notAnArchive = defineProblem(
  'notAnArchive',
  'invalid',
  (of: { path: string; reason: string }) =>
    `${of.path} is no archive: ${of.reason}. quire export writes archives; of a folder of files give the folder itself.`,
)
