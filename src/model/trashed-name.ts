import type { Document } from './document.ts'

const trashed = /^(.*)\._\d{13,}_\.trashed$/su
const afterCollision = /^(.+)\.\d{13,}$/su

/** The name of a document in the trash: its own is free again, and the mark tells what it was. */
export function trashedName(name: string, millis: number): string {
  // Before September 2001 a moment has fewer digits than the mark asks for.
  return `${name}._${String(millis).padStart(13, '0')}_.trashed`
}

export function isTrashedName(name: string): boolean {
  return trashed.test(name)
}

/** The name that was marked; a name without a mark is returned as it is. */
export function untrashedName(name: string): string {
  return trashed.exec(name)?.[1] ?? name
}

/** The name of a document, without the mark that the trash has left on it. */
export function plainNameOf({ name, isTrashed }: Pick<Document, 'name' | 'isTrashed'>): string {
  return isTrashed ? untrashedName(name) : name
}

/** The name that was asked for when this one was made because another child had it; undefined when it was not. */
export function nameBeforeCollision(name: string): string | undefined {
  return afterCollision.exec(name)?.[1]
}
