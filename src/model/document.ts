import type { IsoDate } from '../base/iso-date.ts'
import { defineProblem } from '../base/problem.ts'
import type { Properties } from './properties/property.ts'
import type { Acl } from './rights/acl.ts'

/** Two counters: `system` grows with every stored change, `user` only with changes that clients must notice. */
interface ChangeToken {
  readonly system: number
  readonly user: number
}

export const firstChangeToken: ChangeToken = { system: 0, user: 0 }

export const changedMeanwhile = defineProblem('changedMeanwhile', 'conflict', (document: { id: string }) => document.id)

export function formatChangeToken(token: ChangeToken): string {
  return `${token.system}-${token.user}`
}

/** The token of a proxy: its own, then that of what it points to. */
export function formatProxyChangeToken(own: ChangeToken, target: ChangeToken): string {
  return `${formatChangeToken(own)}/${formatChangeToken(target)}`
}

/** The two halves of a proxy's token; the second is empty when there is only one. */
export function splitProxyChangeToken(sent: string): { readonly own: string; readonly target: string } {
  const [own = '', ...rest] = sent.split('/')
  return { own, target: rest.join('/') }
}

/** Only the part after the dash counts: background work raises the first one, and no user's edit should fail for that. */
export function matchesChangeToken(sent: string, stored: ChangeToken): boolean {
  const parts = sent.split('-')
  return parts.length === 2 && parts[1] === String(stored.user)
}

export function nextChangeToken(token: ChangeToken, isUserChange: boolean): ChangeToken {
  return { system: token.system + 1, user: token.user + (isUserChange ? 1 : 0) }
}

export type DocumentId = string

/** A stored document, version or proxy: what the store keeps of it, and nothing computed for one reader. */
export interface Document {
  readonly repository: string
  readonly id: DocumentId
  /** Null for the root, for versions and for placeless documents. */
  readonly parentId: DocumentId | null
  readonly name: string
  /** Where it is in the tree; null for versions and placeless documents. */
  readonly path: string | null
  /** Place among its siblings, where the parent keeps an order. */
  readonly position: number | null
  readonly type: string
  /** Facets given to this very document, beside those of its type. */
  readonly facets: readonly string[]
  readonly state: string
  readonly isTrashed: boolean
  readonly isVersion: boolean
  readonly isProxy: boolean
  /** What a proxy points to. */
  readonly targetId: DocumentId | null
  /** The live document of a version or of a proxy's target. */
  readonly seriesId: DocumentId | null
  readonly isCheckedIn: boolean
  readonly majorVersion: number
  readonly minorVersion: number
  /** The version this live document was last checked in as or restored from. */
  readonly baseVersionId: DocumentId | null
  readonly isLatestVersion: boolean
  readonly isLatestMajorVersion: boolean
  readonly versionCreated: IsoDate | null
  readonly versionComment: string | null
  readonly isRecord: boolean
  readonly retainUntil: IsoDate | null
  readonly hasLegalHold: boolean
  readonly lock: Lock | null
  readonly changeToken: ChangeToken
  /** Of a proxy that is seen through: its own token, as `changeToken` is then that of what it points to. Never stored. */
  readonly proxyChangeToken?: ChangeToken
  /** The document's own ACLs, in the order of addition; empty when all it has is inherited. */
  readonly acls: readonly Acl[]
  /** The interned list of all entries, own and inherited, that decide about it. */
  readonly acpId: number
  readonly properties: Properties
}

export interface Lock {
  readonly owner: string
  readonly created: IsoDate
}

/** What every document starts with, wherever and of whatever type: nothing has happened to it yet. */
export const pristine = {
  position: null,
  facets: [],
  isTrashed: false,
  isVersion: false,
  isProxy: false,
  targetId: null,
  seriesId: null,
  isCheckedIn: false,
  majorVersion: 0,
  minorVersion: 0,
  baseVersionId: null,
  isLatestVersion: false,
  isLatestMajorVersion: false,
  versionCreated: null,
  versionComment: null,
  isRecord: false,
  retainUntil: null,
  hasLegalHold: false,
  lock: null,
  changeToken: firstChangeToken,
  acls: [],
} as const satisfies Partial<Document>

// Whatever shows it leads to the document by it: a link of spaces cannot be seen, or read out.
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u

/** `dc:title`, else the name, else the id. */
export function titleOf(document: { id: string | null; name: string | null; properties: Properties }): string {
  const title = document.properties['dc:title']
  if (typeof title === 'string' && visible.test(title)) return title
  return document.name || document.id || ''
}

export function isUnderRetentionOrHold(document: Pick<Document, 'hasLegalHold' | 'retainUntil'>, now: IsoDate): boolean {
  return document.hasLegalHold || (document.retainUntil !== null && document.retainUntil > now)
}

/** Whether a document is another one, or somewhere below it. */
export function isAtOrBelow(document: Document, other: Document): boolean {
  if (document.id === other.id) return true
  if (document.path === null || other.path === null) return false
  return document.path.startsWith(other.path === '/' ? '/' : `${other.path}/`)
}

const derived = Symbol('derived')

/** A document in a cache may have one of its own, for what is derived from it: both are evicted together. */
class AttachedCache {
  readonly values: unknown[] = []
  /** Of all values together. */
  bytes = 0
  readonly #onGrown: () => void

  constructor(onGrown: () => void) {
    this.#onGrown = onGrown
  }

  add(value: unknown, bytes: number): void {
    this.values.push(value)
    this.grow(bytes)
  }

  /** By so many bytes, when one of the values has. */
  grow(bytes: number): void {
    this.bytes += bytes
    this.#onGrown()
  }
}

type Derivable = Document & { readonly [derived]?: AttachedCache }

/**
 * The cache is no part of the document: a changed copy has none.
 * @param onGrown for the cache that the document is in, whose bound counts what is attached, too
 */
export function attachCache(document: Document, onGrown: () => void): void {
  if ((document as Derivable)[derived] !== undefined) return
  Object.defineProperty(document, derived, { value: new AttachedCache(onGrown) })
}

/** Undefined when the document is not in a cache. */
export function attachedCache(document: Document): AttachedCache | undefined {
  return (document as Derivable)[derived]
}
