import type { Json } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import { type ExitCode, printResult } from '../../../command/command.ts'
import { table } from '../../../command/table.ts'
import { readBody } from '../../../rest/payload/declared-input.ts'
import { createUser, prepareUser } from '../users/create-user.ts'
import { deleteUser } from '../users/delete-user.ts'
import { prepareUserChange, updateUser } from '../users/update-user.ts'
import { parseUser, type SentUser, userBody } from '../users/user-body.ts'
import { readUserSchema } from '../users/user-directory.ts'
import { type OpenPeople, withPeople } from './open-people.ts'
import type { PeopleCall } from './people-command.ts'
import { describeUser, listUsersLike } from './shown-users.ts'

export const passwordMissing = defineProblem(
  'passwordMissing',
  'invalid',
  (_: object) => 'no password was given: set QUIRE_USER_PASSWORD or write it to standard input',
)

interface Profile {
  readonly firstName: string | undefined
  readonly lastName: string | undefined
  readonly company: string | undefined
  readonly email: string | undefined
  readonly groups: readonly string[] | undefined
}

type Named = { readonly name: string }

export async function addUser(call: PeopleCall<Profile & { readonly withoutPassword: boolean }, Named>): Promise<ExitCode> {
  const { options, operands } = call
  const password = options.withoutPassword ? undefined : await readPassword(call, operands.name)
  return withPeople(call, async (people) => {
    const { name = '', change } = sentUser(people, operands.name, { ...profileOf(options), password })
    const prepared = await people.access.read((session) => prepareUser(session, people.services, name, change))
    await people.access.write((session) => createUser(session, people.services, prepared))
    return printResult(call, await describeUser(people, name), `User ${name} was added.`)
  })
}

export function changeUser(call: PeopleCall<Profile, Named>): Promise<ExitCode> {
  return withPeople(call, async (people) => {
    await update(people, call.operands.name, profileOf(call.options))
    return printResult(call, await describeUser(people, call.operands.name), `User ${call.operands.name} was changed.`)
  })
}

export async function setPassword(call: PeopleCall<unknown, Named>): Promise<ExitCode> {
  const { name } = call.operands
  const password = await readPassword(call, name)
  return withPeople(call, async (people) => {
    await update(people, name, { password })
    return printResult(call, await describeUser(people, name), `The password of ${name} was set.`)
  })
}

export function listUsers(call: PeopleCall<unknown, { readonly term: string | undefined }>): Promise<ExitCode> {
  return withPeople(call, async ({ services, access }) => {
    const users = await access.read((session) => listUsersLike(session, services, call.operands.term ?? '*'))
    const rows = users.map(({ username, firstName, lastName, email }) => [
      username,
      [firstName, lastName].filter((name) => name !== null).join(' '),
      email ?? '',
    ])
    return printResult(call, users, users.length === 0 ? 'No users.' : table(['USER', 'NAME', 'E-MAIL'], rows))
  })
}

export function showUser(call: PeopleCall<unknown, Named>): Promise<ExitCode> {
  return withPeople(call, async (people) => {
    const user = await describeUser(people, call.operands.name)
    const rows = Object.entries(user).map(([field, value]) => [
      field,
      Array.isArray(value) ? value.join(', ') : String(value ?? ''),
    ])
    return printResult(call, user, table(['FIELD', 'VALUE'], rows))
  })
}

export function removeUser(call: PeopleCall<unknown, Named>): Promise<ExitCode> {
  const { name } = call.operands
  return withPeople(call, async ({ services, access }) => {
    await access.write((session) => deleteUser(session, services, name))
    return printResult(call, { username: name, isRemoved: true }, `User ${name} was removed.`)
  })
}

/** @throws passwordMissing */
async function readPassword(call: PeopleCall<unknown, Named>, name: string): Promise<string> {
  const password = call.settings.userPassword ?? (await call.readSecret(`Password for ${name}`))
  if (password === undefined || password.trim() === '') throw passwordMissing({})
  return password
}

async function update(
  people: OpenPeople,
  name: string,
  properties: { readonly [field: string]: Json | undefined },
): Promise<void> {
  const { services } = people
  const { change } = sentUser(people, name, properties)
  const prepared = await people.access.read((session) => prepareUserChange(session, services, name, change))
  await people.access.write((session) => updateUser(session, services, name, prepared))
}

/** The same checks that a user goes through who is sent over HTTP. */
function sentUser(people: OpenPeople, name: string, given: { readonly [field: string]: Json | undefined }): SentUser {
  const properties = Object.fromEntries(
    Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])),
  )
  return parseUser(
    readBody(userBody, { 'entity-type': 'user', id: name, properties }),
    readUserSchema({ repository: people.services }),
  )
}

function profileOf({ firstName, lastName, company, email, groups }: Profile): { readonly [field: string]: Json | undefined } {
  return { firstName, lastName, company, email, groups }
}
