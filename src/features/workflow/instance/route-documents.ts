import type { Document } from '../../../model/document.ts'
import { isComplexValue, type Properties, type PropertyValue } from '../../../model/properties/property.ts'
import { compareText } from '../../../nxql/code-point-order.ts'
import type { DrawnNode, NodeKind } from '../engine/graph.ts'
import type { NodeState } from '../engine/route-state.ts'

// How an instance and its nodes stand in their documents (contract: workflow 1.1). Everything else reads them through here.

type Item = { readonly [name: string]: PropertyValue }

export function textAt({ properties }: Pick<Document, 'properties'>, name: string): string | undefined {
  return textIn(properties, name)
}

function textIn(item: Item, name: string): string | undefined {
  const value = item[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export function textsAt({ properties }: Pick<Document, 'properties'>, name: string): readonly string[] {
  const value = properties[name]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

export function itemsAt({ properties }: Pick<Document, 'properties'>, name: string): readonly Item[] {
  const value = properties[name]
  return Array.isArray(value) ? value.filter(isComplexValue) : []
}

function isSet({ properties }: Pick<Document, 'properties'>, name: string): boolean {
  return properties[name] === true
}

/** The id by which its workflow knows a node. */
export function nodeIdOf(node: Document): string {
  return textAt(node, 'rnode:nodeId') ?? node.name
}

export function drawnNode(node: Document): DrawnNode {
  const merge = textAt(node, 'rnode:merge')
  return {
    id: nodeIdOf(node),
    kind: kindOf(node),
    isStart: isSet(node, 'rnode:start'),
    isStop: isSet(node, 'rnode:stop'),
    merge: merge === 'one' || merge === 'all' ? merge : undefined,
    takesOnlyFirst: isSet(node, 'rnode:executeOnlyFirstTransition'),
    inputChain: textAt(node, 'rnode:inputChain'),
    outputChain: textAt(node, 'rnode:outputChain'),
    transitions: itemsAt(node, 'rnode:transitions').map((transition) => ({
      name: textIn(transition, 'name') ?? '',
      target: textIn(transition, 'targetId') ?? '',
      condition: textIn(transition, 'condition') ?? 'true',
      chain: textIn(transition, 'chain'),
    })),
  }
}

function kindOf(node: Document): NodeKind {
  if (isSet(node, 'rnode:hasTask') || isSet(node, 'rnode:hasMultipleTasks')) return 'task'
  return textAt(node, 'rnode:subRouteModelExpr') === undefined ? 'pass' : 'child'
}

const engineStates: readonly string[] = ['waiting', 'suspended', 'canceled'] satisfies NodeState['state'][]

export function stateOfNode(node: Document): NodeState {
  const { state, properties } = node
  return {
    state: engineStates.includes(state) ? (state as NodeState['state']) : 'ready',
    count: Number(properties['rnode:count'] ?? 0),
    canceled: Number(properties['rnode:canceled'] ?? 0),
    results: itemsAt(node, 'rnode:transitions').map(({ result }) => result === true),
  }
}

/** The node as the engine left it: the very same where that is how it came to it, as it does to most. */
export function withNodeState(node: Document, { state, count, canceled, results }: NodeState): Document {
  const transitions = itemsAt(node, 'rnode:transitions')
  const resultOf = (index: number) => results[index] ?? false
  const { 'rnode:count': counted, 'rnode:canceled': cancelled } = node.properties
  const isAsBefore = node.state === state && counted === count && cancelled === canceled
  if (isAsBefore && transitions.every(({ result }, index) => result === resultOf(index))) return node
  const properties: Properties = {
    ...node.properties,
    'rnode:count': count,
    'rnode:canceled': canceled,
    'rnode:transitions': transitions.map((transition, index) => ({ ...transition, result: resultOf(index) })),
  }
  return { ...node, state, properties }
}

/** One task of a node, as the node knows it. */
export interface TaskRow {
  readonly taskDocId: string
  readonly actor: string | null
  readonly comment: string | null
  /** The action that completed it; null while it is open and when it was cancelled. */
  readonly status: string | null
  readonly ended: boolean
}

export function taskRows(node: Document): readonly TaskRow[] {
  return itemsAt(node, 'rnode:tasksInfo').map((row) => ({
    taskDocId: textIn(row, 'taskDocId') ?? '',
    actor: textIn(row, 'actor') ?? null,
    comment: typeof row['comment'] === 'string' ? row['comment'] : null,
    status: textIn(row, 'status') ?? null,
    ended: row['ended'] === true,
  }))
}

export function withTaskRows(node: Document, rows: readonly TaskRow[]): Document {
  return { ...node, properties: { ...node.properties, 'rnode:tasksInfo': rows.map((row) => ({ ...row })) } }
}

export function initiatorOf(route: Document): string | undefined {
  return textAt(route, 'docri:initiator')
}

export function attachedIdsOf(route: Document): readonly string[] {
  return textsAt(route, 'docri:participatingDocuments')
}

/** An instance is called as its model is, with digits behind a dot where that name was taken. */
export function modelNameOf(route: Pick<Document, 'name'>): string {
  return route.name.split('.', 1)[0] ?? route.name
}

/** Of what a model, an instance and its nodes keep of the model document. */
export interface WorkflowButtonRow {
  readonly name: string
  readonly label: string | null
  readonly filter: string | undefined
  readonly validate: boolean
}

/** In the order of their names, byte by byte: `NA` stands before `approve`. */
export function buttonsOf(node: Document): readonly WorkflowButtonRow[] {
  return itemsAt(node, 'rnode:taskButtons')
    .map((button) => ({
      name: textIn(button, 'name') ?? '',
      label: textIn(button, 'label') ?? null,
      filter: textIn(button, 'filter'),
      validate: button['validate'] !== false,
    }))
    .toSorted((one, other) => compareText(one.name, other.name))
}
