import type { Readable } from 'node:stream'
import { firstBytes } from '../../base/first-bytes.ts'
import { anyBytes, findTypeOfName, isNormalised, normalised } from '../../base/mime-types/mime-type.ts'
import { plainMimeType } from '../../core/file-texts/text-extractor.ts'
import type { ByteRange } from '../../store/blobs/blob-store.ts'
import { sniffType } from './sniffed-type.ts'

/** A file that can be looked into, wherever its bytes are. */
export interface FileToDetect {
  readonly name: string | null
  readonly length: number
  read(range: ByteRange): Promise<Readable>
}

// Larger files are not looked into (contract: blobs 5.2).
const maxSniffed = 10 * 1024 ** 2
// Office files tell what they are within a zip archive: a few kilobytes are not enough for that.
const sniffedBytes = 64 * 1024

/** What a file is by its name, else by its bytes. */
export async function detectType(file: FileToDetect): Promise<string> {
  return findTypeOfName(file.name ?? '') ?? (await detectByBytes(file))
}

/** The same, but what the file is said to be counts before its bytes. */
export async function detectDeclaredType(file: FileToDetect, declared: string | null): Promise<string> {
  const byName = findTypeOfName(file.name ?? '')
  if (byName !== undefined) return byName
  const said = plainMimeType(declared ?? '')
  return isNormalised(said) ? normalised(said) : detectByBytes(file)
}

async function detectByBytes(file: FileToDetect): Promise<string> {
  if (file.length === 0 || file.length > maxSniffed) return anyBytes
  const content = await file.read({ start: 0, end: Math.min(file.length, sniffedBytes) - 1 })
  try {
    const { bytes } = await firstBytes(content, sniffedBytes)
    return (await sniffType(bytes)) ?? anyBytes
  } finally {
    content.destroy()
  }
}
