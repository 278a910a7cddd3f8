import { randomDecimal } from '../../base/ids.ts'
import type { Document } from '../../model/document.ts'
import {
  copyNameAfterCollision,
  maxSegmentLength,
  nameAfterCollision,
  pathSegment,
  requireName,
} from '../../model/path-segment.ts'
import type { WriteSession } from '../session.ts'

/**
 * The path segment for a name that was asked for, or made from a title and then cut at `maxLength`; a random number when nothing
 * nameable is left of it.
 */
export function nameFrom(text: string, maxLength = maxSegmentLength): string {
  return pathSegment(text, maxLength) ?? randomDecimal()
}

/** A name that is taken as it was given; a random number when it is empty. @throws invalidName */
export function givenName(name: string): string {
  return requireName(name) || randomDecimal()
}

/** The name, or a free variant of it with the time behind a dot. */
export function freeName(session: WriteSession, folder: Document, wanted: string): Promise<string> {
  return firstFree(session, folder, wanted, nameAfterCollision)
}

/** The same for copies and proxies: the number that an earlier collision left behind makes way for the new one. */
export function freeCopyName(session: WriteSession, folder: Document, wanted: string): Promise<string> {
  return firstFree(session, folder, wanted, copyNameAfterCollision)
}

async function firstFree(session: WriteSession, folder: Document, wanted: string, variant: Variant): Promise<string> {
  const isTaken = await session.tx.documents.hasChild(folder.id, wanted)
  return isTaken ? freeVariant(session, folder, wanted, variant) : wanted
}

/** A name with a number of milliseconds in it. */
export type Variant = (name: string, millis: number) => string

/** A variant of the name that no child of the folder has, found with one look, however many of them are taken. */
export async function freeVariant(
  session: WriteSession,
  folder: Pick<Document, 'id'>,
  wanted: string,
  variant: Variant,
): Promise<string> {
  const millis = Date.parse(session.now)
  for (;;) {
    const candidates = laterMillis(millis).map((later) => variant(wanted, later))
    const taken = new Set(await session.tx.documents.listTakenNames(folder.id, candidates))
    const free = candidates.find((name) => !taken.has(name))
    if (free !== undefined) return free
  }
}

const widestSpan = 4 ** 16

/**
 * The moment, the next ones, and one from each of ever wider spans after them. A whole request is one moment: counted up one by one,
 * 1,200 documents of one name in a request took 12 s.
 */
function laterMillis(millis: number): readonly number[] {
  const later = [0, 1, 2, 3]
  for (let span = 4; span <= widestSpan; span *= 4) later.push(span + Math.floor(Math.random() * 3 * span))
  return later.map((offset) => millis + offset)
}
