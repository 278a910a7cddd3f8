import { everyPageBelow } from '../../core/documents/every-below.ts'
import { removeIfStill } from '../../core/documents/remove-document.ts'
import type { InlineListener, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { relationOperations } from './operations.ts'
import { hasRelations, listRelationsOf } from './relation.ts'
import { predicateDirectories, relationSchema, relationType, relationTypes } from './relation-model.ts'
import { relationsEnricher } from './relations-enricher.ts'

/** Takes the relations of all that is about to be removed, while it can still be told what is below it. */
const dropRelationsWithDocument: InlineListener = {
  name: 'dropRelationsWithDocument',
  when: 'inline',
  events: ['aboutToRemove', 'aboutToRemoveVersion'],
  async handle({ document }, session) {
    if (document.type === relationType || !(await hasRelations(session))) return
    await drop(session, [document])
    if (document.path === null) return
    for await (const page of everyPageBelow(session, document.path)) await drop(session, page)
  },
}

async function drop(session: WriteSession, documents: readonly Document[]): Promise<void> {
  const ids = documents.map(({ id }) => id)
  for (const id of await listRelationsOf(session, ids)) await removeIfStill(session.asSystem(), id)
}

/** What documents have to do with each other. */
export default definePlugin({
  name: 'relations',
  requires: ['content-model', 'directories'],
  schemas: [relationSchema],
  documentTypes: relationTypes,
  directories: predicateDirectories,
  enrichers: [relationsEnricher],
  listeners: [dropRelationsWithDocument],
  operations: relationOperations,
})
