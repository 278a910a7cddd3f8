import { everyPageBelow } from '../../core/documents/every-below.ts'
import { removeIfStill } from '../../core/documents/remove-document.ts'
import type { InlineListener, ServerListener, WriteSession } from '../../core/session.ts'
import type { DocumentId } from '../../model/document.ts'
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
    await drop(session, [document.id])
    if (document.path === null) return
    for await (const page of everyPageBelow(session, document.path)) {
      await drop(
        session,
        page.map(({ id }) => id),
      )
    }
  },
}

/** Versions go a while after their document, unless a proxy or a hold keeps them, and are related, too. */
const dropRelationsWithVersions: ServerListener = {
  name: 'dropRelationsWithVersions',
  events: ['orphanVersionsRemoved'],
  async handle({ properties: { ids } }, session) {
    if (!(await hasRelations(session))) return
    const versions = Array.isArray(ids) ? ids.map(String) : []
    for (let start = 0; start < versions.length; start += versionsAtOnce)
      await drop(session, versions.slice(start, start + versionsAtOnce))
  },
}

const versionsAtOnce = 200

async function drop(session: WriteSession, ids: readonly DocumentId[]): Promise<void> {
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
  serverListeners: [dropRelationsWithVersions],
  operations: relationOperations,
})
