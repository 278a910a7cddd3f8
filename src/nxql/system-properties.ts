/** Where in a query a name may stand. */
export type Clause = 'select' | 'where' | 'order'

export interface SystemProperty {
  readonly type: 'string' | 'long' | 'boolean' | 'date'
  readonly clauses: readonly Clause[]
  readonly isList?: boolean
  /** Not asked like a property: by its own operators, or with its own kind of literal. */
  readonly rule?: 'flag' | 'path' | 'ancestor' | 'facet'
}

const everywhere: readonly Clause[] = ['select', 'where', 'order']
const text = { type: 'string', clauses: everywhere } as const
const moment = { type: 'date', clauses: everywhere } as const
const flag = { type: 'boolean', clauses: everywhere, rule: 'flag' } as const

export const systemProperties = {
  'ecm:uuid': text,
  'ecm:name': text,
  'ecm:path': { ...text, rule: 'path' },
  'ecm:parentId': text,
  'ecm:ancestorId': { type: 'string', clauses: ['where'], rule: 'ancestor' },
  'ecm:pos': { type: 'long', clauses: everywhere },
  'ecm:primaryType': text,
  'ecm:mixinType': { type: 'string', clauses: ['where'], rule: 'facet' },
  'ecm:currentLifeCycleState': text,
  'ecm:isTrashed': { type: 'boolean', clauses: ['where'], rule: 'flag' },
  'ecm:isProxy': flag,
  'ecm:isVersion': flag,
  'ecm:isCheckedIn': flag,
  'ecm:isLatestVersion': flag,
  'ecm:isLatestMajorVersion': flag,
  'ecm:isRecord': flag,
  'ecm:hasLegalHold': flag,
  'ecm:retainUntil': moment,
  'ecm:versionLabel': text,
  'ecm:versionDescription': text,
  'ecm:versionCreated': moment,
  'ecm:versionVersionableId': text,
  'ecm:proxyTargetId': text,
  'ecm:proxyVersionableId': text,
  'ecm:lockOwner': text,
  'ecm:lockCreated': moment,
  'ecm:fulltextJobId': text,
  'ecm:blobKeys': { type: 'string', clauses: ['where'], isList: true },
} as const satisfies Record<string, SystemProperty>
export type SystemName = keyof typeof systemProperties

const oldNames: ReadonlyMap<string, SystemName> = new Map([
  ['ecm:isCheckedInVersion', 'ecm:isVersion'],
  ['ecm:lock', 'ecm:lockOwner'],
])

export function findSystemName(written: string): SystemName | undefined {
  const old = oldNames.get(written)
  if (old !== undefined) return old
  return Object.hasOwn(systemProperties, written) ? (written as SystemName) : undefined
}
