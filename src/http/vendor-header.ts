import type { IncomingHttpHeaders } from 'node:http'
import type { VendorIdentifiers } from '../base/vendor.ts'

/** Reads a header whose name carries the vendor's word. */
export interface VendorHeader {
  /** What it says, in the deployment's own spelling before any other. */
  find(headers: IncomingHttpHeaders): string | undefined
  isIn(headers: IncomingHttpHeaders): boolean
}

/**
 * Clients and proxies that were set up for another deployment spell the word as that does, so each is heard.
 * @example
 * vendorHeader('platform-virtual-host', vendorIdentifiers('platform')).find({ 'acme-virtual-host': 'https://dms.example.com/' })
 */
export function vendorHeader(neutral: string, vendored: VendorIdentifiers): VendorHeader {
  const own = vendored(neutral)
  const ending = neutral.replace('platform', '')
  const find = (headers: IncomingHttpHeaders): string | undefined => {
    const value = headers[own] ?? headers[neutral]
    if (value !== undefined) return String(value)
    for (const name in headers) if (name.endsWith(ending) && isWord(name.slice(0, -ending.length))) return String(headers[name])
    return undefined
  }
  return { find, isIn: (headers) => find(headers) !== undefined }
}

function isWord(text: string): boolean {
  return /^[a-z][a-z0-9]*$/.test(text)
}
