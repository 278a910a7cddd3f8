import { defineProblem } from '../../../base/problem.ts'
import { acpIdBelow } from '../../../core/documents/insert-in-folder.ts'
import { freeVariant } from '../../../core/documents/name-in-folder.ts'
import { withCleanHtml } from '../../../core/documents/require-valid.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { joinPath, nameAfterCollision } from '../../../model/path-segment.ts'
import { withBlobs } from '../../../model/properties/property.ts'
import { effectiveAces } from '../../../model/rights/acl.ts'
import type { DocumentLine } from '../format/document-line.ts'
import { typedProperties } from './typed-properties.ts'

export const placeGone = defineProblem(
  'placeGone',
  'conflict',
  (of: { path: string }) =>
    `The folder that ${of.path} of the archive goes to is not here any more: it was removed while the import went on. ` +
    'What came until then stays; remove it, and import the archive once more.',
)

export const placeTaken = defineProblem(
  'placeTaken',
  'conflict',
  (of: { path: string }) =>
    `There is another document at ${of.path}: a server was started before the repository had come as a whole. ` +
    'Begin with an empty database.',
)

export interface Placing {
  /** Where the tree goes; undefined for a whole repository. */
  readonly target: Document | undefined
  /** The first document of the tree, by its id here. */
  readonly rootId: DocumentId
  keyOf(key: string): string
}

interface Placed {
  /** To be inserted together, in this order. */
  readonly documents: readonly Document[]
  readonly leftOut: number
}

/**
 * Documents of an archive as rows of this repository: each has its path and what decides about it from its folder, which is among them or
 * here already, and is locked. Versions have the rights of their live document.
 */
export async function placeDocuments(
  session: WriteSession,
  placing: Placing,
  archived: readonly DocumentLine[],
): Promise<Placed> {
  const batch = new Batch(session, placing)
  await batch.readSurroundings(archived)
  for (const one of archived) await batch.place(one)
  return batch
}

class Batch implements Placed {
  readonly documents: Document[] = []
  leftOut = 0
  readonly #session: WriteSession
  readonly #placing: Placing
  /** Documents that are here, and those of the batch, by id. */
  readonly #known = new Map<DocumentId, Document>()
  readonly #fresh = new Set<DocumentId>()
  readonly #lockedIds = new Set<DocumentId>()
  /** Names that children of folders have, which were here before the batch. */
  readonly #taken = new Map<DocumentId, Set<string>>()

  constructor(session: WriteSession, placing: Placing) {
    this.#session = session
    this.#placing = placing
  }

  /** All that documents of the batch hold on to, in one look. */
  async readSurroundings(archived: readonly DocumentLine[]): Promise<void> {
    const ids = new Set(
      archived.flatMap(({ document, part, isTargetElsewhere }) => this.#heldTo(document, part, isTargetElsewhere)),
    )
    for (const { document } of archived) ids.delete(document.id)
    for (const { document, part } of archived) if (part === 'shown') ids.add(document.id)
    const { documents } = this.#session.tx
    for (const found of await documents.findAll([...ids])) this.#known.set(found.id, found)
    for (const [parentId, inside] of Map.groupBy(archived, ({ document }) => document.parentId ?? '')) {
      const names = inside.map(({ document }) => document.name)
      if (this.#known.has(parentId)) this.#taken.set(parentId, new Set(await documents.listTakenNames(parentId, names)))
    }
  }

  #heldTo(document: DocumentLine['document'], part: DocumentLine['part'], isTargetElsewhere = false): readonly DocumentId[] {
    const { parentId, seriesId, targetId, isVersion, properties } = document
    const ends =
      part === 'attached' && document.path === null ? [properties['relation:source'], properties['relation:target']] : []
    return [parentId, isVersion ? seriesId : null, isTargetElsewhere ? targetId : null, ...ends].filter(
      (id) => typeof id === 'string',
    )
  }

  async place(archived: DocumentLine): Promise<void> {
    const { document, part, isTargetElsewhere } = archived
    if (await this.#isHere(archived)) return
    const lacks = (id: unknown) => typeof id !== 'string' || !this.#known.has(id)
    if (isTargetElsewhere && lacks(document.targetId)) return this.#leaveOut()
    const isRelation = part === 'attached' && document.path === null
    if (isRelation && (lacks(document.properties['relation:source']) || lacks(document.properties['relation:target'])))
      return this.#leaveOut()
    const parent = await this.#parentOf(archived)
    if (parent === 'gone') return this.#leaveOut()
    const placed = parent === undefined ? await this.#withoutPlace(document) : await this.#below(parent, document)
    this.#known.set(placed.id, placed)
    this.#fresh.add(placed.id)
    this.documents.push(placed)
  }

  #leaveOut(): void {
    this.leftOut += 1
  }

  /** What only surrounds the tree may be here already. */
  async #isHere({ document, part }: DocumentLine): Promise<boolean> {
    if (part === 'shown') return this.#known.has(document.id)
    return part === 'place' && (await this.#session.tx.documents.findByPath(document.path ?? '')) !== undefined
  }

  async #parentOf({ document, part }: DocumentLine): Promise<Document | undefined | 'gone'> {
    const { target, rootId } = this.#placing
    if (document.id === rootId) return target && this.#readTarget(target)
    if (document.path === null) return undefined
    const known = this.#known.get(document.parentId ?? '')
    if (part === undefined) {
      // A document below one that was left out is left out with it.
      if (known === undefined) throw placeGone({ path: document.path })
      return this.#locked(known)
    }
    const above = document.path.slice(0, -document.name.length - 1) || '/'
    const isThere = known !== undefined && (this.#fresh.has(known.id) || known.path === above)
    const parent = isThere ? known : await this.#session.tx.documents.findByPath(above)
    return parent === undefined ? 'gone' : this.#locked(parent)
  }

  /** As it is in this transaction. */
  async #readTarget({ id, path }: Document): Promise<Document> {
    const target = await this.#session.tx.documents.find(id)
    if (target === undefined) throw placeGone({ path: path ?? id })
    return this.#locked(target)
  }

  async #locked(parent: Document): Promise<Document> {
    if (this.#fresh.has(parent.id) || this.#lockedIds.has(parent.id)) return this.#known.get(parent.id) ?? parent
    const locked = await this.#session.tx.documents.findForShare(parent)
    if (locked === undefined || locked.path === null) throw placeGone({ path: parent.path ?? parent.id })
    this.#known.set(locked.id, locked)
    this.#lockedIds.add(locked.id)
    return locked
  }

  async #below(parent: Document, document: DocumentLine['document']): Promise<Document> {
    const isTaken = await this.#isTaken(parent, document.name)
    const path = joinPath(parent.path ?? '', document.name)
    if (isTaken && this.#placing.target === undefined) throw placeTaken({ path })
    const name = isTaken ? await freeVariant(this.#session, parent, document.name, nameAfterCollision) : document.name
    const acpId = await acpIdBelow(this.#session, parent, document.acls)
    return this.#rowOf({ ...document, name, parentId: parent.id, path: joinPath(parent.path ?? '', name) }, acpId)
  }

  /** What other documents of the archive have there is its own affair, unless they come to a folder that was here. */
  async #isTaken(parent: Document, name: string): Promise<boolean> {
    if (this.#fresh.has(parent.id)) return false
    const known = this.#taken.get(parent.id) ?? new Set<string>()
    const isTaken = this.#taken.has(parent.id) ? known.has(name) : await this.#session.tx.documents.hasChild(parent.id, name)
    return isTaken || this.documents.some((one) => one.parentId === parent.id && one.name === name)
  }

  /** The root of a whole repository, versions, and what has no place. Versions whose live document is gone have no rights. */
  async #withoutPlace(document: DocumentLine['document']): Promise<Document> {
    const live = document.isVersion ? this.#known.get(document.seriesId ?? '') : undefined
    const own = document.isVersion ? [] : document.acls
    const acpId = live?.acpId ?? (await this.#session.tx.acps.intern(effectiveAces(own, [])))
    return this.#rowOf({ ...document, parentId: null }, acpId)
  }

  /** What people are shown as HTML is cleaned once more: nobody knows who wrote the archive. */
  async #rowOf(document: DocumentLine['document'], acpId: number): Promise<Document> {
    const { model, repository } = this.#session
    const rename = (key: string) => this.#placing.keyOf(key)
    const typed = Object.entries(typedProperties(model, document)).map(
      ([name, value]) => [name, withBlobs(value, (blob) => ({ ...blob, key: rename(blob.key) }))] as const,
    )
    return withCleanHtml(this.#session, {
      ...document,
      properties: Object.fromEntries(typed),
      repository: repository.name,
      acpId,
    })
  }
}
