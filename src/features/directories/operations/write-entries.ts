import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, optional, required } from '../../../automation/parameter.ts'
import { type FlowingBlob, jsonBlob } from '../../../automation/values/flowing-blob.ts'
import type { Json } from '../../../base/json.ts'
import { createEntry } from '../../../core/directories/create-entry.ts'
import { deleteEntry } from '../../../core/directories/delete-entry.ts'
import { fieldsOf } from '../../../core/directories/directories.ts'
import type { DirectoryDefinition } from '../../../core/directories/directory-definition.ts'
import { requireDirectoryEditor } from '../../../core/directories/directory-rights.ts'
import { type EntryChange, prepareEntryChange } from '../../../core/directories/entry-change.ts'
import { entryIdMissing } from '../../../core/directories/entry-id.ts'
import { readDirectory } from '../../../core/directories/read-directory.ts'
import { updateEntry } from '../../../core/directories/update-entry.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { JsonObject } from '../../../model/properties/coercion.ts'
import { shownFields } from '../shown-fields.ts'
import { parseEntries, parseIds } from './sent-entries.ts'

const entriesParameters = {
  directoryName: required('string'),
  entries: required('string', { description: 'The entries, as the text of a JSON list of objects' }),
} as const

/** Where an entry is written. */
interface Editing {
  readonly session: WriteSession
  readonly context: OperationContext
  readonly definition: DirectoryDefinition
}

export const createEntries = defineEntriesEdit(
  'Directory.CreateEntries',
  'Creates entries of a directory and gives their ids.',
  async (editing, entry) => {
    const { id } = await createEntry(editing.session, editing.definition, await readChange(editing, entry))
    return id
  },
)

export const updateEntries = defineEntriesEdit(
  'Directory.UpdateEntries',
  'Changes entries of a directory, those that there are, and gives their ids.',
  async (editing, entry) => {
    const id = idIn(editing, entry)
    if (!(await isThere(editing, id))) return undefined
    await updateEntry(editing.session, editing.definition, id, await readChange(editing, entry))
    return id
  },
)

/** What is sent are entries, and what is given are the ids of those that were edited. */
function defineEntriesEdit(
  id: string,
  description: string,
  edit: (editing: Editing, entry: JsonObject) => Promise<string | undefined>,
) {
  return defineOperation({
    id,
    category: 'Services',
    description,
    effect: 'writes',
    params: entriesParameters,
    run: ({ on }) => [
      on('void', 'blob', (_, { params, context }) =>
        editEntries(context, params.directoryName, () => parseEntries(params.entries), edit),
      ),
    ],
  })
}

export const deleteEntries = defineOperation({
  id: 'Directory.DeleteEntries',
  category: 'Services',
  description: 'Deletes entries of a directory, or marks them as obsolete, and gives the ids of those that there were.',
  effect: 'writes',
  params: {
    directoryName: required('string'),
    entries: required('string', { description: 'The ids, as the text of a JSON list' }),
    markObsolete: defaulted('boolean', false, { description: 'Mark them instead, where the directory has a field for it' }),
  },
  run: ({ on }) => [
    on('void', 'blob', (_, { params, context }) =>
      editEntries(
        context,
        params.directoryName,
        () => parseIds(params.entries),
        async (editing, id) => {
          const { session, definition } = editing
          if (!(await isThere(editing, id))) return undefined
          const isMarked = params.markObsolete && hasField(editing, 'obsolete')
          if (isMarked) await updateEntry(session, definition, id, { values: { obsolete: 1 }, references: {} })
          else await deleteEntry(session, definition, id)
          return id
        },
      ),
    ),
  ],
})

export const createVocabularyEntry = defineOperation({
  id: 'Directory.CreateVocabularyEntry',
  category: 'Services',
  description: 'Creates an entry of a vocabulary, unless there is one with that id.',
  effect: 'writes',
  params: {
    vocabularyName: required('string'),
    id: required('string', { description: 'Nothing is done when it is blank' }),
    label: optional('string', { description: 'The id unless told' }),
    parent: optional('string'),
    obsolete: optional('long'),
    ordering: optional('long'),
  },
  run: ({ on }) => [
    on('void', 'void', async (_, { params, context }) => {
      const { vocabularyName, id, label, parent, obsolete, ordering } = params
      await editEntries(
        context,
        vocabularyName,
        () => [id],
        async (editing) => {
          if (id.trim() === '') return undefined
          await editing.session.tx.directories.lock()
          if (await isThere(editing, id)) return undefined
          const sent = { label: label ?? id, parent, obsolete, ordering, [editing.definition.idField]: id }
          const given = Object.entries(sent).filter(
            (entry): entry is [string, string | number | bigint] => entry[1] !== undefined,
          )
          await createEntry(editing.session, editing.definition, await readChange(editing, Object.fromEntries(given)))
          return id
        },
      )
    }),
  ],
})

/** Does something to each of what was sent, as far as the caller may, and gives the ids of the entries it was done to. */
async function editEntries<Sent>(
  context: OperationContext,
  directory: string,
  parse: () => readonly Sent[],
  edit: (editing: Editing, sent: Sent) => Promise<string | undefined>,
): Promise<FlowingBlob> {
  const ids = await context.directories.write(async (session) => {
    const definition = readDirectory(session, directory)
    requireDirectoryEditor(session.principal, definition)
    const edited: string[] = []
    for (const one of parse()) {
      const id = await edit({ session, context, definition }, one)
      if (id !== undefined) edited.push(id)
    }
    return edited
  })
  return jsonBlob(ids)
}

/** By the names of the fields, not by those that clients know them by. */
function readChange({ context: { services }, definition }: Editing, sent: JsonObject): Promise<EntryChange> {
  const { directories, vendored } = services
  const named: { [field: string]: Json } = {}
  for (const [shown, field] of shownFields({ directories, facts: { vendored } }, definition)) {
    const value = Object.hasOwn(sent, shown) ? sent[shown] : undefined
    if (value !== undefined) named[field.name] = value
  }
  return prepareEntryChange(directories, definition, named)
}

/** @throws entryIdMissing */
function idIn({ definition: { name: directory, idField } }: Editing, entry: JsonObject): string {
  const id = entry[idField]
  if (id === undefined || id === null || String(id).trim() === '') throw entryIdMissing({ directory })
  return String(id)
}

async function isThere({ session, definition }: Editing, id: string): Promise<boolean> {
  return (await session.tx.directories.find(definition.name, id)) !== undefined
}

function hasField({ session, definition }: Editing, name: string): boolean {
  return fieldsOf(session.repository.directories, definition).some((field) => field.name === name)
}
