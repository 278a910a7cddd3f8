import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawGraph } from './drawn-graph.ts'

type Sent = Parameters<typeof drawGraph>[0]

const node = (id: string, x: number, more: object = {}) =>
  ({ id, title: id, state: 'ready', x, y: 0, isStartNode: false, isEndNode: false, ...more }) as Sent['nodes'][number]
const way = (nodeSourceId: string, nodeTargetId: string) => ({ nodeSourceId, nodeTargetId, label: '', path: [] })

describe('a workflow is drawn', () => {
  const { nodes, edges, width, height } = drawGraph({
    nodes: [
      node('start', 5, { isStartNode: true, state: 'done' }),
      node('right', 9),
      node('left', 1, { state: 'suspended' }),
      node('end', 5, { isEndNode: true }),
    ],
    transitions: [
      way('start', 'left'),
      way('start', 'right'),
      way('left', 'end'),
      way('right', 'start'),
      way('left', 'left'),
      way('left', 'nowhere'),
    ],
  })
  const at = (id: string) => nodes.find((one) => one.id === id)
  test('from top to bottom, and from left to right as its author placed it', () => {
    assert.deepEqual(
      nodes.toSorted((one, other) => one.top - other.top || one.left - other.left).map(({ id }) => id),
      ['start', 'left', 'right', 'end'],
    )
    assert.equal(at('left')?.top, at('right')?.top)
  })
  test('within its own picture', () => {
    for (const { left, top } of nodes) assert.ok(left >= 0 && top >= 0 && left < width && top < height)
  })
  test('with room for what its ways back are called', () => {
    const label = 'Sent back for another look at it'
    const back = drawGraph({ nodes: [node('one', 1, { isStartNode: true })], transitions: [{ ...way('one', 'one'), label }] })
    const [edge] = back.edges
    const half = (label.length * 5) / 2
    assert.ok(edge !== undefined && edge.x - half >= 0 && edge.x + half <= (back.nodes[0]?.left ?? 0))
  })
  test('with every way that has two ends', () => assert.equal(edges.length, 5))
})
