import type { DirectoryEntry } from '../../store/directories.ts'
import { announceToServer } from '../server-event.ts'
import type { ServerListener, WriteSession } from '../session.ts'

const entryChanged = 'directoryEntryChanged'

/** An entry that was made, changed or removed, through whichever door: what it was, and what it is. */
interface ChangedEntry {
  /** Undefined of one that is new. */
  readonly before?: DirectoryEntry
  /** Undefined of one that is gone. */
  readonly after?: DirectoryEntry
}

export function announceEntry(session: WriteSession, directory: string, changed: ChangedEntry): Promise<void> {
  return announceToServer(session, entryChanged, { category: 'directory', properties: { directory, ...changed } })
}

/** Hears of the entries of one directory, inside the transaction: for what is bound to them and lies elsewhere. */
export function listenToEntries(
  name: string,
  directory: string,
  handle: (changed: ChangedEntry, session: WriteSession) => Promise<void>,
): ServerListener {
  return {
    name,
    events: [entryChanged],
    async handle({ properties }, session) {
      if (properties['directory'] === directory) await handle(properties, session)
    },
  }
}
