import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, required } from '../../../automation/parameter.ts'
import { mapInTurns } from '../../../base/map-in-turns.ts'
import { type Grantees, type GranteesWanted, listGrantees } from '../../../core/documents/rights/list-grantees.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'

const shared = {
  permission: required('string'),
  'variable name': required('string', { description: 'The variable that receives the list' }),
  'ignore groups': defaulted('boolean', false, { description: 'Only users that entries name themselves' }),
}

export const getUsersAndGroups = defineOperation({
  id: 'Context.GetUsersGroupIdsWithPermissionOnDoc',
  aliases: ['Document.GetUsersAndGroups'],
  category: 'Users & Groups',
  description: 'Puts the users and groups to whom entries give a permission on the document into a variable.',
  effect: 'reads',
  params: {
    ...shared,
    'resolve groups': defaulted('boolean', false, { description: 'The members of groups instead of the groups' }),
    'prefix identifiers': defaulted('boolean', false, { description: 'Names begin with user: or group:' }),
  },
  run: ({ on }) => [
    on('document', 'document', async (document, { session, params, context }) => {
      const ignoresGroups = params['ignore groups']
      const wanted = { permission: params.permission, resolvesGroups: params['resolve groups'] && !ignoresGroups }
      const { users, groups } = await findGrantees(session, context, document, wanted)
      const prefixed = (prefix: string, names: readonly string[]) =>
        params['prefix identifiers'] ? names.map((name) => `${prefix}:${name}`) : names
      setTexts(context, params['variable name'], [
        ...prefixed('user', users),
        ...(ignoresGroups ? [] : prefixed('group', groups)),
      ])
      return document
    }),
  ],
})

export const getEmails = defineOperation({
  id: 'Context.GetEmailsWithPermissionOnDoc',
  aliases: ['Document.GetPrincipalEmails'],
  category: 'Users & Groups',
  description: 'Puts the e-mail addresses of those to whom entries give a permission on the document into a variable.',
  effect: 'reads',
  params: shared,
  run: ({ on }) => [
    on('document', 'document', async (document, { session, params, context }) => {
      const wanted = { permission: params.permission, resolvesGroups: !params['ignore groups'] }
      const { users } = await findGrantees(session, context, document, wanted)
      const found = await mapInTurns(users, (name) => context.services.principals.findUser(name))
      const emails = found.map((user) => user?.properties['email']).filter((email) => typeof email === 'string' && email !== '')
      setTexts(context, params['variable name'], [...new Set(emails as string[])])
      return document
    }),
  ],
})

function findGrantees(
  session: Session,
  context: OperationContext,
  document: Document,
  wanted: GranteesWanted,
): Promise<Grantees> {
  const { principals } = context.services
  return context.directories.read(({ reader: { directories } }) =>
    listGrantees(session, { principals, directories }, document, wanted),
  )
}

function setTexts({ variables }: OperationContext, name: string, texts: readonly string[]): void {
  variables.set(name, { kind: 'list', items: texts.map((text) => ({ kind: 'string', text })) })
}
