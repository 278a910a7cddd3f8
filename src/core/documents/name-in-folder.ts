import { randomDecimal } from '../../base/ids.ts'
import type { Document } from '../../model/document.ts'
import { copyNameAfterCollision, nameAfterCollision, pathSegment, requireName } from '../../model/path-segment.ts'
import type { WriteSession } from '../session.ts'

/** The path segment for a name somebody asked for; a random number when nothing nameable is left of it. */
export function nameFrom(text: string, maxLength: number): string {
  return pathSegment(text, maxLength) ?? randomDecimal()
}

/** A name that is taken as it was given; a random number when it is empty. @throws invalidName */
export function givenName(name: string): string {
  return requireName(name) || randomDecimal()
}

/** The name, or the first free variant of it with the time behind a dot. */
export function freeName(session: WriteSession, folder: Document, wanted: string): Promise<string> {
  return firstFree(session, folder, wanted, nameAfterCollision)
}

/** The same for copies and proxies: the number that an earlier collision left behind makes way for the new one. */
export function freeCopyName(session: WriteSession, folder: Document, wanted: string): Promise<string> {
  return firstFree(session, folder, wanted, copyNameAfterCollision)
}

async function firstFree(
  session: WriteSession,
  folder: Document,
  wanted: string,
  variant: typeof nameAfterCollision,
): Promise<string> {
  const millis = Date.parse(session.now)
  let name = wanted
  for (let attempt = 0; await session.tx.documents.hasChild(folder.id, name); attempt++) {
    name = variant(wanted, millis, attempt)
  }
  return name
}
