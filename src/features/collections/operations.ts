import { defineOperation, type Operation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { jsonBlob } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { nameFrom } from '../../core/documents/name-in-folder.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import type { ProviderPage } from '../../core/search/page/provider-page.ts'
import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import { runProvider } from '../../core/search/providers/run-provider.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import { type Document, type DocumentId, titleOf } from '../../model/document.ts'
import { sanitisedText } from '../../model/properties/value-bounds.ts'
import { requireFound } from '../search/index.ts'
import { addMembers, mayCollectIn, moveMember, removeMembers, requireCollection } from './membership.ts'
import { getOrCreatePlace, ownCollections } from './personal-place.ts'

const category = 'Document'

export const collectionNameMissing = defineProblem(
  'collectionNameMissing',
  'invalid',
  (_: object) => 'The collection must have a name: a text that is not blank.',
)

const create = defineOperation({
  id: 'Collection.Create',
  aliases: ['Collection.CreateCollection'],
  category,
  description: 'Makes a collection in the folder, or among those of the current user.',
  effect: 'writes',
  params: {
    name: required('string', { description: 'The title' }),
    description: optional('string'),
  },
  run: ({ on }) => [
    on('document', 'document', (folder, { session, params }) => createCollection(session, folder, params)),
    on('void', 'document', async (_, { session, context, params }) =>
      createCollection(session, await getOrCreatePlace(context, ownCollections), params),
    ),
  ],
})

async function createCollection(
  session: WriteSession,
  parent: Document,
  { name, description }: { readonly name: string; readonly description: string | undefined },
): Promise<Document> {
  if (sanitisedText(name).trim() === '') throw collectionNameMissing({})
  return createDocument(session, {
    parent,
    type: 'Collection',
    name: nameFrom(name, session.repository.rules.maxSegmentLength),
    properties: { 'dc:title': name, ...(description !== undefined && { 'dc:description': description }) },
  })
}

type About = Pick<Operation, 'id' | 'aliases' | 'description'>
type ChangeMembers = typeof addMembers

/** An operation that does something to a collection with the documents that it is given, and gives these. */
function onMembers(about: About, change: ChangeMembers): Operation {
  return defineOperation({
    ...about,
    category,
    effect: 'writes',
    params: { collection: required('document', { description: 'The collection' }) },
    run: ({ on }) => [
      on('document', 'document', async (member, { session, params: { collection } }) => {
        const [changed] = await changeMembers(session, [member], (ids) => change(session, collection.id, ids))
        return changed
      }),
      on('documents', 'documents', (members, { session, params: { collection } }) =>
        changeMembers(session, members, (ids) => change(session, collection.id, ids)),
      ),
    ],
  })
}

/** All at once, so that the collection is written once however many they are. Gives them as they are then. */
export async function changeMembers(
  session: WriteSession,
  members: readonly Document[],
  change: (ids: readonly DocumentId[]) => Promise<void>,
): Promise<readonly Document[]> {
  const ids = members.map(({ id }) => id)
  await change(ids)
  const changed: Document[] = []
  for (const id of ids) changed.push(await readDocument(session, id))
  return changed
}

const getDocuments = defineOperation({
  id: 'Collection.GetDocumentsFromCollection',
  category,
  description: 'Gives a page of what is in the collection, by title, as far as the caller can read it.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('document', 'documents', (collection, { session }) => listMembers(session, collection))],
})

/** The first page of what is in a collection. @throws notCollection */
export function listMembers(session: Session, collection: Document): Promise<ProviderPage> {
  requireCollection(session, collection)
  const { isProxy, targetId, id } = collection
  return pageOf(session, 'default_content_collection', { parameters: [isProxy && targetId !== null ? targetId : id] })
}

const moveCollectionMember = defineOperation({
  id: 'Document.MoveCollectionMember',
  category,
  description: 'Moves a member of the collection right behind another one, or to the first place; false when one is no member.',
  effect: 'writes',
  params: {
    member1: required('document', { description: 'What is moved' }),
    member2: optional('document', { description: 'Behind which it is put; without it, to the first place' }),
  },
  run: ({ on }) => [
    on('document', 'boolean', ({ id }, { session, params: { member1, member2 } }) =>
      moveMember(session, id, member1.id, member2?.id),
    ),
  ],
})

const titleProvider = 'default_collection'

const getCollections = defineOperation({
  id: 'User.GetCollections',
  aliases: ['Collection.GetCollections'],
  category,
  description: 'Gives a page of the collections whose title begins like the term.',
  effect: 'reads',
  params: { searchTerm: required('string', { description: 'The beginning of a title' }) },
  run: ({ on }) => [
    on('void', 'documents', (_, { session, params }) => pageOf(session, titleProvider, { parameters: [params.searchTerm] })),
  ],
})

/** Before the title of a collection that is not there yet: clients make it when it is chosen. */
const idOfNew = '-999999'

const suggestion = defineOperation({
  id: 'Collection.Suggestion',
  category: 'Services',
  description: 'Suggests collections to somebody who types the beginning of a title, and to make one if none is called so.',
  effect: 'reads',
  params: {
    searchTerm: optional('string', { description: 'The beginning of a title' }),
    currentPageIndex: defaulted('integer', 0, { description: 'The page, counted from 0' }),
    pageSize: defaulted('integer', 20, { description: 'Entries a page' }),
    lang: optional('string', { description: 'Not used: titles are not translated' }),
  },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, params }) => {
      const { searchTerm = '', currentPageIndex: pageIndex, pageSize } = params
      const { documents } = await pageOf(session, titleProvider, { parameters: [searchTerm], pageIndex, pageSize })
      const isThere = documents.some((document) => titleOf(document) === searchTerm)
      const proposal = searchTerm.trim() === '' || isThere ? [] : [{ displayLabel: searchTerm, id: idOfNew + searchTerm }]
      return jsonBlob([...proposal, ...(await Promise.all(documents.map((document) => suggested(session, document))))])
    }),
  ],
})

async function suggested(session: Session, collection: Document) {
  const icon = collection.properties['common:icon']
  return {
    ...((await mayCollectIn(session, collection)) && { id: collection.id }),
    displayLabel: titleOf(collection),
    ...(typeof icon === 'string' && icon !== '' && { icon }),
    path: collection.path,
  }
}

async function pageOf(session: Session, provider: string, request: ProviderRequest): Promise<ProviderPage> {
  return requireFound(await runProvider(session, session.repository.pageProviders.read(provider), request))
}

export const collectionOperations: readonly Operation[] = [
  create,
  onMembers(
    {
      id: 'Document.AddToCollection',
      aliases: ['Collection.AddToCollection'],
      description: 'Puts the documents into a collection that the caller may change.',
    },
    addMembers,
  ),
  onMembers(
    { id: 'Collection.RemoveFromCollection', aliases: [], description: 'Takes the documents out of a collection.' },
    removeMembers,
  ),
  getDocuments,
  moveCollectionMember,
  getCollections,
  suggestion,
]
