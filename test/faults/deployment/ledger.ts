import { seededBytes } from '../../support/seeded-bytes.ts'

export type Whereabouts = 'there' | 'trashed' | 'removed'

/** A document as its servers owe it to clients. Its title tells its revision. */
export interface Owed {
  readonly id: string
  readonly name: string
  readonly shelf: Shelf
  readonly file: Content | undefined
  /** The last revision that was acknowledged, and the last that was sent. */
  acknowledged: number
  sent: number
  whereabouts: Whereabouts
  /** It is on its way elsewhere, or may be. */
  isMoving: boolean
  /** Goes up when it is sent elsewhere, and when it has come there. */
  moves: number
  /** A change is under way. */
  isBusy: boolean
  /**
   * A change was never answered, and happened or did not. It is left as it is from then on: nothing tells when a change that nobody waits
   * for any more will have been done.
   */
  isUnsure: boolean
}

/** Bytes that follow from a number. */
export interface Content {
  readonly seed: number
  readonly length: number
}

/** A folder of as many documents as one page has. */
export interface Shelf {
  readonly id: string
  readonly documents: Owed[]
  /** So many were sent that may be there. */
  begun: number
}

export interface Ledger {
  readonly shelves: Shelf[]
  readonly documents: Owed[]
  /** Changes that were acknowledged. */
  acknowledged: number
  /** Changes that were never answered. */
  unanswered: number
  /** Promises that were broken, as sentences. */
  readonly broken: string[]
}

export function createLedger(): Ledger {
  return { shelves: [], documents: [], acknowledged: 0, unanswered: 0, broken: [] }
}

export const shelfSize = 40

export function bytesOf({ seed, length }: Content): Buffer {
  return seededBytes(seed, 0, length)
}

/** What a document of this revision has; both tell it, so that a half of one revision would be seen. */
export function propertiesOf(name: string, revision: number) {
  return { 'dc:title': `${name} r${revision}`, 'dc:description': `revision ${revision} of ${name}` }
}

interface Shown {
  readonly properties: { readonly [name: string]: unknown }
}

/** The revision that an entity shows; a sentence when it shows none, or two. */
export function revisionIn(name: string, { properties }: Shown): number | string {
  const revision = Number(/ r(\d+)$/.exec(String(properties['dc:title']))?.[1])
  const expected = propertiesOf(name, revision)
  const isWhole = properties['dc:title'] === expected['dc:title'] && properties['dc:description'] === expected['dc:description']
  return isWhole ? revision : `${name} has ${JSON.stringify(properties).slice(0, 200)}`
}

/** What was true of a document when a look at it began. */
export interface Known {
  readonly document: Owed
  readonly acknowledged: number
  readonly whereabouts: Whereabouts
  readonly moves: number
}

export function knownOf(document: Owed): Known {
  const { acknowledged, whereabouts, moves } = document
  return { document, acknowledged, whereabouts, moves }
}

/** Whether it is still where it was when the look began, as far as anybody can know. */
export function isSettled({ document, moves }: Known): boolean {
  return !document.isMoving && document.moves === moves
}

/** Compares what a look showed with what had been acknowledged before it and sent before its end. Gives a sentence when that was broken. */
export function lapseIn({ document, acknowledged }: Known, shown: Shown, way: string): string | undefined {
  const revision = revisionIn(document.name, shown)
  if (typeof revision === 'string') return `${way}: ${revision}`
  if (revision >= acknowledged && revision <= document.sent) return undefined
  return `${way}: ${document.name} has revision ${revision}; ${acknowledged} was acknowledged before and ${document.sent} sent`
}
