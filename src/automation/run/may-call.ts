import type { Principal } from '../../model/rights/principal.ts'
import type { Callable } from '../registry.ts'

/** Whether the principal may call it from outside (contract: operations 1.14). What a deployed chain declares is not asked about. */
export function mayCall(callable: Callable, principal: Principal, { baseUrl }: { readonly baseUrl: string }): boolean {
  const binding = callable.kind === 'operation' ? callable.operation.access : (callable.chain.access ?? {})
  const { isDisabled = false, isSecure = false, administrators = false, groups = [] } = binding
  if (isDisabled || (isSecure && !baseUrl.startsWith('https:'))) return false
  if (principal.isAdministrator || (!administrators && groups.length === 0)) return true
  return groups.some((group) => principal.groups.includes(group))
}
