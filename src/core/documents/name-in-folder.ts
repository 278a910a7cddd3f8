import { randomDecimal } from '../../base/ids.ts'
import type { Document } from '../../model/document.ts'
import { nameAfterCollision, pathSegment } from '../../model/path-segment.ts'
import { sanitisedText } from '../../model/sanitise.ts'
import type { WriteSession } from '../session.ts'

/** The path segment for a name somebody asked for; a random number when nothing nameable is left of it. */
export function nameFrom(text: string, maxLength: number): string {
  return pathSegment(sanitisedText(text), maxLength) ?? randomDecimal()
}

/** The name, or the first free variant of it with the time behind a dot. */
export async function freeName(session: WriteSession, parent: Document, wanted: string): Promise<string> {
  const millis = Date.parse(session.now)
  let name = wanted
  for (let attempt = 0; await session.tx.documents.hasChild(parent.id, name); attempt++) {
    name = nameAfterCollision(wanted, millis, attempt)
  }
  return name
}
