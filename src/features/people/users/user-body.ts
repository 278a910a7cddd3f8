import { defineProblem } from '../../../base/problem.ts'
import { type CoercionHooks, coerceProperty, type JsonObject, notDeserialisable } from '../../../model/properties/coercion.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import type { DocumentSchema } from '../../../model/schema.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import { entityBody } from '../../../rest/payload/entity-payload.ts'
import { propertiesField } from '../sent-properties.ts'
import type { UserChange } from './user-change.ts'

/** The `user` entity as clients send it. */
export const userBody = entityBody(
  'user',
  {
    id: Type.Text({ description: 'The name, unless the properties have it' }),
    properties: propertiesField('Fields of the user schema, groups and password among them'),
  },
  [{ 'entity-type': 'user', id: 'ann', properties: { username: 'ann', password: 'a secret', groups: ['members'] } }],
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

/** @throws unknownUserProperty, userNamedTwice, notDeserialisable */
export function parseUser(sent: Static<typeof userBody>, schema: DocumentSchema): SentUser {
  const { username, password, groups, ...properties } = parseProperties(sent.properties ?? {}, schema)
  return {
    name: parseName(sent.id?.trim(), typeof username === 'string' ? username.trim() : ''),
    change: {
      properties,
      ...(groups !== undefined && { groups: parseGroups(groups) }),
      // Forms send back the empty field in which no new one was typed.
      ...(typeof password === 'string' && password.trim() !== '' && { password }),
    },
  }
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
