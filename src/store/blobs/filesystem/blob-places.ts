import { join } from 'node:path'

/** Where a folder of blobs has what. */
export interface BlobPlaces {
  readonly top: string
  /** Of those that arrive or leave. */
  readonly temporary: string
  /** Of an empty file for each that was found missing or damaged. */
  readonly flawed: string
  /** Where a blob belongs. */
  home(key: string): string
  /** All where it may be. */
  list(key: string): readonly string[]
}

export function blobPlaces(top: string): BlobPlaces {
  const home = (key: string) => placeBelow(join(top, 'data'), key)
  return {
    top,
    temporary: join(top, 'tmp'),
    flawed: join(top, 'flawed'),
    home,
    // The first program had them in the folder itself.
    list: (key) => [home(key), placeBelow(top, key)],
  }
}

function placeBelow(root: string, key: string): string {
  return join(root, key.slice(0, 2), key.slice(2, 4), key)
}
