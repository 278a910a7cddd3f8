import type { IsoDate } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import { type Fault, invalid } from './compute-problems.ts'
import { type GrpcSettings, parseGrpcSettings, parseText } from './grpc-settings.ts'
import { type JsonFields, readSpelled } from './spelling.ts'

/** A notification endpoint as it is stored (contract: notification-endpoint 2). */
export interface NotificationEndpoint extends NewEndpoint {
  /** Decimal digits of 64 bits: more than a number can hold. */
  readonly id: string
  readonly project: string
  readonly region: string
  readonly created: IsoDate
}

export interface NewEndpoint {
  readonly name: string
  readonly description?: string
  readonly grpcSettings: GrpcSettings
}

const longestDescription = 2_048
const namePattern = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/
const taken: ReadonlySet<string> = new Set(['name', 'description', 'grpcSettings'])
const outputOnly: ReadonlySet<string> = new Set(['kind', 'id', 'creationTimestamp', 'region', 'selfLink'])

/** Reads the body of an insertion, in either spelling, and adds everything that is wrong with it to the faults. */
export function parseEndpoint(body: JsonFields, faults: Fault[]): NewEndpoint | undefined {
  const sent = readSpelled(body, faults)
  for (const name of Object.keys(sent)) {
    if (!taken.has(name) && !outputOnly.has(name))
      faults.push(invalid(`Unknown name "${name}" at 'resource': Cannot find field.`))
  }
  const name = parseName(sent['name'], faults)
  const description = parseText(sent['description'], 'resource.description', longestDescription, faults)
  const grpcSettings = parseGrpcSettings(sent['grpcSettings'], faults)
  if (name === undefined || grpcSettings === undefined) return undefined
  return { name, ...(description !== undefined && { description }), grpcSettings }
}

function parseName(sent: Json | undefined, faults: Fault[]): string | undefined {
  if (sent === undefined || sent === null || sent === '') {
    faults.push({ message: "Required field 'resource.name' not specified", reason: 'required' })
    return undefined
  }
  if (typeof sent === 'string' && namePattern.test(sent)) return sent
  const shown = typeof sent === 'string' ? `'${sent.slice(0, 100)}'` : 'no string'
  faults.push(
    invalid(
      `Invalid value for field 'resource.name': ${shown}. Must be 1 to 63 lower-case letters, digits and hyphens, ` +
        'begin with a letter and not end with a hyphen.',
    ),
  )
  return undefined
}

/** An endpoint as it is answered, in camel case; `base` is what all links of the mount begin with. */
export function writeEndpoint(endpoint: NotificationEndpoint, base: string): JsonFields {
  const { id, project, region, name, description, grpcSettings, created } = endpoint
  const regionLink = regionLinkOf(base, project, region)
  return {
    kind: 'compute#notificationEndpoint',
    id,
    creationTimestamp: created,
    name,
    ...(description !== undefined && { description }),
    region: regionLink,
    grpcSettings: { ...grpcSettings },
    selfLink: `${regionLink}/notificationEndpoints/${name}`,
  }
}

export function regionLinkOf(base: string, project: string, region: string): string {
  return `${base}/projects/${project}/regions/${region}`
}
