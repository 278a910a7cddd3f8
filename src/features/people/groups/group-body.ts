import type { Json } from '../../../base/json.ts'
import { isJsonObject } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { groupDirectory } from '../../../core/directories/people.ts'
import { type CoercionHooks, coerceProperty, type JsonObject, notDeserialisable } from '../../../model/properties/coercion.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import type { DocumentSchema } from '../../../model/schema.ts'
import { Type } from '../../../rest/openapi/schema.ts'
import { findText, parseEntity } from '../../../rest/payload/entity-payload.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import type { Services } from '../../../rest/services.ts'
import { requireStorableName } from '../principal-name.ts'
import type { GroupChange } from './group-change.ts'

const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

/** The `group` entity as clients send it. */
export const groupBody = Type.Object(
  {
    'entity-type': Type.Literal('group'),
    id: Type.Optional(Type.String({ description: 'The name; needed to create' })),
    groupname: Type.Optional(Type.String({ description: 'The name in its older place' })),
    grouplabel: Type.Optional(Type.String({ description: 'The label in its older place' })),
    properties: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'grouplabel, description, tenantId' })),
    memberUsers: names('Users in the group, instead of those that are'),
    memberGroups: names('Groups in the group, instead of those that are'),
    parentGroups: names('Groups that the group is in, instead of those that it is in'),
  },
  {
    additionalProperties: true,
    examples: [{ 'entity-type': 'group', id: 'editors', properties: { grouplabel: 'Editors' }, memberUsers: ['Administrator'] }],
  },
)

export const unknownGroupProperty = defineProblem(
  'unknownGroupProperty',
  'invalid',
  (of: { name: string; known: readonly string[] }) =>
    `A group has no property ${of.name.slice(0, 100)}. It has ${of.known.join(', ')}; members and parents stand beside properties.`,
)

export const notAListOfNames = defineProblem(
  'notAListOfNames',
  'invalid',
  (of: { field: string }) => `${of.field} must be a list of names.`,
)

/** What a client says about a group. */
export interface SentGroup {
  /** Undefined when none is given. */
  readonly name: string | undefined
  readonly change: GroupChange
}

/** Fields that the schema has and that stand beside the properties, under other names. */
const linkFields = ['members', 'subGroups', 'parentGroups']

/** The group that a request is about. @throws as parseGroup does. */
export function readSentGroup({ request, services }: Exchange): SentGroup {
  return parseGroup(request.body, readGroupSchema(services))
}

export function readGroupSchema({ directories: { definitions, model } }: Pick<Services, 'directories'>): DocumentSchema {
  const schema = model.schemas.get(definitions.get(groupDirectory)?.schema ?? '')
  if (schema === undefined) throw new Error('There is no schema of groups.')
  return schema
}

/** @throws notAnObject, entityTypeMissing, entityTypeWrong, unknownGroupProperty, notDeserialisable, notAListOfNames, invalidPrincipalName */
export function parseGroup(body: Json | undefined, schema: DocumentSchema): SentGroup {
  const sent = parseEntity(body, 'group')
  const properties = propertiesOf(sent)
  const label = sent['grouplabel'] ?? undefined
  if (label !== undefined && typeof label !== 'string') throw notDeserialisable({ xpath: 'grouplabel' })
  const memberUsers = parseNames(sent, 'memberUsers')
  const memberGroups = parseNames(sent, 'memberGroups')
  const parentGroups = parseNames(sent, 'parentGroups')
  return {
    name: (findText(sent, 'groupname') ?? findText(sent, 'id') ?? findText(properties, 'groupname'))?.trim(),
    change: {
      properties: parseProperties(properties, schema),
      ...(label !== undefined && { label }),
      ...(memberUsers && { memberUsers }),
      ...(memberGroups && { memberGroups }),
      ...(parentGroups && { parentGroups }),
    },
  }
}

function propertiesOf({ properties = null }: JsonObject): JsonObject {
  if (properties === null) return {}
  if (!isJsonObject(properties)) throw notDeserialisable({ xpath: 'properties' })
  return properties
}

function parseProperties(sent: JsonObject, schema: DocumentSchema): { [field: string]: PropertyValue } {
  const fields = schema.fields.filter(({ name }) => !linkFields.includes(name))
  const properties: { [field: string]: PropertyValue } = {}
  for (const [name, value] of Object.entries(sent)) {
    if (linkFields.includes(name)) continue
    const field = fields.find((one) => one.name === name)
    if (field === undefined) throw unknownGroupProperty({ name, known: fields.map((one) => one.name) })
    properties[name] = coerceProperty({ name, schema, field, isSecured: false }, value, plainValues)
  }
  return properties
}

/** Entries of directories hold neither files nor entities in place of ids. */
const plainValues: CoercionHooks = { blob: () => undefined, reference: () => undefined, emptyStringIsNull: false }

/** Clients leave out what they do not mean to change; what is no name they are forgiven. */
function parseNames(sent: JsonObject, field: string): readonly string[] | undefined {
  const list = sent[field] ?? undefined
  if (list === undefined) return undefined
  if (!Array.isArray(list)) throw notAListOfNames({ field })
  const given = new Set(list.filter((item): item is string => typeof item === 'string' && item.trim() !== ''))
  for (const name of given) requireStorableName(field, name)
  return [...given]
}
