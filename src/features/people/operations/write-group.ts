import { defineOperation } from '../../../automation/operation.ts'
import { optional, type ParametersOf, required } from '../../../automation/parameter.ts'
import { groupDirectory } from '../../../core/directories/people.ts'
import { readBody } from '../../../rest/payload/declared-input.ts'
import { createGroup } from '../groups/create-group.ts'
import { groupBody, parseGroup, readGroupSchema, type SentGroup } from '../groups/group-body.ts'
import { updateGroup } from '../groups/update-group.ts'
import { given, isCreation, withoutPrefix, writeMode } from './write-mode.ts'

const groupParameters = {
  groupname: required('string'),
  tenantId: optional('string', { description: 'The tenant that the group is of; the name of the group begins with it' }),
  grouplabel: optional('string'),
  description: optional('string'),
  members: optional('stringlist', { description: 'Users in the group, instead of those that are' }),
  subGroups: optional('stringlist', { description: 'Groups in the group, instead of those that are' }),
  parentGroups: optional('stringlist', { description: 'Groups that the group is in, instead of those that it is in' }),
  properties: optional('properties', { description: 'Fields of the group schema, with or without group: before them' }),
  mode: writeMode,
} as const

type GroupParameters = ParametersOf<typeof groupParameters>

export const createOrUpdateGroup = defineOperation({
  id: 'Group.CreateOrUpdate',
  category: 'Users & Groups',
  description: 'Makes a group, or changes what is given of one. What is blank is left as it is.',
  effect: 'writes',
  access: { administrators: true },
  params: groupParameters,
  run: ({ on }) => [
    on('void', 'void', (_, { params, context }) =>
      context.directories.write(async (session) => {
        const { services } = context
        const { name = '', change } = readGroup(params, services)
        // Of several who make it at the same time, all but the first change it.
        await session.tx.directories.lock()
        const exists = (await session.tx.directories.find(groupDirectory, name)) !== undefined
        if (isCreation(params.mode, { kind: 'group', name }, exists)) await createGroup(session, services, name, change)
        else await updateGroup(session, services, name, change)
      }),
    ),
  ],
})

function readGroup(params: GroupParameters, services: Parameters<typeof readGroupSchema>[0]): SentGroup {
  const { groupname, mode: _mode, members, subGroups, parentGroups, properties = {}, ...texts } = params
  const group = {
    'entity-type': 'group',
    id: nameIn(params.tenantId?.trim(), groupname.trim()),
    properties: { ...withoutPrefix('group', properties), ...given(texts) },
    ...(members !== undefined && { memberUsers: members }),
    ...(subGroups !== undefined && { memberGroups: subGroups }),
    ...(parentGroups !== undefined && { parentGroups }),
  }
  return parseGroup(readBody(groupBody, group), readGroupSchema(services))
}

/** Tenants may have groups of the same name. */
function nameIn(tenantId: string | undefined, name: string): string {
  const prefix = tenantId ? `tenant_${tenantId}_` : ''
  return name.startsWith(prefix) ? name : prefix + name
}
