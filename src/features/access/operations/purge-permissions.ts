import { defineOperation } from '../../../automation/operation.ts'
import { required } from '../../../automation/parameter.ts'
import { splitList } from '../../../automation/values/split-list.ts'
import { submitBulk } from '../../../core/bulk/bulk-commands.ts'
import { listed, quoted } from '../../../core/search/query/nxql-text.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { namesExpected, permissionsPurge } from '../permissions-purge.ts'

export const permissionsPurgeOperation = defineOperation({
  id: 'PermissionsPurge',
  category: 'Services',
  description: 'Takes all entries of users from the given documents, or from every document, in the background.',
  effect: 'writes',
  access: { administrators: true },
  params: { usernames: required('string', { description: 'Users and groups, separated by commas' }) },
  run: ({ on }) => [
    on('documents', 'void', (documents, { session, params }) => purge(session, params.usernames, documents)),
    on('document', 'void', (document, { session, params }) => purge(session, params.usernames, [document])),
    on('void', 'void', (_, { session, params }) => purge(session, params.usernames)),
  ],
})

/** @throws namesExpected, and bulkActionClosed to all but administrators */
async function purge(session: WriteSession, usernames: string, documents?: readonly Document[]): Promise<void> {
  const names = splitList(usernames).filter((name) => name !== '')
  if (names.length === 0) throw namesExpected({})
  if (documents?.length === 0) return
  const concerned = [`ecm:acl/*1/principal IN ${literals(names)}`]
  if (documents !== undefined) concerned.push(`ecm:uuid IN ${literals(documents.map(({ id }) => id))}`)
  await submitBulk(session, permissionsPurge, {
    parameters: { usernames: names },
    query: `SELECT * FROM Document, Relation WHERE ${concerned.join(' AND ')}`,
    isUnrestricted: true,
  })
}

function literals(texts: readonly string[]): string {
  return listed(texts.map(quoted))
}
