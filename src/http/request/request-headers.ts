import type { IncomingHttpHeaders } from 'node:http'
import { memoisedByText } from '../../base/cache/memo.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { Answer } from '../../rest/answer.ts'

/**
 * Whether an `Accept` header lets JSON pass, wherever it stands in the list. The old media types with a `+` suffix are
 * JSON too (contract: security 9.9).
 */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true
  return jsonAcceptance(accept)
}

/** Whether a person's browser asks: it names HTML, and rather wants that than JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const qualities = parseQualities(accept)
  return (qualities.get('text/html') ?? 0) > (qualities.get('application/json') ?? 0)
}

export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return acceptEncoding !== undefined && gzipAcceptance(acceptEncoding)
}

// Clients send few different values, and each on every request.
const jsonAcceptance = memoisedByText(parseJsonAcceptance, { maxEntries: 500 })
const gzipAcceptance = memoisedByText(parseGzipAcceptance, { maxEntries: 500 })

function parseJsonAcceptance(accept: string): boolean {
  const qualities = parseQualities(accept)
  if (qualities.size === 0) return true
  const named = [...qualities].filter(([range]) => /^application\/json(\+\w+)?$/.test(range))
  // What is named exactly decides, whatever a wildcard says.
  if (named.length > 0) return named.some(([, quality]) => quality > 0)
  return (qualities.get('application/*') ?? qualities.get('*/*') ?? 0) > 0
}

function parseGzipAcceptance(acceptEncoding: string): boolean {
  const qualities = parseQualities(acceptEncoding)
  return (qualities.get('gzip') ?? qualities.get('*') ?? 0) > 0
}

function parseQualities(header: string): Map<string, number> {
  const qualities = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    if (range !== '') qualities.set(range, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  return qualities
}

/** The content type of an answer; null when it has no content. Entities name what they are in a parameter. */
export type ContentTypes = (answer: Answer) => string | null

export function createContentTypes(vendored: VendorIdentifiers): ContentTypes {
  const parameter = vendored('platform-entity')
  const ofEntities = new Map<string | undefined, string>([[undefined, 'application/json']])
  return (answer) => {
    if (answer.kind === 'empty') return null
    if (answer.kind === 'text' || answer.kind === 'stream' || answer.kind === 'live') return answer.contentType
    const { entityType } = answer
    const contentType = ofEntities.get(entityType) ?? `application/json; ${parameter}=${entityType}`
    ofEntities.set(entityType, contentType)
    return contentType
  }
}

/** Reads a header whose name carries the vendor's word. */
interface VendorHeader {
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
