import { roughSize } from '../../../base/json.ts'

/** An entry that may be suggested, or that others stand below. */
export interface SuggestedEntry {
  /** Tells it from the entries of all directories. */
  readonly key: string
  readonly parentKey: string | undefined
  readonly id: string
  readonly directory: string
  readonly label: string
  readonly ordering: number
  readonly isObsolete: boolean
  /** What it holds, by the names that clients know. */
  readonly fields: { readonly [field: string]: unknown }
}

export interface TreeOptions {
  /** An entry that others stand below is shown with all that it holds. */
  readonly canSelectParent: boolean
  readonly displayObsoleteEntries: boolean
  /** Between the ids of an entry and of those above it. */
  readonly keySeparator: string
  /** The same for the labels. */
  readonly absoluteLabelSeparator: string
  readonly language: string
  readonly obsoleteWarning: string
}

/** Called for each entry, before about so many bytes of it become part of the answer. Gives what to wait for, once others have their turn. */
export type Pace = (bytes: number) => Promise<void> | undefined

interface TreeNode {
  readonly entry: SuggestedEntry
  readonly children: Map<string, TreeNode>
}

/** The entries below those that they stand below, each level in its order (contract: operations 2.20). */
export async function suggestionTree(
  matched: readonly SuggestedEntry[],
  findEntry: (key: string) => SuggestedEntry | undefined,
  options: TreeOptions,
  pace: Pace,
): Promise<readonly object[]> {
  const roots = new Map<string, TreeNode>()
  for (const entry of matched) {
    await pace(0)
    const line = lineOf(entry, findEntry)
    if (line !== undefined && isShown(line, options)) plant(roots, line)
  }
  const { compare } = new Intl.Collator(options.language)
  const sorted = (nodes: ReadonlyMap<string, TreeNode>) =>
    [...nodes.values()].sort(
      ({ entry: one }, { entry: other }) => one.ordering - other.ordering || compare(one.label, other.label),
    )
  const writeAll = async (nodes: ReadonlyMap<string, TreeNode>, above: readonly SuggestedEntry[]): Promise<readonly object[]> => {
    const written: object[] = []
    for (const { entry, children } of sorted(nodes)) {
      const line = [...above, entry]
      const isHeading = children.size > 0 && !options.canSelectParent
      const shown = isHeading ? { displayLabel: entry.label } : writeEntry(line, options)
      await pace(roughSize(shown))
      written.push(children.size === 0 ? shown : { ...shown, children: await writeAll(children, line) })
    }
    return written
  }
  return writeAll(roots, [])
}

/** Deeper than any vocabulary that people choose from. Each entry has the ids and labels of all above it, and stands inside of them. */
export const mostLevels = 32

/** From the topmost entry down to this one; undefined for one that stands too deep. A circle ends where it began. */
function lineOf(
  entry: SuggestedEntry,
  findEntry: (key: string) => SuggestedEntry | undefined,
): readonly SuggestedEntry[] | undefined {
  const line = [entry]
  for (let { parentKey } = entry; parentKey !== undefined; ) {
    const parent = findEntry(parentKey)
    if (parent === undefined || line.includes(parent)) break
    if (line.length === mostLevels) return undefined
    line.push(parent)
    parentKey = parent.parentKey
  }
  return line.reverse()
}

/** One that cannot be selected is a heading, be it obsolete or not. */
function isShown(line: readonly SuggestedEntry[], { canSelectParent, displayObsoleteEntries }: TreeOptions): boolean {
  if (displayObsoleteEntries) return true
  return !(canSelectParent ? line : line.slice(-1)).some(({ isObsolete }) => isObsolete)
}

function plant(roots: Map<string, TreeNode>, line: readonly SuggestedEntry[]): void {
  let level = roots
  for (const entry of line) {
    const node = level.get(entry.key) ?? { entry, children: new Map() }
    level.set(entry.key, node)
    level = node.children
  }
}

function writeEntry(line: readonly SuggestedEntry[], options: TreeOptions): object {
  const entry = line[line.length - 1] as SuggestedEntry
  return {
    id: entry.id,
    ...entry.fields,
    displayLabel: entry.label,
    directoryName: entry.directory,
    properties: entry.fields,
    'entity-type': 'directoryEntry',
    computedId: line.map(({ id }) => id).join(options.keySeparator),
    absoluteLabel: line.map(({ label }) => label).join(options.absoluteLabelSeparator),
    ...(entry.isObsolete && { warn_message: options.obsoleteWarning }),
  }
}
