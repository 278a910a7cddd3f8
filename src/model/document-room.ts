import type { Document } from './document.ts'

const room = Symbol('room')

/** A document may have room for what was made of it, which is then kept for as long as the document itself. */
type Roomy = Document & { readonly [room]?: unknown[] }

/** The room is no part of the document: a changed copy has none. */
export function makeRoom(document: Document): void {
  if ((document as Roomy)[room] === undefined) Object.defineProperty(document, room, { value: [] })
}

/** Undefined when nobody means to keep the document. */
export function roomIn(document: Document): unknown[] | undefined {
  return (document as Roomy)[room]
}
