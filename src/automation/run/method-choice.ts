import type { OperationMethod } from '../operation.ts'
import type { Value } from '../values/value.ts'
import type { InputWord, OutputWord } from '../values/words.ts'

/** What is known of a value before it is there; `any` when only running can tell. */
export type FlowKind = (typeof flowKinds)[number]

export const flowKinds = [
  'nothing',
  'document',
  'documents',
  'blob',
  'blobs',
  'string',
  'boolean',
  'number',
  'date',
  'list',
  'map',
  'entity',
  'users',
  'rows',
  'bulkStatus',
  'any',
] as const satisfies readonly (Value['kind'] | 'any')[]

/** How well a method suits an input, best first. */
const ranks = { exact: 0, itemwise: 1, convertible: 2, onlyItem: 3, ignored: 4 } as const
type Rank = (typeof ranks)[keyof typeof ranks]

const exactKind: { readonly [Word in InputWord]: Value['kind'] | undefined } = {
  void: 'nothing',
  document: 'document',
  documents: 'documents',
  paginable: undefined,
  blob: 'blob',
  bloblist: 'blobs',
  string: 'string',
  platformprincipal: 'entity',
  businessadapter: 'entity',
  object: undefined,
}

const convertibleKinds: { readonly [Word in InputWord]: readonly Value['kind'][] | 'all' } = {
  void: [],
  document: ['string', 'documents', 'list', 'entity'],
  documents: ['document', 'string', 'list', 'entity'],
  paginable: ['documents'],
  blob: ['blobs', 'list', 'map'],
  bloblist: ['blob', 'list', 'map'],
  string: ['number', 'boolean', 'date'],
  platformprincipal: ['map'],
  businessadapter: [],
  object: 'all',
}

const listsOf = { document: 'documents', blob: 'blobs' } as const

/** The methods that can take a value of the kind, those that suit it best first; equals stay in the order of the definition. */
export function suitableMethods(methods: readonly OperationMethod[], kind: FlowKind): readonly OperationMethod[] {
  const byKind = suitable.get(methods) ?? new Map<FlowKind, readonly OperationMethod[]>()
  suitable.set(methods, byKind)
  const chosen = byKind.get(kind) ?? chooseSuitable(methods, kind)
  byKind.set(kind, chosen)
  return chosen
}

// The methods of an operation never change, and every step of every call asks.
const suitable = new WeakMap<readonly OperationMethod[], Map<FlowKind, readonly OperationMethod[]>>()

function chooseSuitable(methods: readonly OperationMethod[], kind: FlowKind): readonly OperationMethod[] {
  return methods
    .map((method) => ({ method, rank: rankOf(method, kind) }))
    .filter((one): one is { method: OperationMethod; rank: Rank } => one.rank !== undefined)
    .sort((left, right) => left.rank - right.rank)
    .map(({ method }) => method)
}

function rankOf({ input, isItemwise }: OperationMethod, kind: FlowKind): Rank | undefined {
  if (kind === 'any') return input === 'void' ? ranks.ignored : ranks.convertible
  if (exactKind[input] === kind) return ranks.exact
  if (isItemwise && listsOf[input as keyof typeof listsOf] === kind) return ranks.itemwise
  // Several things that were sent are rather a list than the one thing that some of them could be.
  if (kind === 'list' && (isItemwise || input === 'documents' || input === 'bloblist')) return ranks.itemwise
  if (convertibleKinds[input] === 'all' || convertibleKinds[input].includes(kind)) {
    return isList(kind) && isItem(input) && !isItemwise ? ranks.onlyItem : ranks.convertible
  }
  return input === 'void' ? ranks.ignored : undefined
}

function isList(kind: FlowKind): boolean {
  return kind === 'list' || kind === 'documents' || kind === 'blobs'
}

/** Takes a list only if that has just one item. */
function isItem(input: InputWord): boolean {
  return input === 'document' || input === 'blob'
}

/** Whether the method runs once for each item of such a value. */
export function runsForEach({ input, isItemwise }: OperationMethod, value: Value): boolean {
  if (!isItemwise) return false
  return value.kind === 'list' || value.kind === listsOf[input as keyof typeof listsOf]
}

const outputKinds: { readonly [Word in Exclude<OutputWord, 'void'>]: FlowKind } = {
  document: 'document',
  documents: 'documents',
  paginable: 'documents',
  blob: 'blob',
  bloblist: 'blobs',
  string: 'string',
  boolean: 'boolean',
  long: 'number',
  integer: 'number',
  date: 'date',
  list: 'list',
  map: 'map',
  recordset: 'rows',
  bulkstatus: 'bulkStatus',
  businessadapter: 'entity',
  object: 'any',
}

/** What a method gives for a value of the kind. */
export function kindAfter({ input, output, isItemwise }: OperationMethod, kind: FlowKind): FlowKind {
  if (output === 'void') return input === 'void' ? kind : 'nothing'
  const single = outputKinds[output]
  const isList = isItemwise && (kind === 'list' || kind === listsOf[input as keyof typeof listsOf])
  if (!isList) return single
  if (single === 'document') return 'documents'
  if (single === 'blob') return 'blobs'
  return single === 'string' ? 'list' : single
}
