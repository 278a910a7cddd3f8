import { BlockList } from 'node:net'
import { isSameText } from '../../base/same-text.ts'
import type { ApiRequest } from '../../rest/request/request.ts'

export interface MetricsAccess {
  readonly isOpenToLoopback: boolean
  readonly key: string | undefined
}

/** Whether a request is let read without the credentials of a user. */
export function mayRead(
  request: Pick<ApiRequest, 'headers' | 'remoteAddress'>,
  { isOpenToLoopback, key }: MetricsAccess,
): boolean {
  return (key !== undefined && hasKey(request, key)) || (isOpenToLoopback && isOwnProgram(request))
}

function hasKey({ headers }: Pick<ApiRequest, 'headers'>, key: string): boolean {
  const { authorization } = headers
  const sent = typeof authorization === 'string' ? /^bearer +(.+?) *$/i.exec(authorization)?.[1] : undefined
  return sent !== undefined && isSameText(sent, key)
}

/** What proxies add, each of them some. */
const tracesOfProxies = ['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip']
/** What browsers add: a page of anybody may have a browser of this machine ask. */
const tracesOfBrowsers = ['origin', 'referer', 'sec-fetch-site']

/**
 * A connection from this machine may be that of a proxy on it, which speaks for everybody. So one counts only where nothing in the
 * request tells of a proxy, and it was sent to this machine by a name of its own: a proxy that passes on the name which its client used
 * tells by that. One that leaves no trace at all cannot be told apart; `--management-port` is for those.
 */
function isOwnProgram({ headers, remoteAddress }: Pick<ApiRequest, 'headers' | 'remoteAddress'>): boolean {
  if (!isLoopbackAddress(remoteAddress) || !isLoopbackHost(headers['host'])) return false
  const names = Object.keys(headers)
  if (names.some((name) => name.startsWith('x-forwarded') || name.endsWith('-virtual-host'))) return false
  return ![...tracesOfProxies, ...tracesOfBrowsers].some((name) => name in headers)
}

function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false
  const loopback = new BlockList()
  loopback.addSubnet('127.0.0.0', 8)
  loopback.addAddress('::1', 'ipv6')
  // An IPv4 address that came in on an IPv6 socket (`::ffff:127.0.0.1`) is found, too.
  return loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}

function isLoopbackHost(host: string | readonly string[] | undefined): boolean {
  return typeof host === 'string' && /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d+)?$/i.test(host)
}
