import type { Json } from '../base/json.ts'
import { defineProblem } from '../base/problem.ts'
import type { VendorIdentifiers } from '../base/vendor.ts'
import type { SettingObject } from '../settings/define-settings.ts'
import { findNearestName } from '../settings/nearest-name.ts'
import { suggesting } from '../settings/problems.ts'
import type { Chain } from './chain.ts'
import type { Operation, OperationBinding } from './operation.ts'
import { createRegistry } from './registry.ts'

export const wrongBinding = defineProblem(
  'wrongBinding',
  'invalid',
  (of: { id: string; reason: string }) => `automationBindings says of ${of.id.slice(0, 200)} ${of.reason}`,
)

interface Callables {
  readonly operations: readonly Operation[]
  readonly chains: readonly Chain[]
}

const keys = ['disabled', 'secure', 'administrator', 'groups'] as const
const mostGroups = 1_000

/**
 * Operations and chains with what an operator says about who may call them; what is not said of one stays as its plugin declares it. As it is
 * all that anybody asks about, the same holds at every depth and at every door. @throws wrongBinding
 */
export function withConfiguredBindings(
  { operations, chains }: Callables,
  configured: SettingObject | undefined,
  vendored: VendorIdentifiers,
): Callables {
  if (configured === undefined) return { operations, chains }
  const bindings = readBindings({ operations, chains }, configured, vendored)
  const bound = <One extends { readonly id: string; readonly access?: OperationBinding }>(one: One, id: string): One => {
    const binding = bindings.get(id)
    return binding === undefined ? one : { ...one, access: { ...one.access, ...binding } }
  }
  return {
    operations: operations.map((operation) => bound(operation, vendored(operation.id))),
    chains: chains.map((chain) => bound(chain, chain.id)),
  }
}

/** By the id in the form of this deployment. */
function readBindings(
  { operations, chains }: Callables,
  configured: SettingObject,
  vendored: VendorIdentifiers,
): ReadonlyMap<string, OperationBinding> {
  const registry = createRegistry(operations, chains, vendored)
  const known = [...registry.operations, ...registry.chains].flatMap(({ id, aliases = [] }) => [id, ...aliases])
  const bindings = new Map<string, OperationBinding>()
  for (const [name, binding] of Object.entries(configured)) {
    const found = registry.find(name)
    if (found === undefined) {
      const nearest = findNearestName(name.replace(/^Chain\./, ''), known)
      throw wrongBinding({ id: name, reason: `who may call it, but there is no such operation or chain${suggesting(nearest)}` })
    }
    const { id } = found.kind === 'operation' ? found.operation : found.chain
    if (bindings.has(id))
      throw wrongBinding({ id: name, reason: `who may call it twice: it is another name of ${id}. Say it once.` })
    bindings.set(id, readBinding(name, binding))
  }
  return bindings
}

function readBinding(id: string, binding: Json): OperationBinding {
  if (!isObject(binding)) throw wrongBinding({ id, reason: `something else than an object with ${keys.join(', ')}` })
  for (const key of Object.keys(binding)) {
    if ((keys as readonly string[]).includes(key)) continue
    throw wrongBinding({
      id,
      reason: `${key.slice(0, 100)}, which is none of ${keys.join(', ')}${suggesting(findNearestName(key, keys))}`,
    })
  }
  const flag = (key: (typeof keys)[number]): boolean | undefined => {
    const value = binding[key]
    if (value !== undefined && typeof value !== 'boolean')
      throw wrongBinding({ id, reason: `${key} with something else than true or false` })
    return value
  }
  const [isDisabled, isSecure, administrators] = [flag('disabled'), flag('secure'), flag('administrator')]
  const groups = readGroups(id, binding['groups'])
  return {
    ...(isDisabled !== undefined && { isDisabled }),
    ...(isSecure !== undefined && { isSecure }),
    ...(administrators !== undefined && { administrators }),
    ...(groups !== undefined && { groups }),
  }
}

function isObject(json: Json): json is SettingObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

function readGroups(id: string, groups: Json | undefined): readonly string[] | undefined {
  if (groups === undefined) return undefined
  const isList = Array.isArray(groups) && groups.length <= mostGroups
  if (!isList || !groups.every((group) => typeof group === 'string' && group.trim() !== ''))
    throw wrongBinding({ id, reason: `groups with something else than a list of names, ${mostGroups} at most` })
  return groups as readonly string[]
}
