/** A document as its last acknowledged write left it. */
export interface Written {
  readonly type: 'File' | 'Note' | 'Folder'
  readonly folder: string
  readonly title: string
  readonly versions: number
}

/** A write that was sent and not answered: it happened wholly or not at all, and nobody can say which. */
export type Unanswered =
  | { readonly kind: 'create'; readonly name: string; readonly document: Written }
  | { readonly kind: 'update'; readonly id: string; readonly before: Written; readonly after: Written }
  | { readonly kind: 'remove'; readonly ids: readonly string[] }

/** What a server owes its clients after it was killed. */
export interface Journal {
  readonly written: Map<string, Written>
  readonly removed: Set<string>
  readonly unanswered: Set<Unanswered>
  /** How many writes were acknowledged, ever. */
  acknowledged: number
}

export function createJournal(): Journal {
  return { written: new Map(), removed: new Set(), unanswered: new Set(), acknowledged: 0 }
}

/** Everything at or below an id that the journal knows of. */
export function subtreeOf(journal: Journal, id: string): readonly string[] {
  const children = [...journal.written].filter(([, { folder }]) => folder === id).map(([child]) => child)
  return [id, ...children.flatMap((child) => subtreeOf(journal, child))]
}
