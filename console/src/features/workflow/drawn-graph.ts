import type { WorkflowGraph } from '../../api/workflow.ts'

type Node = WorkflowGraph['nodes'][number]

export const nodeWidth = 168
export const nodeHeight = 44
const margin = 24
/** Room for edges that lead back; more where their labels need it. */
const leastAside = 28
const characterWidth = 6

export interface DrawnNode extends Node {
  /** Of the upper left corner. */
  readonly left: number
  readonly top: number
}

export interface DrawnEdge {
  readonly key: string
  readonly path: string
  readonly label: string
  readonly x: number
  readonly y: number
}

export interface DrawnGraph {
  readonly width: number
  readonly height: number
  readonly nodes: readonly DrawnNode[]
  readonly edges: readonly DrawnEdge[]
}

const rowGap = 56
const columnGap = 40

/**
 * Places a workflow anew: what was drawn for a wide screen by its author becomes rows from top to bottom, each as far from the start as the
 * longest way without a return, in the order from left to right that the author chose.
 */
export function drawGraph({ nodes, transitions }: Pick<WorkflowGraph, 'nodes' | 'transitions'>): DrawnGraph {
  const ranks = ranksOf(nodes, transitions)
  const rows = Map.groupBy(nodes, ({ id }) => ranks.get(id) ?? 0)
  const widest = Math.max(1, ...[...rows.values()].map(({ length }) => length))
  const isBack = ({ nodeSourceId, nodeTargetId }: WorkflowGraph['transitions'][number]) =>
    (ranks.get(nodeTargetId) ?? 0) <= (ranks.get(nodeSourceId) ?? 0)
  const longest = Math.max(0, ...transitions.filter(isBack).map(({ label }) => label.length))
  const aside = Math.max(leastAside, longest * characterWidth)
  const width = margin * 2 + aside * 2 + widest * nodeWidth + (widest - 1) * columnGap
  const drawn = [...rows].sort(([one], [other]) => one - other).flatMap(([, row], index) => placeRow(row, index, width))
  const byId = new Map(drawn.map((node) => [node.id, node]))
  const edges = transitions.flatMap(({ nodeSourceId, nodeTargetId, label }, index) => {
    const [source, target] = [byId.get(nodeSourceId), byId.get(nodeTargetId)]
    return source === undefined || target === undefined ? [] : [edgeBetween(source, target, label, index, { width, aside })]
  })
  return { width, height: margin * 2 + rows.size * nodeHeight + (rows.size - 1) * rowGap, nodes: drawn, edges }
}

function placeRow(row: readonly Node[], index: number, width: number): readonly DrawnNode[] {
  const taken = row.length * nodeWidth + (row.length - 1) * columnGap
  return row
    .toSorted((one, other) => one.x - other.x)
    .map((node, column) => ({
      ...node,
      left: (width - taken) / 2 + column * (nodeWidth + columnGap),
      top: margin + index * (nodeHeight + rowGap),
    }))
}

/** How many steps it takes at least to get there; ways that lead back are none. */
function ranksOf(nodes: readonly Node[], transitions: WorkflowGraph['transitions']): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  let reached = nodes.filter(({ isStartNode }) => isStartNode).map(({ id }) => id)
  for (let rank = 0; reached.length > 0; rank += 1) {
    for (const id of reached) ranks.set(id, rank)
    const next = transitions.filter(({ nodeSourceId }) => reached.includes(nodeSourceId)).map(({ nodeTargetId }) => nodeTargetId)
    reached = [...new Set(next)].filter((id) => !ranks.has(id))
  }
  // Ends stand below everything that leads to them.
  const last = Math.max(0, ...ranks.values())
  const isEnd = new Set(nodes.filter(({ isEndNode }) => isEndNode).map(({ id }) => id))
  const isCrowded = nodes.some(({ id }) => !isEnd.has(id) && (ranks.get(id) ?? 0) === last)
  for (const { id } of nodes) if (isEnd.has(id) || !ranks.has(id)) ranks.set(id, isCrowded ? last + 1 : last)
  return ranks
}

function edgeBetween(
  source: DrawnNode,
  target: DrawnNode,
  label: string,
  index: number,
  { width, aside }: { readonly width: number; readonly aside: number },
): DrawnEdge {
  const shared = { key: `${source.id}-${target.id}-${index}`, label }
  const middle = nodeWidth / 2
  if (target.top > source.top) {
    // Those of one node leave it and arrive side by side.
    const shift = ((index % 3) - 1) * 18
    const [x1, y1, x2, y2] = [source.left + middle + shift, source.top + nodeHeight, target.left + middle + shift, target.top]
    const half = (y1 + y2) / 2
    return { ...shared, path: `M${x1} ${y1} C${x1} ${half} ${x2} ${half} ${x2} ${y2}`, x: (x1 + x2) / 2, y: half }
  }
  // Back to itself, to a neighbour or up: around the outside.
  const isLeft = source.left + middle <= width / 2
  const out = margin + (aside - leastAside) / 3 + (index % 3) * 8
  const side = isLeft ? out : width - out
  const [x1, x2] = isLeft ? [source.left, target.left] : [source.left + nodeWidth, target.left + nodeWidth]
  const [y1, y2] = [source.top + nodeHeight * 0.7, target.top + nodeHeight * 0.3]
  return {
    ...shared,
    path: `M${x1} ${y1} C${side} ${y1} ${side} ${y2} ${x2} ${y2}`,
    x: (x1 + x2 + side * 6) / 8,
    y: (y1 + y2) / 2,
  }
}
