import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

/** Answers for one name in place of the system, in this process. */
export interface NameService {
  /** How often the name was looked up. */
  readonly asked: number
  stop(): void
}

/** Whoever looks the name up for the nth time is given the nth of these lists, and the last one from then on. */
export function answerForName(name: string, answers: readonly (readonly string[])[]): NameService {
  const before = dns.lookup
  let asked = 0
  const lookup = async (host: string, options?: object) => {
    if (host !== name) return before(host, options ?? {})
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    const found: LookupAddress[] = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    return options !== undefined && 'all' in options && options.all === true ? found : found[0]
  }
  dns.lookup = lookup as typeof dns.lookup
  syncBuiltinESMExports()
  return {
    get asked() {
      return asked
    },
    stop() {
      dns.lookup = before
      syncBuiltinESMExports()
    },
  }
}
