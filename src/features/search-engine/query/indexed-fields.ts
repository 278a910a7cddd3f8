import { memoised } from '../../../base/cache/memo.ts'
import { isScalar } from '../../../model/field.ts'
import type { Model } from '../../../model/model.ts'
import type { PropertyReference, QueryReference, ValueType } from '../../../nxql/reference.ts'
import type { SystemName } from '../../../nxql/system-properties.ts'

/** A value of documents that the engine has under its name: a property without parts, a list of such values, or what the system says. */
export interface IndexedField {
  readonly name: string
  readonly type: ValueType
  readonly isList: boolean
  /** So many code points of a text: the database orders by no more, and decides comparisons with anything shorter within them. */
  readonly keptCharacters: number
}

/** As the database has it (property-key.ts). */
const propertyCharacters = 500
/** Names, paths and the like are whole. */
const systemCharacters = 4_000

const systemTypes = {
  'ecm:uuid': 'string',
  'ecm:name': 'string',
  'ecm:path': 'string',
  'ecm:parentId': 'string',
  'ecm:primaryType': 'string',
  'ecm:currentLifeCycleState': 'string',
  'ecm:isTrashed': 'boolean',
  'ecm:isProxy': 'boolean',
  'ecm:isVersion': 'boolean',
  'ecm:isCheckedIn': 'boolean',
  'ecm:isLatestVersion': 'boolean',
  'ecm:isLatestMajorVersion': 'boolean',
  'ecm:isRecord': 'boolean',
  'ecm:hasLegalHold': 'boolean',
  'ecm:retainUntil': 'date',
  'ecm:versionLabel': 'string',
  'ecm:versionCreated': 'date',
  'ecm:versionVersionableId': 'string',
  'ecm:proxyTargetId': 'string',
  'ecm:proxyVersionableId': 'string',
  'ecm:lockOwner': 'string',
  'ecm:lockCreated': 'date',
} as const satisfies Partial<Record<SystemName, ValueType>>

/** What the system says of documents and the engine knows. */
export type IndexedSystemName = keyof typeof systemTypes

/** By name. */
export const fieldsOf = memoised((model: Model): ReadonlyMap<string, IndexedField> => {
  const fields = new Map<string, IndexedField>()
  for (const [name, type] of Object.entries(systemTypes)) {
    fields.set(name, { name, type, isList: false, keptCharacters: systemCharacters })
  }
  for (const schema of model.schemas.values()) {
    for (const { name, field } of model.propertiesOf(schema)) {
      const isList = field.type.kind === 'list'
      const type = field.type.kind === 'list' ? field.type.item.type : field.type
      // The engine would take a dot for a step into an object.
      if (!isScalar(type) || type.kind === 'binary' || name.includes('.')) continue
      fields.set(name, { name, type: type.kind, isList, keptCharacters: propertyCharacters })
    }
  }
  return fields
})

/** Undefined for what the engine does not have. */
export function findField(model: Model, reference: QueryReference): IndexedField | undefined {
  const name = nameOf(reference)
  const field = name === undefined ? undefined : fieldsOf(model).get(name)
  return field?.isList === reference.isList && field.type === reference.type ? field : undefined
}

function nameOf(reference: QueryReference): string | undefined {
  if (reference.kind === 'system') return reference.name
  return reference.kind === 'property' && isWhole(reference) ? reference.property.name : undefined
}

function isWhole({ steps }: PropertyReference): boolean {
  return steps.length === 0
}

/** Where the engine has it. */
export const valuePath = ({ name }: Pick<IndexedField, 'name'>) => `p.${name}`
/** The same in lower case. */
export const loweredPath = ({ name }: Pick<IndexedField, 'name'>) => `l.${name}`
