import type { Document } from '../../../src/model/document.ts'
import { joinPath } from '../../../src/model/path-segment.ts'
import { grant } from '../../../src/model/rights/acl.ts'
import type { Store, Transaction } from '../../../src/store/store.ts'
import type { GrownTree } from './grown-tree.ts'

/** What concerns every document of a tree, each in a transaction of its own. At the end the tree is as it was. */
const upheavals: Readonly<Record<string, (tx: Transaction, tree: GrownTree) => Promise<unknown>>> = {
  rename: (tx, { top, from }) => moveTo(tx, top.id, from, 'renamed 💡'),
  'move to other rights': (tx, { top, to }) => moveTo(tx, top.id, to, 'top'),
  trash: async (tx, { top }) => tx.documents.setTrashedBelow(await pathOf(tx, top.id), true),
  untrash: async (tx, { top }) => tx.documents.setTrashedBelow(await pathOf(tx, top.id), false),
  'change rights': async (tx, { top }) =>
    tx.acps.replaceAcls(await readLocked(tx, top.id), [{ name: 'local', aces: [grant('alice', 'Read')] }]),
  'give rights up': async (tx, { top }) => tx.acps.replaceAcls(await readLocked(tx, top.id), []),
  'move back': (tx, { top, from }) => moveTo(tx, top.id, from, 'top'),
}

/** Gives the milliseconds that each took. */
export async function turnUpsideDown(store: Store, tree: GrownTree): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  for (const [name, act] of Object.entries(upheavals)) {
    const started = performance.now()
    await store.transact((tx) => act(tx, tree))
    times.set(name, performance.now() - started)
  }
  return times
}

async function moveTo(tx: Transaction, id: string, parent: Document, name: string): Promise<void> {
  const place = { parentId: parent.id, name, path: joinPath(parent.path as string, name), position: null }
  if (!(await tx.documents.move(await readLocked(tx, id), place))) throw new Error(`${place.path} is taken`)
}

async function readLocked(tx: Transaction, id: string): Promise<Document> {
  return (await tx.documents.findForUpdate(id)) as Document
}

async function pathOf(tx: Transaction, id: string): Promise<string> {
  return (await readLocked(tx, id)).path as string
}
