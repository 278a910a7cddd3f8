import { defineProblem } from '../base/problem.ts'
import { isFormOf, type VendorIdentifiers } from '../base/vendor.ts'
import type { Principal } from '../model/rights/principal.ts'
import type { Chain } from './chain.ts'
import type { Operation } from './operation.ts'

export const operationNotFound = defineProblem(
  'operationNotFound',
  'notFound',
  (of: { id: string }) => `There is no operation or chain ${of.id}.`,
)

/** What can be called by an id. */
export type Callable =
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'chain'; readonly chain: Chain }

/** All operations and chains of the server. */
export interface OperationRegistry {
  readonly operations: readonly Operation[]
  readonly chains: readonly Chain[]
  /** By id or alias, with or without `Chain.` before it. */
  find(id: string): Callable | undefined
  /** @throws operationNotFound */
  read(id: string): Callable
}

const chainPrefix = 'Chain.'

/**
 * A contribution that takes the id or alias of an earlier one is a mistake that `gatherPlugins` has found before. Ids with the
 * vendor's word are known in the form of this deployment, and found in that of any other.
 */
export function createRegistry(
  operations: readonly Operation[],
  chains: readonly Chain[],
  vendored: VendorIdentifiers = (neutral) => neutral,
): OperationRegistry {
  const spelled = operations.map((operation) => spellOperation(operation, vendored))
  const byName = new Map<string, Callable>([
    ...spelled.flatMap((operation) => namesOf(operation).map((name) => [name, { kind: 'operation', operation }] as const)),
    ...chains.flatMap((chain) => namesOf(chain).map((name) => [name, { kind: 'chain', chain }] as const)),
  ])
  const neutralNames = operations.flatMap(namesOf).filter((name) => name.includes('Platform'))

  function find(id: string): Callable | undefined {
    const name = id.startsWith(chainPrefix) ? id.slice(chainPrefix.length) : id
    const found = byName.get(name)
    if (found !== undefined) return found
    const neutral = neutralNames.find((one) => isFormOf(one, name))
    return neutral === undefined ? undefined : byName.get(vendored(neutral))
  }

  return {
    operations: spelled,
    chains,
    find,
    read(id) {
      const found = find(id)
      if (found === undefined) throw operationNotFound({ id })
      return found
    },
  }
}

function namesOf({ id, aliases = [] }: Pick<Chain, 'id' | 'aliases'>): readonly string[] {
  return [id, ...aliases]
}

function spellOperation(operation: Operation, vendored: VendorIdentifiers): Operation {
  return { ...operation, id: vendored(operation.id), label: vendored(operation.label), aliases: operation.aliases.map(vendored) }
}

/** Whether the principal may call it from outside (contract: operations 1.14). What a deployed chain declares is not asked about. */
export function mayCall(callable: Callable, principal: Principal, { baseUrl }: { readonly baseUrl: string }): boolean {
  const binding = callable.kind === 'operation' ? callable.operation.access : (callable.chain.access ?? {})
  const { isDisabled = false, isSecure = false, administrators = false, groups = [] } = binding
  if (isDisabled || (isSecure && !baseUrl.startsWith('https:'))) return false
  if (principal.isAdministrator || (!administrators && groups.length === 0)) return true
  return groups.some((group) => principal.groups.includes(group))
}
