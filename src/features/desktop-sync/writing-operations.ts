import { defineOperation, type Operation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { jsonBlob } from '../../automation/values/flowing-blob.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import { prepareContent } from './file-content.ts'
import { openItemTree } from './item-tree.ts'
import { category, idParameter, parentParameter } from './reading-operations.ts'
import { addToLocallyEdited, registerRoot, unregisterRoot } from './roots.ts'
import { createFileItem, createFolderItem, deleteItem, moveItem, renameItem, updateFileItem } from './write-items.ts'

const getRoots = defineOperation({
  id: 'PlatformDrive.GetRoots',
  category,
  description: 'Lists the documents that the current user synchronises and can read, by title.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [
    on('void', 'documents', async (_, { session, context }) => (await openItemTree(session, context.services.vendored)).roots),
  ],
})

const setSynchronization = defineOperation({
  id: 'PlatformDrive.SetSynchronization',
  category,
  description: 'Has the desktop clients of the current user synchronise a folder or a collection, or not any more.',
  effect: 'writes',
  params: { enable: required('boolean', { description: 'Whether it is synchronised from now on' }) },
  run: ({ on }) => [
    on('document', 'void', async ({ id }, { session, context, params: { enable } }) => {
      if (enable) await registerRoot(session, context.services, id)
      else await unregisterRoot(session, id)
    }),
  ],
})

const parentId = required('string', { description: 'The id of the folder that it goes into' })
const overwrite = defaulted('boolean', false, { description: 'One of the name that is there already serves' })

const createFile = defineOperation({
  id: 'PlatformDrive.CreateFile',
  category,
  description: 'Makes a document of a file in a folder of a desktop client.',
  effect: 'waits',
  params: { parentId, overwrite },
  run: ({ on }) => [
    on('blob', 'blob', async (file, { context, params }) => jsonBlob(await createFileItem(context, file, params))),
  ],
})

const updateFile = defineOperation({
  id: 'PlatformDrive.UpdateFile',
  category,
  description: 'Gives a document other content, as a desktop client has it.',
  effect: 'waits',
  params: { id: idParameter, parentId: parentParameter },
  run: ({ on }) => [
    on('blob', 'blob', async (file, { context, params }) => jsonBlob(await updateFileItem(context, file, params))),
  ],
})

const createFolder = defineOperation({
  id: 'PlatformDrive.CreateFolder',
  category,
  description: 'Makes a folder in a folder of a desktop client.',
  effect: 'writes',
  params: { parentId, name: required('string'), overwrite },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, context, params }) =>
      jsonBlob(await createFolderItem(session, context.services, params)),
    ),
  ],
})

const rename = defineOperation({
  id: 'PlatformDrive.Rename',
  category,
  description: 'Gives a file or a folder another name.',
  effect: 'writes',
  params: { id: idParameter, name: required('string') },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, context, params: { id, name } }) =>
      jsonBlob(await renameItem(session, context.services, id, name)),
    ),
  ],
})

const move = defineOperation({
  id: 'PlatformDrive.Move',
  category,
  description: 'Moves a file or a folder into another folder.',
  effect: 'writes',
  params: { srcId: required('string'), destId: required('string') },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, context, params: { srcId, destId } }) =>
      jsonBlob(await moveItem(session, context.services, srcId, destId)),
    ),
  ],
})

const remove = defineOperation({
  id: 'PlatformDrive.Delete',
  category,
  description: 'Puts a file or a folder into the trash; gives a root up, and takes a member out of its collection.',
  effect: 'writes',
  params: { id: idParameter, parentId: parentParameter },
  run: ({ on }) => [
    on('void', 'void', (_, { session, context, params: { id, parentId: within } }) =>
      deleteItem(session, context.services, id, within),
    ),
  ],
})

const attachBlob = defineOperation({
  id: 'PlatformDrive.AttachBlob',
  category,
  description: 'Gives a document the content that was edited with a desktop client. Gives the file.',
  effect: 'waits',
  params: {
    document: required('document'),
    applyVersioningPolicy: defaulted('boolean', false, {
      description: 'Not used: the policies of the server decide about versions of what comes from clients',
    }),
    factoryName: optional('string', { description: 'Not used: it was part of the policy' }),
  },
  run: ({ on }) => [
    on('blob', 'blob', async (file, { session, context, params: { document } }) => {
      const change = await prepareContent(session, document, file, { followsTitle: false })
      await context.write(async (writing) => {
        await readDocument(writing, document.id)
        await saveDocument(writing, document.id, change, { source: 'drive' })
      })
      return file
    }),
  ],
})

const addToLocallyEditedCollection = defineOperation({
  id: 'PlatformDrive.AddToLocallyEditedCollection',
  category,
  description: 'Puts the document among those that the current user edits with a desktop client.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [on('document', 'document', (document, { context }) => addToLocallyEdited(context, document))],
})

export const writingOperations: readonly Operation[] = [
  getRoots,
  setSynchronization,
  createFile,
  updateFile,
  createFolder,
  rename,
  move,
  remove,
  attachBlob,
  addToLocallyEditedCollection,
]
