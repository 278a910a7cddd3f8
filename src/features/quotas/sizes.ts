import type { Document } from '../../model/document.ts'
import { bytesIn } from '../../model/properties/property.ts'

/** Bytes of files: of all, and how much of that is in the trash or in versions. What is neither is live. */
export interface Sizes {
  readonly total: number
  readonly trash: number
  readonly versions: number
}

export const nothingStored: Sizes = { total: 0, trash: 0, versions: 0 }

/** What a document counts for. A proxy shows the files of another, which count where that is. */
export function sizesOf({
  isProxy,
  isVersion,
  isTrashed,
  properties,
}: Pick<Document, 'isProxy' | 'isVersion' | 'isTrashed' | 'properties'>): Sizes {
  return isProxy ? nothingStored : sizesOfBytes(bytesIn(properties), { isVersion, isTrashed })
}

/** Versions count as such, also those of what is in the trash. */
export function sizesOfBytes(
  bytes: number,
  { isVersion, isTrashed }: { readonly isVersion: boolean; readonly isTrashed: boolean },
): Sizes {
  return { total: bytes, trash: isTrashed && !isVersion ? bytes : 0, versions: isVersion ? bytes : 0 }
}

export function plus(left: Sizes, right: Sizes): Sizes {
  return { total: left.total + right.total, trash: left.trash + right.trash, versions: left.versions + right.versions }
}

export function negative({ total, trash, versions }: Sizes): Sizes {
  return { total: -total, trash: -trash, versions: -versions }
}

export function isNothing({ total, trash, versions }: Sizes): boolean {
  return total === 0 && trash === 0 && versions === 0
}

/** What a change of a document comes to. */
export function difference(before: Document, after: Document): Sizes {
  if (before.properties === after.properties && before.isTrashed === after.isTrashed) return nothingStored
  return plus(sizesOf(after), negative(sizesOf(before)))
}

/** A path and those above it, the root first. */
export function pathsDownTo(path: string): readonly string[] {
  const paths = ['/']
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) paths.push(path.slice(0, end))
  if (path !== '/') paths.push(path)
  return paths
}

export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
