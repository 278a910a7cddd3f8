import type { Document } from '../../../src/model/document.ts'
import { type Ace, type Acl, effectiveAces, grant } from '../../../src/model/rights/acl.ts'
import type { Store } from '../../../src/store/store.ts'
import { aStoredChild, aStoredDocument, aStoredVersion } from '../../support/stored-document.ts'
import type { Random } from '../kill/random.ts'

/** A tree below one document, and two folders with different rights between which that document goes to and fro. */
export interface GrownTree {
  readonly top: Document
  readonly from: Document
  readonly to: Document
  /** How many documents are below the top. */
  readonly count: number
}

/** What is in the way of a statement that takes a path for a pattern, or counts other units than SQL does. */
const namePrefixes = ['', '% ', '_', '💡', 'é'] as const
const childrenOfFolder = 50

/** Grows a tree of folders and files in which one folder in twenty has rights of its own and one file in ten a version. */
export async function growTree(store: Store, random: Random, count: number): Promise<GrownTree> {
  const { root, rootAces } = await plantRoot(store)
  const from = await withRights(store, aStoredChild(root, 'from'), rootAces, 'fiona')
  const to = await withRights(store, aStoredChild(root, 'to'), rootAces, 'tom')
  const top = aStoredChild(from.document, 'top')
  const seedlings: Document[] = []
  const folders = [{ document: top, aces: from.aces }]
  for (let index = 0; index < count; index++) {
    const parent = random.pick(folders) as Owned
    const name = `${random.pick(namePrefixes)}${index}`
    if (index % childrenOfFolder > 0) {
      seedlings.push(aStoredChild(parent.document, name, { type: 'File', properties: propertiesOf(index, random) }))
      continue
    }
    const folder = aStoredChild(parent.document, name, { properties: propertiesOf(index, random) })
    const isOwner = random.between(0, 20) === 0
    const owned = isOwner ? await withRights(store, folder, parent.aces, `user${index}`) : { ...parent, document: folder }
    folders.push(owned)
    seedlings.push(owned.document)
  }
  const versions = seedlings.filter((_, index) => index % 10 === 1).map((live) => aStoredVersion(live))
  await plant(store, [from.document, to.document, top, ...seedlings, ...versions])
  return { top, from: from.document, to: to.document, count }
}

interface Owned {
  readonly document: Document
  readonly aces: readonly Ace[]
}

async function plantRoot(store: Store): Promise<{ readonly root: Document; readonly rootAces: readonly Ace[] }> {
  const rootAces = [grant('members', 'Read')]
  const root = await store.transact(async (tx) => {
    const document = aStoredDocument({ type: 'Root', acpId: await tx.acps.intern(rootAces) })
    await tx.documents.insert(document)
    return document
  })
  return { root, rootAces }
}

async function withRights(store: Store, document: Document, inherited: readonly Ace[], username: string): Promise<Owned> {
  const acls: readonly Acl[] = [{ name: 'local', aces: [grant(username, 'Write')] }]
  const aces = effectiveAces(acls, inherited)
  const acpId = await store.transact((tx) => tx.acps.intern(aces))
  return { document: { ...document, acls, acpId }, aces }
}

/** About 600 bytes, as documents with a short description have. */
function propertiesOf(index: number, random: Random): Document['properties'] {
  const moment = new Date(1_600_000_000_000 + index * 1_000).toISOString()
  return {
    'dc:title': `Document ${random.between(0, 1_000_000)}`,
    'dc:description': `${random.next()} `.repeat(15),
    'dc:created': moment,
    'dc:modified': moment,
    'dc:creator': `user${random.between(0, 50)}`,
    'dc:lastContributor': `user${random.between(0, 50)}`,
  }
}

async function plant(store: Store, documents: readonly Document[]): Promise<void> {
  for (let start = 0; start < documents.length; start += 5_000) {
    await store.transact((tx) => tx.documents.insertMany(documents.slice(start, start + 5_000)))
  }
}
