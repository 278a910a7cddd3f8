import { defineMistake, type Span } from '../mistake.ts'
import { type AceMember, aceMembers, type QueryReference } from '../reference.ts'
import { type Clause, findSystemName, type SystemProperty, systemProperties } from '../system-properties.ts'
import type { CheckContext } from './context.ts'
import { findField, withoutItemName } from './field-path.ts'

export const noSuchProperty = defineMistake('noSuchProperty', ({ name }: { name: string }) => `No such property: ${name}`)

export const notInThisClause = defineMistake('notInThisClause', ({ name, clause }: { name: string; clause: Clause }) => {
  if (clause === 'select') return `Cannot select on column: ${name}`
  return clause === 'order' ? `Cannot order by column: ${name}` : `${name} cannot be used in WHERE clause`
})

export const indexInAcl = defineMistake(
  'indexInAcl',
  ({ name }: { name: string }) => `Cannot use explicit index in ACLs: ${name}`,
)

export interface WrittenName extends Span {
  readonly name: string
}

/**
 * What a name means in a clause.
 * @throws noSuchProperty, notInThisClause or indexInAcl
 */
export function resolveReference(context: CheckContext, written: WrittenName, clause: Clause): QueryReference {
  const [head, ...steps] = written.name.split('/')
  const reference = resolveByHead(context, written, head ?? '', steps)
  if (!clausesOf(head ?? '', reference).includes(clause)) {
    throw notInThisClause({ name: written.name, clause, offset: written.offset })
  }
  return reference
}

function resolveByHead(context: CheckContext, written: WrittenName, head: string, steps: readonly string[]): QueryReference {
  if (head === 'ecm:acl') return resolveAce(context, written, steps)
  if (head === 'ecm:tag') return resolveTag(context, written, steps)
  return findSystem(context, written.name) ?? findField(context.model, context.bindings, written.name) ?? refuse(written)
}

function findSystem({ settings }: CheckContext, written: string): QueryReference | undefined {
  const name = findSystemName(written)
  if (name === undefined || (name === 'ecm:blobKeys' && !settings.hasBlobKeys)) return undefined
  const { type, isList = false }: SystemProperty = systemProperties[name]
  return { kind: 'system', name, type, isList, identity: name }
}

/** Tags are a list of every document that has them. Without a wildcard, all mentions in a query mean the same tag. */
function resolveTag({ model, bindings }: CheckContext, written: WrittenName, steps: readonly string[]): QueryReference {
  const [item = '*1', ...more] = steps
  const field = more.length === 0 ? findField(model, bindings, `nxtag:tags/${item}/label`) : undefined
  return field ?? refuse(written)
}

function resolveAce({ bindings }: CheckContext, written: WrittenName, steps: readonly string[]): QueryReference {
  const [item = '', member = '', ...more] = steps.map(withoutItemName)
  if (!isAceMember(member) || more.length > 0) return refuse(written)
  if (/^\d/.test(item)) throw indexInAcl({ name: written.name, offset: written.offset })
  if (!item.startsWith('*')) return refuse(written)
  const binding = bindings.bind({ list: { kind: 'aces' }, identity: 'ecm:acl' }, item.slice(1))
  const identity = `ecm:acl/*${binding}/${member}`
  return { kind: 'ace', binding, member, type: aceMembers[member], isList: false, identity }
}

function isAceMember(name: string): name is AceMember {
  return Object.hasOwn(aceMembers, name)
}

function clausesOf(head: string, reference: QueryReference): readonly Clause[] {
  if (reference.kind === 'system') return systemProperties[reference.name].clauses
  // A list as a whole has no order and fits no column; its items do.
  if (reference.isList) return ['where']
  return head === 'ecm:tag' || head === 'ecm:acl' ? ['select', 'where'] : ['select', 'where', 'order']
}

function refuse({ name, offset }: WrittenName): never {
  throw noSuchProperty({ name, offset })
}
