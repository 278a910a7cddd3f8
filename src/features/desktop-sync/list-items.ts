import { defineProblem } from '../../base/problem.ts'
import { everyReadableChild } from '../../core/documents/children.ts'
import { findReadable } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { membersOf } from '../collections/index.ts'
import type { FoundItem, Item, ItemTree } from './item-tree.ts'

const maxChildren = 5_000

export const tooManyChildren = defineProblem(
  'tooManyChildren',
  'tooLarge',
  (of: { id: string }) => `More than ${maxChildren} items are in ${of.id}. Scroll through its descendants.`,
)

/** The roots of the session's principal. */
export async function listRootItems({ roots, show }: ItemTree): Promise<readonly Item[]> {
  const items: Item[] = []
  for (const root of roots) {
    const item = await show(root)
    if (item !== undefined) items.push(item)
  }
  return items
}

/** What a client shows in a folder or a collection. @throws tooManyChildren */
export async function listChildItems(session: Session, tree: ItemTree, { document, item }: FoundItem): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const child of everyChildItem(session, tree, { document, item })) {
    if (items.length === maxChildren) throw tooManyChildren({ id: item.id })
    items.push(child)
  }
  return items
}

async function* everyChildItem(session: Session, tree: ItemTree, { document, item }: FoundItem): AsyncGenerator<Item> {
  if ('canScrollDescendants' in item && !item.canScrollDescendants) {
    for await (const member of everyMember(session, document)) {
      const shown = await tree.showIn(document, member)
      if (shown !== undefined) yield shown
    }
    return
  }
  for await (const page of everyReadableChild(session, document)) {
    for (const child of page) {
      const shown = await tree.show(child)
      if (shown?.parentId === item.id) yield shown
    }
  }
}

async function* everyMember(session: Session, collection: Document): AsyncGenerator<Document> {
  for (const id of membersOf(collection)) {
    const member = await findReadable(session, id)
    if (member !== undefined) yield member
  }
}
