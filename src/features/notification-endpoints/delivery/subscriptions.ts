import type { Json } from '../../../base/json.ts'
import { isJsonObject } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { SettingObject } from '../../../settings/define-settings.ts'
import type { Scope } from '../scope.ts'

/** Which events go to an endpoint (contract: notification-endpoint 8). */
export interface EndpointSubscription extends Scope {
  readonly endpoint: string
  /** `*` for all. */
  readonly events: readonly string[]
  /** A condition of NXQL that the document has to meet. */
  readonly filter?: string
}

export const wrongSubscription = defineProblem(
  'wrongSubscription',
  'invalid',
  (of: { place: number; expected: string }) => `notificationSubscriptions: number ${of.place} must have ${of.expected}`,
)

const fields: readonly string[] = ['project', 'region', 'endpoint', 'events', 'filter']
const maxSubscriptions = 1_000
const maxEvents = 200
const maxFilter = 2_048

/** @throws wrongSubscription naming what to change */
export function parseSubscriptions(given: readonly SettingObject[] = []): readonly EndpointSubscription[] {
  if (given.length > maxSubscriptions)
    throw wrongSubscription({ place: maxSubscriptions + 1, expected: `no place: there may be ${maxSubscriptions}` })
  return given.map((one, index) => parseSubscription(one, index + 1))
}

function parseSubscription(given: SettingObject, place: number): EndpointSubscription {
  const wrong = (expected: string) => wrongSubscription({ place, expected })
  if (!isJsonObject(given)) throw wrong('the fields of an object')
  const unknown = Object.keys(given).find((field) => !fields.includes(field))
  if (unknown !== undefined) throw wrong(`no field ${unknown}: there are ${fields.join(', ')}`)
  const text = (field: string) => {
    const value = given[field]
    if (typeof value !== 'string' || value === '') throw wrong(`${field}, a text`)
    return value
  }
  const { filter } = given
  if (filter !== undefined && (typeof filter !== 'string' || filter === '' || filter.length > maxFilter))
    throw wrong(`a condition of NXQL of at most ${maxFilter} characters as filter, or none`)
  return {
    project: text('project'),
    region: text('region'),
    endpoint: text('endpoint'),
    events: parseEvents(given['events'], wrong),
    ...(filter !== undefined && { filter }),
  }
}

function parseEvents(given: Json | undefined, wrong: (expected: string) => Error): readonly string[] {
  const isName = (event: Json): event is string => typeof event === 'string' && /^[\w*]{1,100}$/.test(event)
  if (!Array.isArray(given) || given.length === 0 || given.length > maxEvents || !given.every(isName))
    throw wrong(`events, a list of 1 to ${maxEvents} names, or ["*"]`)
  return given
}

/** Those that are for one endpoint. */
export function subscriptionsOf(
  all: readonly EndpointSubscription[],
  { project, region, name }: Scope & { readonly name: string },
): readonly EndpointSubscription[] {
  return all.filter((one) => one.project === project && one.region === region && one.endpoint === name)
}
