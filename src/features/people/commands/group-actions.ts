import type { Json } from '../../../base/json.ts'
import { type ExitCode, printResult } from '../../../command/command.ts'
import { table } from '../../../command/table.ts'
import { subGroups } from '../../../core/directories/people.ts'
import type { WriteSession } from '../../../core/session.ts'
import { readBody } from '../../../rest/payload/declared-input.ts'
import { createGroup } from '../groups/create-group.ts'
import { deleteGroup } from '../groups/delete-group.ts'
import { readStoredGroup } from '../groups/find-group.ts'
import { groupBody, parseGroup, readGroupSchema, type SentGroup } from '../groups/group-body.ts'
import { updateGroup } from '../groups/update-group.ts'
import { addMember, removeMember } from '../membership/change-membership.ts'
import { type OpenPeople, withPeople } from './open-people.ts'
import type { PeopleCall } from './people-command.ts'
import { describeGroup, listGroupsLike } from './shown-groups.ts'

interface Labels {
  readonly label: string | undefined
  readonly description: string | undefined
}

type Named = { readonly group: string }

export function addGroup(call: PeopleCall<Labels, Named>): Promise<ExitCode> {
  return withPeople(call, async (people) => {
    const { name, change } = sentGroup(people, call.operands.group, call.options)
    const created = await people.access.write((session) => createGroup(session, people.services, name, change))
    return printGroup(call, people, created, `Group ${created} was added.`)
  })
}

export function changeGroup(call: PeopleCall<Labels, Named>): Promise<ExitCode> {
  const { group } = call.operands
  return withPeople(call, async (people) => {
    const { change } = sentGroup(people, group, call.options)
    await people.access.write((session) => updateGroup(session, people.services, group, change))
    return printGroup(call, people, group, `Group ${group} was changed.`)
  })
}

export function listGroups(call: PeopleCall<unknown, { readonly term: string | undefined }>): Promise<ExitCode> {
  return withPeople(call, async ({ services, access }) => {
    const groups = await access.read((session) => listGroupsLike(session, services, call.operands.term ?? '*'))
    const rows = groups.map(({ groupname, grouplabel, description }) => [groupname, grouplabel ?? '', description ?? ''])
    return printResult(call, groups, groups.length === 0 ? 'No groups.' : table(['GROUP', 'LABEL', 'DESCRIPTION'], rows))
  })
}

export function listMembers(call: PeopleCall<unknown, Named>): Promise<ExitCode> {
  return withPeople(call, async (people) => {
    const group = await describeGroup(people, call.operands.group)
    const rows = [...group.memberUsers.map((name) => ['user', name]), ...group.memberGroups.map((name) => ['group', name])]
    return printResult(call, group, rows.length === 0 ? 'No members.' : table(['KIND', 'MEMBER'], rows))
  })
}

type WithUsers = Named & { readonly users: readonly string[] }
type WithGroups = Named & { readonly groups: readonly string[] }

export function addUsers(call: PeopleCall<unknown, WithUsers>): Promise<ExitCode> {
  const { group, users } = call.operands
  return withPeople(call, async (people) => {
    await people.access.write(async (session) => {
      for (const user of users) await addMember(session, people.services, user, group)
    })
    return printGroup(call, people, group, `In ${group} now: ${users.join(', ')}.`)
  })
}

export function removeUsers(call: PeopleCall<unknown, WithUsers>): Promise<ExitCode> {
  const { group, users } = call.operands
  return withPeople(call, async (people) => {
    await people.access.write(async (session) => {
      for (const user of users) await removeMember(session, people.services, user, group)
    })
    return printGroup(call, people, group, `No longer in ${group}: ${users.join(', ')}.`)
  })
}

export function addGroups(call: PeopleCall<unknown, WithGroups>): Promise<ExitCode> {
  const { group, groups } = call.operands
  return withPeople(call, async (people) => {
    const added = new Set(groups)
    await people.access.write((session) => changeSubGroups(session, people, call.operands, (present) => present.union(added)))
    return printGroup(call, people, group, `In ${group} now: ${groups.join(', ')}.`)
  })
}

export function removeGroups(call: PeopleCall<unknown, WithGroups>): Promise<ExitCode> {
  const { group, groups } = call.operands
  return withPeople(call, async (people) => {
    const removed = new Set(groups)
    await people.access.write((session) =>
      changeSubGroups(session, people, call.operands, (present) => present.difference(removed)),
    )
    return printGroup(call, people, group, `No longer in ${group}: ${groups.join(', ')}.`)
  })
}

export function removeGroup(call: PeopleCall<unknown, Named>): Promise<ExitCode> {
  const { group } = call.operands
  return withPeople(call, async ({ services, access }) => {
    await access.write((session) => deleteGroup(session, services, group))
    return printResult(call, { groupname: group, isRemoved: true }, `Group ${group} was removed.`)
  })
}

/** @throws groupNotFound, also for a member that is neither there nor listed: here that is a typing error. */
async function changeSubGroups(
  session: WriteSession,
  { services }: OpenPeople,
  { group, groups }: WithGroups,
  change: (present: Set<string>) => Set<string>,
): Promise<void> {
  const { directories } = session.tx
  await directories.lock()
  await readStoredGroup(session, services, group)
  const present = new Set(await directories.listTargets(subGroups, group))
  for (const name of groups) if (!present.has(name)) await readStoredGroup(session, services, name)
  await updateGroup(session, services, group, { memberGroups: [...change(present)] })
}

/** The same checks that a group goes through that is sent over HTTP. */
function sentGroup(people: OpenPeople, name: string, { label, description }: Labels): SentGroup {
  const properties: { [field: string]: Json } = {}
  if (label !== undefined) properties['grouplabel'] = label
  if (description !== undefined) properties['description'] = description
  return parseGroup(readBody(groupBody, { 'entity-type': 'group', id: name, properties }), readGroupSchema(people.services))
}

async function printGroup(
  call: PeopleCall<unknown, unknown>,
  people: OpenPeople,
  name: string,
  sentence: string,
): Promise<ExitCode> {
  return printResult(call, await describeGroup(people, name), sentence)
}
