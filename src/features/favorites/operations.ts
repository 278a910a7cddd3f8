import type { OperationContext } from '../../automation/context.ts'
import { defineOperation, type Operation } from '../../automation/operation.ts'
import type { WriteSession } from '../../core/session.ts'
import { addMembers, changeMembers, getOrCreatePlace, listMembers, removeMembers } from '../collections/index.ts'
import { mayHaveWorkspace } from '../user-workspaces/index.ts'
import { ownFavorites } from './favorites-model.ts'

const category = 'Document'

type About = Pick<Operation, 'id' | 'aliases' | 'description'>

/** An operation that does something to the caller's favorites with the documents that it is given, and gives these. */
function onFavorites(about: About, change: typeof addMembers): Operation {
  const changeFavorites = async (context: OperationContext<WriteSession>, ids: readonly string[]) =>
    change(context.session, (await getOrCreatePlace(context, ownFavorites)).id, ids)
  return defineOperation({
    ...about,
    category,
    effect: 'writes',
    params: {},
    run: ({ on }) => [
      on('document', 'document', async (document, { session, context }) => {
        const [changed] = await changeMembers(session, [document], (ids) => changeFavorites(context, ids))
        return changed
      }),
      on('documents', 'documents', (documents, { session, context }) =>
        changeMembers(session, documents, (ids) => changeFavorites(context, ids)),
      ),
    ],
  })
}

const fetchFavorites = defineOperation({
  id: 'Favorite.Fetch',
  category,
  description: 'Gives the favorites of the current user, a collection that is made when it is first asked for.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [
    on('void', 'document', async (_, { session, context }) =>
      mayHaveWorkspace(session.principal) ? getOrCreatePlace(context, ownFavorites) : undefined,
    ),
  ],
})

const getDocuments = defineOperation({
  id: 'Favorite.GetDocuments',
  aliases: ['Collection.GetElementsInFavorite'],
  category,
  description: 'Gives a page of the favorites of the current user, by title. Which document it is given does not matter.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [
    on('document', 'documents', (_, { context }) => listFavorites(context)),
    on('void', 'documents', (_, { context }) => listFavorites(context)),
  ],
})

async function listFavorites(context: OperationContext<WriteSession>) {
  const { session } = context
  return mayHaveWorkspace(session.principal) ? listMembers(session, await getOrCreatePlace(context, ownFavorites)) : []
}

export const favoritesOperations: readonly Operation[] = [
  onFavorites(
    {
      id: 'Document.AddToFavorites',
      aliases: ['Collection.AddToFavorites'],
      description: 'Puts the documents among the favorites of the current user.',
    },
    addMembers,
  ),
  onFavorites(
    {
      id: 'Document.RemoveFromFavorites',
      aliases: ['Collection.RemoveFromFavorites'],
      description: 'Takes the documents from the favorites of the current user.',
    },
    removeMembers,
  ),
  fetchFavorites,
  getDocuments,
]
