import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { documentEvents } from '../../src/core/event-definition.ts'
import type { DocumentEvent, Listener } from '../../src/core/session.ts'
import { definePlugin, type Plugin } from '../../src/plugin/define-plugin.ts'

const everyEvent = [
  'emptyDocumentModelCreated',
  'aboutToCreate',
  'documentCreated',
  'beforeDocumentModification',
  'documentModified',
  'aboutToCheckIn',
  'documentCheckedIn',
  'aboutToCheckout',
  'documentCheckedOut',
  'aboutToRemove',
  'aboutToRemoveVersion',
  'documentRemoved',
  'versionRemoved',
  'proxyRemoved',
  'lifecycle_transition_event',
  'beforeDocumentSecurityModification',
  'documentSecurityUpdated',
  'ACEStatusUpdated',
  'permissionNotification',
  'aboutToImport',
  'documentImported',
  'aboutToMove',
  'documentMoved',
  'aboutToCopy',
  'documentCreatedByCopy',
  'documentDuplicated',
  'documentTrashed',
  'documentUntrashed',
  'documentLocked',
  'documentUnlocked',
  'beforeRestoringDocument',
  'documentRestored',
  'childrenOrderChanged',
  'documentProxyUpdated',
  'documentProxyPublished',
  'sectionContentPublished',
  'documentPublished',
  'beforeMakeRecord',
  'afterMakeRecord',
  'beforeSetRetention',
  'afterSetRetention',
  'beforeExtendRetention',
  'afterExtendRetention',
  'beforeSetLegalHold',
  'afterSetLegalHold',
  'beforeRemoveLegalHold',
  'afterRemoveLegalHold',
  'retentionExpired',
  'userWorkspaceCreated',
]

/** These are only offered, to inline listeners. */
const builtinOffers = new Set(documentEvents.filter(({ kind }) => kind === 'before').map(({ name }) => name))

function isOffered(event: string): boolean {
  return builtinOffers.has(event) || event.startsWith('before')
}

/** Listens to everything a server does, and can be told to stand in its way. */
export interface EventRecorder {
  readonly plugin: Plugin
  /** Forgets what was before, and gives the events of what is done now, as inline listeners see them. */
  eventsOf(act: () => Promise<unknown>): Promise<readonly DocumentEvent[]>
  /** What inline listeners have seen since it was last forgotten. */
  readonly recorded: readonly DocumentEvent[]
  /** Does something while every listener of the event throws the error. */
  failingAt<Result>(event: string, error: Error, act: () => Promise<Result>): Promise<Result>
  /** What came after commit since it was last cleared, and whether the document was in the database by then. */
  readonly afterCommit: { readonly event: DocumentEvent; readonly isStored: boolean }[]
}

/** Marks of a session, and events of one feature, are recorded only when asked for: most tests are about documents. */
export function createEventRecorder({ withSessionSaved = false, also = [] as readonly string[] } = {}): EventRecorder {
  const events = [...everyEvent, ...also, ...(withSessionSaved ? ['sessionSaved'] : [])]
  const inline: DocumentEvent[] = []
  const afterCommit: { event: DocumentEvent; isStored: boolean }[] = []
  let failure: { readonly event: string; readonly error: Error } | undefined

  const recorder: Listener = {
    name: 'recorder',
    when: 'inline',
    events,
    order: -1000,
    handle(event) {
      inline.push(event)
      if (failure?.event === event.name) throw failure.error
    },
  }
  const lateRecorder: Listener = {
    name: 'lateRecorder',
    when: 'afterCommit',
    events: events.filter((event) => !isOffered(event)),
    async handle(event, { store }) {
      const found = await store.reader.documents.find(event.document.id)
      afterCommit.push({ event, isStored: found !== undefined })
    },
  }
  return {
    plugin: definePlugin({ name: 'recorder', listeners: [recorder, lateRecorder] }),
    recorded: inline,
    afterCommit,
    async eventsOf(act) {
      inline.length = 0
      await act()
      return [...inline]
    },
    async failingAt(event, error, act) {
      failure = { event, error }
      try {
        return await act()
      } finally {
        failure = undefined
      }
    },
  }
}

/** The first event of the name. */
export function readEvent(events: readonly DocumentEvent[], name: string): DocumentEvent {
  const event = events.find((one) => one.name === name)
  assert.ok(event, `there is an event ${name}`)
  return event
}

/** For what comes soon after an answer, but not before it. */
export async function until(isSo: () => boolean): Promise<void> {
  const patience = AbortSignal.timeout(60_000)
  while (!isSo()) await wait(5, undefined, { signal: patience })
}
