import { dropAceNotes, type PlacedAceNote, storeAceNote } from '../../core/documents/rights/ace-note.ts'
import { announce } from '../../core/event.ts'
import type { DocumentEvent, InlineListener, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { aceId } from '../../model/rights/ace-id.ts'
import { type Ace, type Acl, aceStatus } from '../../model/rights/acl.ts'
import { addedAces, type PlacedAce } from '../../model/rights/acl-change.ts'

/** Stores a note beside each new entry and removes it with the entry; announces the grant where the note asks to notify. */
export const storeNotesOfEntries: InlineListener = {
  name: 'keepNotesOfEntries',
  when: 'inline',
  events: ['documentSecurityUpdated'],
  async handle({ document, properties }, session) {
    const { removed, added } = changedEntries(properties)
    await dropAceNotes(session, [
      { documentId: document.id, acls: removed.map(({ aclName: name, ace }) => ({ name, aces: [ace] })) },
    ])
    const notes = (properties['aceNotes'] ?? []) as readonly PlacedAceNote[]
    for (const { aclName, ace } of added) {
      const note = notes.find((one) => one.aclName === aclName && one.aceId === aceId(ace))
      await storeAceNote(session, document, { aclName, aceId: aceId(ace), notify: false, comment: null, ...note })
      if (note?.notify) await announceGrant(session, document, { aclName, ace })
    }
  },
}

/** An entry that was replaced counts as new even where only its note is another. */
function changedEntries(properties: DocumentEvent['properties']): {
  readonly removed: readonly PlacedAce[]
  readonly added: readonly PlacedAce[]
} {
  const { oldACE, newACE, changedACLName } = properties
  if (oldACE !== undefined) {
    const aclName = changedACLName as string
    return { removed: [{ aclName, ace: oldACE as Ace }], added: [{ aclName, ace: newACE as Ace }] }
  }
  const [before, after] = [properties['oldACP'] as readonly Acl[], properties['newACP'] as readonly Acl[]]
  return { removed: addedAces(after, before), added: addedAces(before, after) }
}

/** Announces that a user was given a right, when it is one and counts now. */
export async function announceGrant(session: WriteSession, document: Document, { aclName, ace }: PlacedAce): Promise<void> {
  if (!ace.granted || aceStatus(ace, session.now) !== 'effective') return
  await announce(session, 'permissionNotification', document, { properties: { ace, aclName } })
}

/** Takes the notes of everything that is about to be removed, while it can still be told what had entries. */
export const dropNotesWithDocument: InlineListener = {
  name: 'dropNotesWithDocument',
  when: 'inline',
  events: ['aboutToRemove'],
  async handle({ document }, session) {
    const { id: documentId, path, acls } = document
    await dropAceNotes(session, path === null ? [{ documentId, acls }] : await session.tx.acps.listOwn(path))
  },
}
