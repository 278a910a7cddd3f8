import type { Document } from '../../../model/document.ts'
import type { SaveOptions } from '../../save-options.ts'
import type { WriteSession } from '../../session.ts'
import { freeName, givenName } from '../name-in-folder.ts'

/** Where a document is about to be put. */
export interface Destination {
  /** Null for a document without a place. */
  readonly folder: Document | null
  /** The name that was asked for. */
  readonly asked: string
  /** That name, or the variant of it that is free. */
  readonly name: string
}

export async function findDestination(
  session: WriteSession,
  folder: Document | null,
  name: string,
  options: SaveOptions,
  findFree: typeof freeName = freeName,
): Promise<Destination> {
  const asked = givenName(name)
  const isChecked = folder !== null && options.destinationCheck !== false
  return { folder, asked, name: isChecked ? await findFree(session, folder, asked) : asked }
}

/** What events tell of it. Once the document is there, its name is the one it got. */
export function aboutDestination({ folder, asked, name }: Destination, given = name) {
  return {
    destinationRef: folder?.id ?? null,
    destinationPath: folder?.path ?? null,
    destinationName: given,
    destinationExists: name !== asked,
  }
}

/** The name it gets, and the one to take variants of: a listener that was offered the document may have given it another one. */
export function nameAfterOffer({ name, asked }: Destination, offered: Document): Pick<Destination, 'name' | 'asked'> {
  if (offered.name === name) return { name, asked }
  const given = givenName(offered.name)
  return { name: given, asked: given }
}
