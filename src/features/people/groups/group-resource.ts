import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import { writeResource } from '../../../rest/resource-answer.ts'
import { changeOf, nameOf, principalRoot } from '../principal-resource.ts'
import { editRefusal } from '../refusals.ts'
import { deleteGroup } from './delete-group.ts'
import { requireGroup } from './find-group.ts'
import { groupBody, parseGroup, readGroupSchema } from './group-body.ts'
import { groupSchema } from './group-entity.ts'
import { updateGroup } from './update-group.ts'

export const groupRoot = principalRoot({
  kind: 'group',
  schema: groupSchema,
  read: 'Read the group; `fetch.group` shows memberUsers, memberGroups, parentGroups',
  body: groupBody,
  removal: 'Delete the group; its members stay',
  require: requireGroup,
  put: ({ exchange, resolve, sent }) =>
    exchange.directories.write(async (session) => {
      const group = await resolve(session)
      const name = nameOf('group', group)
      requirePeopleEditor(session.principal, [], exchange.services.principalRules, editRefusal)
      const { change, ...named } = parseGroup(sent.body, readGroupSchema(exchange.services))
      await updateGroup(session, exchange.services, name, changeOf('group', name, { ...named, change }))
      return writeResource(exchange, session, group)
    }),
  remove: deleteGroup,
})
