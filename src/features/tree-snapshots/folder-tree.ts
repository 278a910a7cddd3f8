import type { CallBudget } from '../../automation/budget.ts'
import { everyReadableChild } from '../../core/documents/children.ts'
import type { WriteSession } from '../../core/session.ts'
import { changedMeanwhile, type Document, type DocumentId } from '../../model/document.ts'
import { treeTooLarge } from './snapshot-mistakes.ts'

/** A document of a tree, and what is in it in folder order. */
export interface TreeNode {
  readonly id: DocumentId
  readonly parentId: DocumentId | null
  readonly kind: 'folder' | 'leaf' | 'proxy'
  readonly children: TreeNode[]
}

export interface Bounds {
  readonly max: number
  readonly budget: CallBudget
}

/**
 * The tree as far as the caller may read it, without what is in the trash and without what belongs to documents rather than being in
 * folders; a folder comes before what is in it. Ids alone: the documents of a large tree would not fit into memory.
 * @throws treeTooLarge, privilegeMissing
 */
export async function readTree(session: WriteSession, root: Document, { max, budget }: Bounds): Promise<readonly TreeNode[]> {
  const nodes = [nodeOf(session, root)]
  for (const node of nodes) {
    if (node.kind !== 'folder') continue
    const folder = node.id === root.id ? root : await readAgain(session, node.id)
    for await (const page of everyReadableChild(session, folder)) {
      const children = page.filter(({ isTrashed }) => !isTrashed).map((child) => nodeOf(session, child))
      for (const child of children) {
        node.children.push(child)
        nodes.push(child)
      }
      if (nodes.length > max) throw treeTooLarge({ max })
      await budget.work(page.length)
    }
  }
  return nodes
}

/** Always in the same order: two that make versions of overlapping trees would wait for each other. @throws changedMeanwhile */
export async function lockTree({ tx }: WriteSession, nodes: readonly TreeNode[]): Promise<void> {
  for (const { id, parentId } of [...nodes].sort((left, right) => (left.id < right.id ? -1 : 1))) {
    const locked = await tx.documents.findForUpdate(id)
    if (locked === undefined || locked.parentId !== parentId || locked.isTrashed) throw changedMeanwhile({ id })
  }
}

function nodeOf({ model }: WriteSession, document: Document): TreeNode {
  const { id, parentId, isProxy } = document
  const kind = isProxy ? 'proxy' : model.shapeOf(document).hasFacet('Folderish') ? 'folder' : 'leaf'
  return { id, parentId, kind, children: [] }
}

async function readAgain({ tx }: WriteSession, id: DocumentId): Promise<Document> {
  const document = await tx.documents.find(id)
  if (document === undefined) throw changedMeanwhile({ id })
  return document
}
