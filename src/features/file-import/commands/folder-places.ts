import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import type { SourceFolder } from './source-tree.ts'
import { findFolder } from './target-tree.ts'

/** Which documents the folders on disk are, as far as that is known. */
export interface FolderPlaces {
  /** As it was looked up or made last. */
  known(folder: SourceFolder): Document | undefined
  /** Looks it up where it is not known; undefined when it is still to be made. */
  find(session: Session, folder: SourceFolder): Promise<Document | undefined>
  set(folder: SourceFolder, document: Document): void
  /** There will be no document for it. */
  refuse(folder: SourceFolder): void
  /** Whether it, or one that it is in, was refused. */
  isRefused(folder: SourceFolder): boolean
}

export function createFolderPlaces(root: SourceFolder, target: Document): FolderPlaces {
  // Weak: a folder that is not walked any more is forgotten.
  const places = new WeakMap<SourceFolder, Document | 'missing' | 'refused'>([[root, target]])
  const known = (folder: SourceFolder) => {
    const place = places.get(folder)
    return typeof place === 'object' ? place : undefined
  }

  async function find(session: Session, folder: SourceFolder): Promise<Document | undefined> {
    if (places.has(folder)) return known(folder)
    const parent = folder.parent && (await find(session, folder.parent))
    const found = parent && (await findFolder(session, parent, folder.name))
    places.set(folder, found ?? 'missing')
    return found
  }

  function isRefused(folder: SourceFolder): boolean {
    if (places.get(folder) === 'refused') return true
    return folder.parent !== undefined && isRefused(folder.parent)
  }

  return {
    known,
    find,
    isRefused,
    set: (folder, document) => places.set(folder, document),
    refuse: (folder) => places.set(folder, 'refused'),
  }
}
