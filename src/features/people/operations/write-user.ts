import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { optional, type ParametersOf, required } from '../../../automation/parameter.ts'
import { userDirectory } from '../../../core/directories/people.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import type { Session } from '../../../core/session.ts'
import { readBody } from '../../../rest/payload/declared-input.ts'
import { createUser, prepareUser, userExists } from '../users/create-user.ts'
import { prepareUserChange, updateUser } from '../users/update-user.ts'
import { parseUser, type SentUser, userBody } from '../users/user-body.ts'
import type { UserChange } from '../users/user-change.ts'
import { readUserSchema } from '../users/user-directory.ts'
import { given, isCreation, withoutPrefix, writeMode } from './write-mode.ts'

const userParameters = {
  username: required('string'),
  password: optional('string'),
  email: optional('string'),
  firstName: optional('string'),
  lastName: optional('string'),
  company: optional('string'),
  tenantId: optional('string'),
  groups: optional('stringlist', { description: 'The groups that the user is in, instead of those that it is in' }),
  properties: optional('properties', { description: 'Fields of the user schema, with or without user: before them' }),
  mode: writeMode,
} as const

/** Waits for the password to be hashed. */
export const createOrUpdateUser = defineOperation({
  id: 'User.CreateOrUpdate',
  aliases: ['Services.CreateUser'],
  category: 'Users & Groups',
  description: 'Makes a user, or changes what is given of one. What is blank is left as it is.',
  effect: 'waits',
  access: { administrators: true },
  params: userParameters,
  run: ({ on }) => [
    on('void', 'void', async (_, { session, params, context }) => {
      requirePeopleEditor(session.principal, [], context.services.principalRules, 'User is not allowed to create or edit users')
      const { name = '', change } = readUser(session, params)
      const { directories } = context
      const find = ({ reader }: Session) => reader.directories.find(userDirectory, name)
      const isNew = (stored: object | undefined) => isCreation(params.mode, { kind: 'user', name }, stored !== undefined)
      if (!isNew(await directories.read(find))) return update(context, name, change)
      await create(context, name, change).catch(async (error: unknown) => {
        // Another call may make the user at the same time, which is seen for sure where nobody else writes.
        if (!userExists.is(error) || isNew(await directories.write(find))) throw error
        await update(context, name, change)
      })
    }),
  ],
})

function readUser(session: Session, params: ParametersOf<typeof userParameters>): SentUser {
  const { username, mode: _mode, groups, properties = {}, ...texts } = params
  const all = { ...withoutPrefix('user', properties), ...given(texts), ...(groups !== undefined && { groups }) }
  const user = readBody(userBody, { 'entity-type': 'user', id: username, properties: all })
  return parseUser(user, readUserSchema(session))
}

async function create(context: OperationContext, name: string, change: UserChange): Promise<void> {
  const { services } = context
  const user = await context.directories.read((session) => prepareUser(session, services, name, change))
  await context.directories.write((session) => createUser(session, services, user))
}

async function update(context: OperationContext, name: string, change: UserChange): Promise<void> {
  const { services } = context
  const prepared = await context.directories.read((session) => prepareUserChange(session, services, name, change))
  await context.directories.write((session) => updateUser(session, services, name, prepared))
}
