import { ChevronRight, GripVertical } from 'lucide-react'
import {
  Button as AriaButton,
  Collection,
  ListLayout,
  Tree,
  TreeItem,
  TreeItemContent,
  useDragAndDrop,
  Virtualizer,
} from 'react-aria-components'
import { type EntryNode, moved, siblingsOf } from './entry-tree.ts'
import styles from './vocabularies.module.css'
import { useVocabularyWords } from './words.ts'

export interface EntryTreeProps {
  readonly label: string
  readonly nodes: readonly EntryNode[]
  readonly open: string | undefined
  onOpen(id: string): void
  /** Takes neighbours in their new order; without it nothing is dragged. */
  onOrder?(ids: readonly string[]): void
}

const layoutOptions = { rowHeight: 36 }
// Beyond it only the rows in view exist. Between such rows nothing is dropped by pointer: there one moves by buttons.
const mostAtOnce = 500

/** Entries below their parents. One is dragged among its neighbours, by pointer or by keys. */
export function EntryTree({ label, nodes, open, onOpen, onOrder }: EntryTreeProps) {
  const say = useVocabularyWords()
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    isDisabled: onOrder === undefined,
    onReorder: ({ keys, target }) => {
      const [first = ''] = keys
      const siblings = siblingsOf(nodes, String(first)).map(({ key }) => key)
      const place = target.dropPosition === 'before' ? 'before' : 'after'
      const next = moved(siblings, new Set([...keys].map(String)), { key: String(target.key), place })
      if (next !== undefined) onOrder?.(next)
    },
  })
  const renderNode = (node: EntryNode) => (
    <TreeItem key={node.key} id={node.key} textValue={node.label} className={styles.item ?? ''}>
      <TreeItemContent>
        {({ hasChildItems }) => (
          <div className={styles.entry} data-obsolete={node.isObsolete} data-above={node.isAbove}>
            {onOrder === undefined || node.isAbove ? null : (
              <AriaButton slot="drag" className={styles.handle ?? ''} aria-label={say('drag', { name: node.label })}>
                <GripVertical size={14} aria-hidden />
              </AriaButton>
            )}
            {hasChildItems ? (
              <AriaButton slot="chevron" className={styles.chevron ?? ''}>
                <ChevronRight size={16} aria-hidden />
              </AriaButton>
            ) : (
              <span className={styles.chevron} />
            )}
            <span className={styles.label}>{node.label}</span>
            {node.isObsolete ? <span className={styles.badge}>{say('obsolete')}</span> : null}
            {node.label === node.id ? null : <span className={styles.id}>{node.id}</span>}
          </div>
        )}
      </TreeItemContent>
      <Collection items={node.children}>{renderNode}</Collection>
    </TreeItem>
  )
  const tree = (
    <Tree
      className={styles.tree ?? ''}
      aria-label={label}
      items={nodes}
      selectionMode="single"
      selectionBehavior="replace"
      selectedKeys={open === undefined ? [] : [open]}
      onSelectionChange={(keys) => {
        const [key] = keys === 'all' ? [] : [...keys]
        if (key !== undefined && !isAboveKey(nodes, String(key))) onOpen(String(key))
      }}
      dragAndDropHooks={dragAndDropHooks}
    >
      {renderNode}
    </Tree>
  )
  if (countOf(nodes) <= mostAtOnce) return tree
  return (
    <Virtualizer layout={ListLayout} layoutOptions={layoutOptions}>
      {tree}
    </Virtualizer>
  )
}

const countOf = (nodes: readonly EntryNode[]): number => nodes.reduce((sum, { children }) => sum + 1 + countOf(children), 0)

const isAboveKey = (nodes: readonly EntryNode[], key: string) => nodes.some((node) => node.isAbove && node.key === key)
