import { defineOperation } from '../../../automation/operation.ts'
import { importBlobs } from '../../file-import/index.ts'
import { getOrCreateUserWorkspace, mayHaveWorkspace } from '../user-workspace.ts'

export const getUserWorkspace = defineOperation({
  id: 'User.GetUserWorkspace',
  aliases: ['UserWorkspace.Get'],
  category: 'Users & Groups',
  description: 'Gives the personal workspace of the current user, which is made when it is first asked for.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [
    on('void', 'document', async (_, { session, context }) =>
      mayHaveWorkspace(session.principal) ? getOrCreateUserWorkspace(session, context.services) : undefined,
    ),
  ],
})

export const createDocumentFromBlob = defineOperation({
  id: 'UserWorkspace.CreateDocumentFromBlob',
  category: 'Services',
  description: 'Makes documents of the files in the personal workspace of the current user.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [
    on('blob', 'document', async (blob, { session, context }) => {
      if (!mayHaveWorkspace(session.principal)) return undefined
      const workspace = await getOrCreateUserWorkspace(session, context.services)
      const [document] = await importBlobs(context, [blob], { readParent: async () => workspace })
      return document
    }),
    on('bloblist', 'documents', async (blobs, { session, context }) => {
      if (!mayHaveWorkspace(session.principal)) return []
      const workspace = await getOrCreateUserWorkspace(session, context.services)
      return importBlobs(context, blobs, { readParent: async () => workspace })
    }),
  ],
})
