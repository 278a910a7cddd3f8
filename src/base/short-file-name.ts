import { Buffer } from 'node:buffer'

/** The longest name of a file in UTF-8: file systems take no more, and whoever downloads one wants to save it. */
export const maxFileNameBytes = 255

// What is longer behind the last dot is part of a sentence, and says nothing about the type.
const maxExtensionBytes = 32

/** The name as a file system takes it: a longer one loses its folders, and then as much as must be before its extension. */
export function shortFileName(name: string): string {
  if (isShort(name)) return name
  const bare = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  // A name that ends with a slash has folders only.
  const kept = bare === '' ? name : bare
  if (isShort(kept)) return kept
  const extension = extensionOf(kept)
  return startOf(kept, maxFileNameBytes - Buffer.byteLength(extension)) + extension
}

function isShort(name: string): boolean {
  // No character takes more than three bytes for each of its UTF-16 units: most names need no counting.
  return name.length * 3 <= maxFileNameBytes || (name.length <= maxFileNameBytes && Buffer.byteLength(name) <= maxFileNameBytes)
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  return extension.length <= maxExtensionBytes && Buffer.byteLength(extension) <= maxExtensionBytes ? extension : ''
}

/** As many whole characters as fit. */
function startOf(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes))
  return text.slice(0, read)
}
