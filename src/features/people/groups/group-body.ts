import { defineProblem } from '../../../base/problem.ts'
import { groupDirectory } from '../../../core/directories/people.ts'
import { type CoercionHooks, coerceProperty, type JsonObject, notDeserialisable } from '../../../model/properties/coercion.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import type { DocumentSchema } from '../../../model/schema.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import { entityBody, findText } from '../../../rest/payload/entity-payload.ts'
import type { Services } from '../../../rest/services.ts'
import { requireStorableName } from '../principal-name.ts'
import { propertiesField } from '../sent-properties.ts'
import type { GroupChange } from './group-change.ts'

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

/** Clients leave out what they do not mean to change; what is no name they are forgiven. */
function names(description: string) {
  const list = Type.Array(Type.Forgiving(Type.String({ pattern: '\\S' })), { description })
  return Type.Refused(Type.Optional(Type.Nullable(list)), ({ name: field }) => notAListOfNames({ field }))
}

/** The `group` entity as clients send it. */
export const groupBody = entityBody(
  'group',
  {
    id: Type.Text({ description: 'The name; needed to create' }),
    groupname: Type.Text({ description: 'The name in its older place' }),
    properties: propertiesField('grouplabel, description, tenantId'),
    grouplabel: Type.Refused(
      Type.Optional(Type.Nullable(Type.String(), { description: 'The label in its older place' })),
      ({ name: xpath }) => notDeserialisable({ xpath }),
    ),
    memberUsers: names('Users in the group, instead of those that are'),
    memberGroups: names('Groups in the group, instead of those that are'),
    parentGroups: names('Groups that the group is in, instead of those that it is in'),
  },
  [{ 'entity-type': 'group', id: 'editors', properties: { grouplabel: 'Editors' }, memberUsers: ['Administrator'] }],
)

/** What a client says about a group. */
export interface SentGroup {
  /** Undefined when none is given. */
  readonly name: string | undefined
  readonly change: GroupChange
}

/** Fields that the schema has and that stand beside the properties, under other names. */
const linkFields = ['members', 'subGroups', 'parentGroups']

export function readGroupSchema({ directories: { definitions, model } }: Pick<Services, 'directories'>): DocumentSchema {
  const schema = model.schemas.get(definitions.get(groupDirectory)?.schema ?? '')
  if (schema === undefined) throw new Error('There is no schema of groups.')
  return schema
}

/** @throws unknownGroupProperty, notDeserialisable, invalidPrincipalName */
export function parseGroup(sent: Static<typeof groupBody>, schema: DocumentSchema): SentGroup {
  const properties = sent.properties ?? {}
  const label = sent.grouplabel ?? undefined
  const memberUsers = parseNames(sent, 'memberUsers')
  const memberGroups = parseNames(sent, 'memberGroups')
  const parentGroups = parseNames(sent, 'parentGroups')
  return {
    name: (sent.groupname ?? sent.id ?? findText(properties, 'groupname'))?.trim(),
    change: {
      properties: parseProperties(properties, schema),
      ...(label !== undefined && { label }),
      ...(memberUsers && { memberUsers }),
      ...(memberGroups && { memberGroups }),
      ...(parentGroups && { parentGroups }),
    },
  }
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

function parseNames(
  sent: Static<typeof groupBody>,
  field: 'memberUsers' | 'memberGroups' | 'parentGroups',
): readonly string[] | undefined {
  const given = new Set(sent[field] ?? undefined)
  for (const name of given) requireStorableName(field, name)
  return sent[field] ? [...given] : undefined
}
