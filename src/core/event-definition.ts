/**
 * An event that listeners may name. A plugin that announces one of its own declares it, so that a listener of an
 * unknown event is found at start.
 * @example
 * export default definePlugin({ name: 'invoices', events: [{ name: 'invoiceSettled', kind: 'after' }] })
 */
export interface EventDefinition {
  readonly name: string
  /** `before`: offered to inline listeners. `after`: tells what was done. `server`: of no document that there is, for `serverListeners`. */
  readonly kind: EventKind
}

export type EventKind = 'before' | 'after' | 'server'

/** What happens to documents, whichever feature makes it happen. */
export const documentEvents: readonly EventDefinition[] = [
  ...eventsOf(
    'before',
    'emptyDocumentModelCreated aboutToCreate aboutToImport beforeDocumentModification aboutToRemove aboutToRemoveVersion aboutToMove',
    'aboutToCopy aboutToCheckIn aboutToCheckout beforeRestoringDocument beforeDocumentSecurityModification beforeMakeRecord',
    'beforeSetRetention beforeExtendRetention beforeUnsetRetention beforeSetLegalHold beforeRemoveLegalHold',
  ),
  ...eventsOf(
    'after',
    'documentCreated documentImported documentModified documentProxyUpdated documentRemoved versionRemoved proxyRemoved',
    'documentMoved documentCreatedByCopy documentDuplicated childrenOrderChanged documentCheckedIn documentCheckedOut',
    'documentRestored lifecycle_transition_event documentTrashed documentUntrashed documentLocked documentUnlocked',
    'documentSecurityUpdated documentProxyPublished sectionContentPublished documentPublished sessionSaved search download',
    'binaryTextUpdated afterMakeRecord afterSetRetention afterExtendRetention afterSetLegalHold afterRemoveLegalHold',
    'afterUnsetRetention retentionExpired retentionActiveChanged',
  ),
  ...eventsOf('server', 'aboutToRemoveOrphanVersions orphanVersionsRemoved'),
]

/** The names are separated by spaces. */
export function eventsOf(kind: EventKind, ...lines: readonly string[]): readonly EventDefinition[] {
  return lines.flatMap((line) => line.split(' ')).map((name) => ({ name, kind }))
}
