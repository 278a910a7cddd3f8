import { BlockList, isIP } from 'node:net'
import { once } from '../../base/cache/memo.ts'

/** An address that was looked at and may be connected to. */
export interface CheckedAddress {
  readonly address: string
  readonly family: 4 | 6
}

export type AddressCheck =
  | ({ readonly kind: 'allowed' } & CheckedAddress)
  /** The name cannot be resolved now. */
  | { readonly kind: 'unknown'; readonly error: string }
  /** It is where nothing may be sent. */
  | { readonly kind: 'denied'; readonly error: string }

export interface AddressRules {
  /** Addresses and ranges that may be connected to though they are not public: `10.1.0.0/16`. */
  readonly allowed: readonly string[]
  /** All addresses of a name; that of the system unless told. */
  lookup?(host: string): Promise<readonly { readonly address: string; readonly family: number }[]>
}

/** Everything that is not of the public network (RFC 6890 and those that updated it). */
const nonPublic: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Teredo and 6to4 lead to IPv4 addresses that are hidden in them; the others are for special uses and examples.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]
/** What IPv6 has given to the public network. */
const publicIpv6: readonly string[] = ['2000::/3']

// Every start asks who may be called, and few servers call anybody: the pattern by which Node.js knows addresses takes it 10 ms to compile.
const nonPublicList = once(() => blockList(nonPublic))
const publicIpv6List = once(() => blockList(publicIpv6))

/**
 * Gives the function that tells to which address a host may be connected to. The caller connects to that very address: a name that is
 * resolved once more could lead elsewhere by then. One address of a name that is denied denies the name.
 */
export function createAddressCheck({ allowed, lookup = resolveAll }: AddressRules): (host: string) => Promise<AddressCheck> {
  const isDenied = createDenial(allowed)
  return async (host) => {
    const name = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
    const found = await findAddresses(name, lookup)
    if ('error' in found) return { kind: 'unknown', error: found.error }
    const denied = found.addresses.find(isDenied)
    const [first] = found.addresses
    if (first === undefined) return { kind: 'unknown', error: `${host} has no address.` }
    if (denied !== undefined) return { kind: 'denied', error: denialOf(host, denied) }
    return { kind: 'allowed', address: first, family: isIP(first) === 6 ? 6 : 4 }
  }
}

function denialOf(host: string, address: string): string {
  const place = address === host ? address : `${host}, which is ${address},`
  return `${place} is no address of the public network. Add it to notificationDeliveryAllowedAddresses if it is meant.`
}

async function findAddresses(
  name: string,
  lookup: NonNullable<AddressRules['lookup']>,
): Promise<{ readonly addresses: readonly string[] } | { readonly error: string }> {
  if (isIP(name) !== 0) return { addresses: [name] }
  try {
    return { addresses: (await lookup(name)).map(({ address }) => address) }
  } catch (error) {
    const { code } = error as { readonly code?: string }
    return { error: `${name} cannot be resolved${code === undefined ? '' : ` (${code})`}.` }
  }
}

function resolveAll(host: string): Promise<readonly { readonly address: string; readonly family: number }[]> {
  return process.getBuiltinModule('node:dns/promises').lookup(host, { all: true })
}

function createDenial(allowed: readonly string[]): (address: string) => boolean {
  const exceptions = blockList(allowed)
  return (given) => {
    const address = embeddedIpv4(given) ?? given
    const family = isIP(address)
    if (family === 0) return true
    const kind = family === 6 ? 'ipv6' : 'ipv4'
    if (exceptions.check(address, kind) || (address !== given && exceptions.check(given, 'ipv6'))) return false
    return nonPublicList().check(address, kind) || (family === 6 && !publicIpv6List().check(address, kind))
  }
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, kind)
    else list.addSubnet(address, Number(bits), kind)
  }
  return list
}

/** The IPv4 address that one of IPv6 stands for: `::ffff:127.0.0.1`, `::127.0.0.1`, and that of a translator, `64:ff9b::7f00:1`. */
function embeddedIpv4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined
  const groups = groupsOf(address)
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0)
  const isMapped = isZero(0, 5) && (groups[5] === 0xffff || groups[5] === 0)
  const isTranslated = groups[0] === 0x64 && groups[1] === 0xff9b && isZero(2, 6)
  if (!isMapped && !isTranslated) return undefined
  const [high = 0, low = 0] = groups.slice(6)
  // Nothing and the host itself are no addresses of IPv4.
  if (isMapped && groups[5] === 0 && high === 0 && low <= 1) return undefined
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight numbers of an address; what follows a percent sign names the device. */
function groupsOf(address: string): readonly number[] {
  const [plain = ''] = address.split('%')
  const dotted = plain.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: readonly string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [before = '', after] = dotted.split('::')
  const parse = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [head, tail] = [parse(before), parse(after ?? '')]
  return [...head, ...Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => 0), ...tail]
}
