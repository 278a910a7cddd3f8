import { requireNoProgram } from '../../../rest/account.ts'
import { writeResource } from '../../../rest/resource-answer.ts'
import { changeOf, nameOf, principalRoot } from '../principal-resource.ts'
import { deleteUser } from './delete-user.ts'
import { readEditableUser, requireUser } from './stored-user.ts'
import { prepareUserChange, updateUser } from './update-user.ts'
import { parseUser, userBody } from './user-body.ts'
import { readUserSchema } from './user-directory.ts'
import { userSchema } from './user-entity.ts'

export const userRoot = principalRoot({
  kind: 'user',
  schema: userSchema,
  read: 'Read the user',
  body: userBody,
  removal: 'Delete the user, also from the groups that list it',
  answers: { 409: 'declared by the configuration' },
  require: (_session, services, name) => requireUser(services, name),
  async put({ exchange, resolve, sent }) {
    const { services } = exchange
    const { user, name, change } = await exchange.directories.read(async (session) => {
      const user = await resolve(session)
      const name = nameOf('user', user)
      await readEditableUser(session, services, name)
      const wanted = changeOf('user', name, parseUser(sent.body, readUserSchema(exchange)))
      if (wanted.password !== undefined && name === exchange.principal.name) requireNoProgram(exchange)
      return { user, name, change: await prepareUserChange(session, services, name, wanted) }
    })
    await exchange.directories.write((session) => updateUser(session, services, name, change))
    return exchange.directories.read((session) => writeResource(exchange, session, user))
  },
  remove: deleteUser,
})
