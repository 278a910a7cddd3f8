import { knownTypes, type MimeType } from './known-types.ts'

/** What is said of a file of which nothing is known. */
export const anyBytes = 'application/octet-stream'

const byExtension = new Map(knownTypes.flatMap((known) => known.extensions.map((extension) => [extension, known] as const)))
// MIME types are the same in any case (RFC 2045, 5.1).
const byType = new Map(knownTypes.map((known) => [known.type.toLowerCase(), known]))
const byAlias = new Map(knownTypes.flatMap((known) => known.aliases.map((alias) => [alias.toLowerCase(), known] as const)))

/** By its own name, or by another that it goes by. */
export function findMimeType(type: string): MimeType | undefined {
  const name = type.toLowerCase()
  return byType.get(name) ?? byAlias.get(name)
}

export function isNormalised(type: string): boolean {
  return byType.has(type.toLowerCase())
}

/** The name that the type is stored under; an unknown one stays as it is. */
export function normalised(type: string): string {
  return findMimeType(type)?.type ?? type
}

/** Whether a type says nothing about the file. */
export function saysNothing(type: string | null): type is null | typeof anyBytes {
  return type === null || type.trim() === '' || type.toLowerCase().startsWith(anyBytes)
}

/** What the name of a file tells; undefined when that is nothing. What programs leave while they work is no file of any kind. */
export function findTypeOfName(name: string): string | undefined {
  const [last = '', ...parts] = baseName(name).toLowerCase().split('.').reverse()
  if (baseName(name).startsWith('~$')) return anyBytes
  const [first] = parts
  if (first === undefined) return undefined
  if (last === 'tmp') return anyBytes
  const known = (parts.length > 1 ? byExtension.get(`${first}.${last}`) : undefined) ?? byExtension.get(last)
  return known?.type
}

/** The name of a file without the folders that some clients send along. */
export function baseName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
}
