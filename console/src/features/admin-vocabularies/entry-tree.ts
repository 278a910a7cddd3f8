import type { Vocabulary, VocabularyEntry } from '../../api/administration/vocabularies.ts'

/** An entry with those below it. */
export interface EntryNode {
  /** The id, or of one in the vocabulary above something that no id is. */
  readonly key: string
  readonly id: string
  readonly label: string
  readonly isObsolete: boolean
  /** It belongs to the vocabulary above: here it only holds others. */
  readonly isAbove: boolean
  readonly children: readonly EntryNode[]
}

// No id begins with a control character.
const aboveMark = '\u0001'

/** What people call an entry, in a language where it has several. */
export function labelOf({ id, properties }: VocabularyEntry, language: string): string {
  const label = properties[`label_${language}`] ?? properties['label'] ?? properties['label_en']
  return typeof label === 'string' && label !== '' ? label : id
}

export function parentOf({ properties }: VocabularyEntry): string | undefined {
  const parent = properties['parent']
  return typeof parent === 'string' && parent !== '' ? parent : undefined
}

/**
 * The entries below their parents, siblings in the order in which they came. One whose parent is not there stands at the top; of parents
 * that go in a circle the first does.
 */
export function entryTree(
  { name, parent }: Pick<Vocabulary, 'name' | 'parent'>,
  entries: readonly VocabularyEntry[],
  above: readonly VocabularyEntry[],
  language: string,
): readonly EntryNode[] {
  const isOwn = parent === name
  const parents = new Set((isOwn ? entries : above).map(({ id }) => id))
  const below = Map.groupBy(entries, (entry) => {
    const id = parent === null ? undefined : parentOf(entry)
    return id !== undefined && parents.has(id) ? id : ''
  })
  const seen = new Set<string>()
  const nodeOf = (entry: VocabularyEntry): EntryNode => {
    seen.add(entry.id)
    const children = isOwn ? (below.get(entry.id) ?? []).filter(({ id }) => !seen.has(id)).map(nodeOf) : []
    return {
      key: entry.id,
      id: entry.id,
      label: labelOf(entry, language),
      isObsolete: Number(entry.properties['obsolete'] ?? 0) > 0,
      isAbove: false,
      children,
    }
  }
  const roots = (below.get('') ?? []).map(nodeOf)
  const circles = isOwn ? entries.flatMap((entry) => (seen.has(entry.id) ? [] : [nodeOf(entry)])) : []
  const shelves = isOwn
    ? []
    : above.map((entry) => ({
        key: `${aboveMark}${entry.id}`,
        id: entry.id,
        label: labelOf(entry, language),
        isObsolete: false,
        isAbove: true,
        children: (below.get(entry.id) ?? []).map(nodeOf),
      }))
  return [...shelves, ...roots, ...circles]
}

/** Those that have the text in their label or id, without what is below them. */
export function findNodes(nodes: readonly EntryNode[], text: string): readonly EntryNode[] {
  const wanted = text.trim().toLocaleLowerCase()
  return nodes.flatMap((node) => {
    const isFound = !node.isAbove && [node.label, node.id].some((one) => one.toLocaleLowerCase().includes(wanted))
    return [...(isFound ? [{ ...node, children: [] }] : []), ...findNodes(node.children, text)]
  })
}

/** The entries that stand beside one, in their order, itself among them. */
export function siblingsOf(nodes: readonly EntryNode[], key: string): readonly EntryNode[] {
  if (nodes.some((node) => node.key === key)) return nodes.filter(({ isAbove }) => !isAbove)
  for (const { children } of nodes) {
    const found = siblingsOf(children, key)
    if (found.length > 0) return found
  }
  return []
}

/** Keys with some of them put before or behind another; undefined where that changes nothing. */
export function moved(
  keys: readonly string[],
  some: ReadonlySet<string>,
  target: { readonly key: string; readonly place: 'before' | 'after' },
): readonly string[] | undefined {
  if (some.has(target.key)) return undefined
  const rest = keys.filter((key) => !some.has(key))
  const at = rest.indexOf(target.key)
  if (at < 0) return undefined
  const next = rest.toSpliced(target.place === 'before' ? at : at + 1, 0, ...keys.filter((key) => some.has(key)))
  return next.every((key, index) => key === keys[index]) ? undefined : next
}
