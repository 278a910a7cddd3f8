import type { Json } from '../../../base/json.ts'
import { isJsonObject } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { type CoercionHooks, coerceProperty, type JsonObject, notDeserialisable } from '../../../model/properties/coercion.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import type { DocumentSchema } from '../../../model/schema.ts'
import { Type } from '../../../rest/openapi/schema.ts'
import { findText, parseEntity } from '../../../rest/payload/entity-payload.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import type { UserChange } from './user-change.ts'
import { readUserSchema } from './user-directory.ts'

/** The `user` entity as clients send it. */
export const userBody = Type.Object(
  {
    'entity-type': Type.Literal('user'),
    id: Type.Optional(Type.String({ description: 'The name, unless the properties have it' })),
    properties: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'Fields of the user schema, groups and password among them' }),
    ),
  },
  {
    additionalProperties: true,
    examples: [{ 'entity-type': 'user', id: 'ann', properties: { username: 'ann', password: 'a secret', groups: ['members'] } }],
  },
)

export const unknownUserProperty = defineProblem(
  'unknownUserProperty',
  'invalid',
  (of: { name: string; known: readonly string[] }) =>
    `A user has no property ${of.name.slice(0, 100)}. It has ${of.known.join(', ')}.`,
)

export const userNamedTwice = defineProblem(
  'userNamedTwice',
  'invalid',
  (of: { id: string; username: string }) =>
    `The id ${of.id.slice(0, 100)} and the property username ${of.username.slice(0, 100)} name two users. Send one, or the same twice.`,
)

/** What a client says about a user. */
export interface SentUser {
  /** Undefined when none is given. */
  readonly name: string | undefined
  readonly change: UserChange
}

/** @throws notAnObject, entityTypeMissing, entityTypeWrong, unknownUserProperty, userNamedTwice, notDeserialisable */
export function parseUser(body: Json | undefined, schema: DocumentSchema): SentUser {
  const sent = parseEntity(body, 'user')
  const { username, password, groups, ...properties } = parseProperties(propertiesOf(sent), schema)
  return {
    name: parseName(findText(sent, 'id')?.trim(), typeof username === 'string' ? username.trim() : ''),
    change: {
      properties,
      ...(groups !== undefined && { groups: parseGroups(groups) }),
      // Forms send back the empty field in which nobody typed a new one.
      ...(typeof password === 'string' && password.trim() !== '' && { password }),
    },
  }
}

/** @throws as parseUser does. */
export function readSentUser(exchange: Pick<Exchange, 'request' | 'repository'>): SentUser {
  return parseUser(exchange.request.body, readUserSchema(exchange))
}

function propertiesOf({ properties = null }: JsonObject): JsonObject {
  if (properties === null) return {}
  if (!isJsonObject(properties)) throw notDeserialisable({ xpath: 'properties' })
  return properties
}

function parseName(id: string | undefined, username: string): string | undefined {
  if (username === '') return id
  if (id !== undefined && id !== username) throw userNamedTwice({ id, username })
  return username
}

function parseProperties(sent: JsonObject, schema: DocumentSchema): { [field: string]: PropertyValue } {
  const properties: { [field: string]: PropertyValue } = {}
  for (const [name, json] of Object.entries(sent)) {
    const field = schema.fields.find((one) => one.name === name)
    if (field === undefined) throw unknownUserProperty({ name, known: schema.fields.map((one) => one.name) })
    properties[name] = coerceProperty({ name, schema, field, isSecured: false }, json, plainValues)
  }
  return properties
}

/** Entries of directories hold neither files nor entities in place of ids. */
const plainValues: CoercionHooks = { blob: () => undefined, reference: () => undefined, emptyStringIsNull: false }

function parseGroups(groups: PropertyValue): readonly string[] {
  const names = Array.isArray(groups) ? groups : []
  for (const [index, name] of names.entries()) {
    if (typeof name !== 'string' || name.trim() === '') throw notDeserialisable({ xpath: `groups/${index}` })
  }
  return [...new Set(names as readonly string[])]
}
