import type { Json } from '../../base/json.ts'
import { mayBeStored } from '../../store/storable-text.ts'
import { type Fault, invalid } from './compute-problems.ts'
import { isJsonObject, type JsonFields } from './spelling.ts'

/** Where notifications go to, and how long that is tried (contract: notification-endpoint 2). */
export interface GrpcSettings {
  readonly endpoint: string
  readonly retryDurationSec: number
  readonly authority?: string
  readonly payloadName?: string
  /** Without it the state is never sent anew. */
  readonly resendInterval?: { readonly seconds: string; readonly nanos?: number }
}

const defaultRetryDurationSec = 30
const longestRetryDurationSec = 1_200
const resendSeconds = { min: 600, max: 3_600 }
const longestEndpoint = 2_048
const longestPayloadName = 1_024

const known: ReadonlySet<string> = new Set(['endpoint', 'retryDurationSec', 'authority', 'payloadName', 'resendInterval'])
const place = 'resource.grpcSettings'

/** Reads what was sent, in camel case, and adds what is wrong with it to the faults. */
export function parseGrpcSettings(sent: Json | undefined, faults: Fault[]): GrpcSettings | undefined {
  if (sent === undefined || sent === null) {
    faults.push({ message: `Required field '${place}' not specified`, reason: 'required' })
    return undefined
  }
  if (!isJsonObject(sent)) {
    faults.push(invalid(`Invalid value for field '${place}': an object is expected.`))
    return undefined
  }
  for (const name of Object.keys(sent)) {
    if (!known.has(name)) faults.push(invalid(`Unknown name "${name}" at '${place}': Cannot find field.`))
  }
  const endpoint = parseEndpointAddress(sent['endpoint'], faults)
  const authority = parseAuthority(sent['authority'], faults)
  const payloadName = parseText(sent['payloadName'], `${place}.payloadName`, longestPayloadName, faults)
  const retryDurationSec = parseRetryDuration(sent['retryDurationSec'], faults)
  const resendInterval = parseResendInterval(sent['resendInterval'], faults)
  return {
    endpoint,
    retryDurationSec,
    ...(authority !== undefined && { authority }),
    ...(payloadName !== undefined && { payloadName }),
    ...(resendInterval !== undefined && { resendInterval }),
  }
}

/** A text, or undefined where there is none. What is no text, or a longer one, is a fault. */
export function parseText(sent: Json | undefined, field: string, maxLength: number, faults: Fault[]): string | undefined {
  if (sent === undefined || sent === null) return undefined
  if (typeof sent !== 'string') faults.push(invalid(`Invalid value for field '${field}': a string is expected.`))
  else if (sent.length > maxLength)
    faults.push(invalid(`Invalid value for field '${field}': it has more than ${maxLength} characters.`))
  else if (!mayBeStored(sent))
    faults.push(invalid(`Invalid value for field '${field}': it has characters that no text may have.`))
  else if (sent !== '') return sent
  return undefined
}

const label = '[A-Za-z0-9_](?:[-A-Za-z0-9_]{0,61}[A-Za-z0-9_])?'
const host = `(?:${label}(?:\\.${label})*\\.?|\\[[0-9A-Fa-f:.]{2,45}\\])`
const hostAndPort = new RegExp(`^(?<host>${host})(?::(?<port>\\d{1,5}))?$`)

function isHostAndPort(text: string): boolean {
  const port = Number(hostAndPort.exec(text)?.groups?.['port'] ?? 443)
  return hostAndPort.test(text) && port >= 1 && port <= 65_535
}

function parseEndpointAddress(sent: Json | undefined, faults: Fault[]): string {
  const field = `${place}.endpoint`
  if (sent === undefined || sent === null || sent === '') {
    faults.push({ message: `Required field '${field}' not specified`, reason: 'required' })
    return ''
  }
  const endpoint = parseText(sent, field, longestEndpoint, faults)
  if (endpoint === undefined) return ''
  if (!isHostAndPort(endpoint.replace(/^dns:\/\/\//, '')))
    faults.push(invalid(`Invalid value for field '${field}': '${endpoint}'. Give a host, host:port or dns:///host:port.`))
  return endpoint
}

function parseAuthority(sent: Json | undefined, faults: Fault[]): string | undefined {
  const field = `${place}.authority`
  const authority = parseText(sent, field, longestEndpoint, faults)
  if (authority !== undefined && !isHostAndPort(authority))
    faults.push(invalid(`Invalid value for field '${field}': '${authority}'. Give a host or host:port.`))
  return authority
}

function parseRetryDuration(sent: Json | undefined, faults: Fault[]): number {
  if (sent === undefined || sent === null) return defaultRetryDurationSec
  const seconds = integerOf(sent)
  if (seconds !== undefined && seconds >= 1 && seconds <= longestRetryDurationSec) return seconds
  const field = `${place}.retryDurationSec`
  faults.push(invalid(`Invalid value for field '${field}': ${shown(sent)}. Must be from 1 to ${longestRetryDurationSec}.`))
  return defaultRetryDurationSec
}

/** As an object, or in the text form of durations: `"900s"`. */
function parseResendInterval(sent: Json | undefined, faults: Fault[]): GrpcSettings['resendInterval'] {
  if (sent === undefined || sent === null) return undefined
  const parts = typeof sent === 'string' ? secondsOf(sent) : sent
  const { min, max } = resendSeconds
  const field = `${place}.resendInterval`
  if (!isJsonObject(parts)) {
    faults.push(invalid(`Invalid value for field '${field}': ${shown(sent)}. Give {"seconds": "900"} or "900s".`))
    return undefined
  }
  for (const name of Object.keys(parts)) {
    if (name !== 'seconds' && name !== 'nanos') faults.push(invalid(`Unknown name "${name}" at '${field}': Cannot find field.`))
  }
  const { seconds: sentSeconds = '0', nanos = 0 }: JsonFields = parts
  const seconds = integerOf(sentSeconds)
  if (seconds === undefined || seconds < min || seconds > max)
    faults.push(invalid(`Invalid value for field '${field}.seconds': ${shown(sentSeconds)}. Must be from ${min} to ${max}.`))
  if (nanos !== 0) faults.push(invalid(`Invalid value for field '${field}.nanos': ${shown(nanos)}. Must be 0.`))
  return { seconds: String(seconds ?? min) }
}

function secondsOf(text: string): JsonFields | undefined {
  const [, seconds] = /^(\d{1,12})(?:\.0{1,9})?s$/.exec(text) ?? []
  return seconds === undefined ? undefined : { seconds }
}

/** 64-bit integers are strings in this API; numbers are taken as well. */
function integerOf(sent: Json): number | undefined {
  if (typeof sent === 'string') return /^\d{1,15}$/.test(sent) ? Number(sent) : undefined
  return typeof sent === 'number' && Number.isSafeInteger(sent) ? sent : undefined
}

function shown(value: Json): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)).slice(0, 100)
}
