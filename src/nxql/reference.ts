import type { ScalarKind } from '../model/field.ts'
import type { PropertyDefinition } from '../model/shape.ts'
import type { SystemName } from './system-properties.ts'

/** What a name in a query stands for. */
export type QueryReference = SystemReference | PropertyReference | AceReference

/** Binary values are asked for by their text. */
export type ValueType = Exclude<ScalarKind, 'binary'>

interface Referred {
  readonly type: ValueType
  /** Names a list of scalars as a whole: a test of it asks for some item, a negated one for none. */
  readonly isList: boolean
  /** Equal for two references exactly when they mean the same value of the same item. */
  readonly identity: string
}

/** What every document has, whatever its schemas: `ecm:name`. */
export interface SystemReference extends Referred {
  readonly kind: 'system'
  readonly name: SystemName
}

/** A place in the properties: `dc:title`, `files:files/0/file/name`. */
export interface PropertyReference extends Referred {
  readonly kind: 'property'
  readonly property: PropertyDefinition
  /** From the property down: the name of a member, the index of an item, or an item that a binding chooses. */
  readonly steps: readonly ReferenceStep[]
}

export type ReferenceStep = string | number | Wildcard

export interface Wildcard {
  readonly binding: BindingId
}

/** A member of an entry of the document's own ACLs, which a binding chooses. */
export interface AceReference extends Referred {
  readonly kind: 'ace'
  readonly binding: BindingId
  readonly member: AceMember
}

export const aceMembers = {
  principal: 'string',
  permission: 'string',
  grant: 'boolean',
  /** Of the ACL that holds the entry. */
  name: 'string',
  /** Of the entry, over all ACLs. */
  pos: 'long',
  creator: 'string',
  begin: 'date',
  end: 'date',
  /** 0 pending, 1 effective, 2 archived; null for an entry without dates. */
  status: 'long',
} as const satisfies Record<string, ValueType>
export type AceMember = keyof typeof aceMembers

export type BindingId = number

/**
 * A wildcard: it stands for one item of a list at a time, the same wherever its id occurs in the query. An empty list gives it
 * one value, null.
 */
export interface Binding {
  readonly id: BindingId
  readonly list:
    | { readonly kind: 'property'; readonly property: PropertyDefinition; readonly steps: readonly ReferenceStep[] }
    | { readonly kind: 'aces' }
  /** The binding that chooses the item in which the list lies. Its id is the smaller one. */
  readonly parent?: BindingId
  /** In SELECT or ORDER BY: every item makes a row of its own. */
  readonly makesRows: boolean
  /** Ends a selected column: an empty list then makes no row rather than one of null. */
  readonly needsItem: boolean
}

/** The bindings a reference depends on, outermost first. */
export function bindingsOf(reference: QueryReference): readonly BindingId[] {
  switch (reference.kind) {
    case 'system':
      return []
    case 'ace':
      return [reference.binding]
    default:
      return reference.steps.flatMap((step) => (typeof step === 'object' ? step.binding : []))
  }
}
