import { removeDocument } from '../../core/documents/remove-document.ts'
import type { InlineListener, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { relationOperations } from './operations.ts'
import { hasRelations, listRelationsOf } from './relation.ts'
import { predicateDirectories, relationSchema, relationType, relationTypes } from './relation-model.ts'

const documentsAtOnce = 500

/** Takes the relations of all that is about to be removed, while it can still be told what is below it. */
const dropRelationsWithDocument: InlineListener = {
  name: 'dropRelationsWithDocument',
  when: 'inline',
  events: ['aboutToRemove', 'aboutToRemoveVersion'],
  async handle({ document }, session) {
    if (document.type === relationType || !(await hasRelations(session))) return
    await drop(session, [document.id])
    for await (const ids of everyIdBelow(session, document)) await drop(session, ids)
  },
}

async function* everyIdBelow({ tx }: WriteSession, { path }: Document): AsyncGenerator<readonly DocumentId[]> {
  let after: string | undefined
  while (path !== null) {
    const page = await tx.documents.listBelow(path, after, documentsAtOnce)
    if (page.length > 0) yield page.map(({ id }) => id)
    after = page.at(-1)?.path ?? undefined
    if (page.length < documentsAtOnce) return
  }
}

async function drop(session: WriteSession, ids: readonly DocumentId[]): Promise<void> {
  for (const id of await listRelationsOf(session, ids)) await removeDocument(session.asSystem(), id)
}

/** What documents have to do with each other. */
export default definePlugin({
  name: 'relations',
  requires: ['content-model', 'directories'],
  schemas: [relationSchema],
  documentTypes: relationTypes,
  directories: predicateDirectories,
  listeners: [dropRelationsWithDocument],
  operations: relationOperations,
})
