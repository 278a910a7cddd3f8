import { createHash } from 'node:crypto'
import type { DocumentId } from '../../../model/document.ts'

/** Which documents of an archive get other ids, because theirs are taken. */
export interface IdMap {
  readonly size: number
  add(id: DocumentId): void
  /** The id that the document has here. */
  of(id: DocumentId): DocumentId
  of(id: DocumentId | null): DocumentId | null
  /** The id that it has here if its own is taken: the same whenever it is asked for, so that an import that was killed goes on. */
  fresh(id: DocumentId): DocumentId
  /** A line in which all these ids are the new ones, wherever they stand: in fields, in lists, in links within texts. */
  rewrite(line: string): string
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** @param nonce of this import alone */
export function createIdMap(nonce: string): IdMap {
  // About 80 MB for a million.
  const taken = new Set<DocumentId>()
  const fresh = (id: DocumentId) => derivedId(nonce, id)
  function of(id: DocumentId): DocumentId
  function of(id: DocumentId | null): DocumentId | null
  function of(id: DocumentId | null): DocumentId | null {
    return id !== null && taken.has(id) ? fresh(id) : id
  }
  return {
    get size() {
      return taken.size
    },
    add: (id) => void taken.add(id),
    of,
    fresh,
    rewrite: (line) => (taken.size === 0 ? line : line.replace(uuid, (id) => of(id))),
  }
}

/** A UUID of version 8, whose bits mean what its maker wants. */
function derivedId(nonce: string, id: DocumentId): DocumentId {
  const digits = createHash('sha256').update(`${nonce} ${id}`).digest('hex')
  const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) % 4]
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}
