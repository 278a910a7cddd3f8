import { defineProblem } from '../base/problem.ts'
import { isLoopback } from '../settings/administrator-password.ts'
import type { Addressed, BaseUrls } from './base-url.ts'

export const hostNotServed = defineProblem(
  'hostNotServed',
  'misdirected',
  (of: { host: string }) =>
    `This server does not answer to the host name ${of.host.slice(0, 100).toWellFormed()}. ` +
    'Name it with --allowed-hosts, or change the password of Administrator if that is still the default one.',
)

/** Undefined when the request may go on at once. @throws hostNotServed */
export type HostCheck = (request: Addressed) => Promise<void> | undefined

/**
 * Which names the server goes by. A page in somebody's browser may be given a name that leads to this machine (DNS rebinding), and
 * would then act as whatever everybody's password lets it: as long as the administrator has that one, only names that lead nowhere
 * else are answered, and those that the deployment gave.
 */
export function createHostCheck(
  allowedHosts: readonly string[],
  baseUrls: Pick<BaseUrls, 'namedHosts'>,
  hasDefaultPassword: () => boolean | Promise<boolean>,
): HostCheck {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))

  function isAlwaysServed(host: string): boolean {
    const name = nameOf(host)
    return (
      isLoopback(name) || allowed.has(name) || [...allowed].some((one) => one.startsWith('*.') && name.endsWith(one.slice(1)))
    )
  }

  async function requireOwnPassword(host: string, isDefault: Promise<boolean>): Promise<void> {
    if (await isDefault) throw hostNotServed({ host })
  }

  return (request) => {
    const host = baseUrls.namedHosts(request).find((one) => !isAlwaysServed(one))
    if (host === undefined) return undefined
    if (allowed.size > 0) throw hostNotServed({ host })
    const isDefault = hasDefaultPassword()
    if (isDefault instanceof Promise) return requireOwnPassword(host, isDefault)
    if (isDefault) throw hostNotServed({ host })
    return undefined
  }
}

/** Without port, brackets and the dot that may end it. */
function nameOf(host: string): string {
  const [, address] = /^\[([^\]]*)\](?::\d*)?$/.exec(host) ?? []
  return address ?? host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
}
