import sql from 'sql-template-tag'
import { memoised } from '../../base/cache/memo.ts'
import type { DocumentEvent, InlineListener, Repository, ServerListener, WriteSession } from '../../core/session.ts'
import { shownChangeToken } from '../../rest/render/rendering.ts'
import { fixed } from '../../store/sql/fixed-statement.ts'
import { madeStorable } from '../../store/storable-text.ts'
import { documentEntry, isWrittenDown, type NewEntry, serverEntry } from '../audit/index.ts'
import { removalEvents } from './outbox-event.ts'

/** That of the session itself, and those that tell of reads: no read shall wait for a row. */
const unwritten: ReadonlySet<string> = new Set(['sessionSaved', 'search', 'download'])

/**
 * Writes all that a transaction announced when it is about to commit. A number that a row gets is then in use without being seen for as
 * long as the commit takes, and not for as long as the transaction did, which is what readers may have to wait for.
 */
export const documentOutbox: InlineListener = {
  name: 'outbox',
  when: 'inline',
  events: ['sessionSaved'],
  // Behind all that may still announce something.
  order: 10_000,
  async handle(_, session) {
    const events = session.events.announced.filter(({ name }) => !unwritten.has(name))
    const isRemoval = events.some(({ name }) => removalEvents.has(name))
    const generation = isRemoval ? await readMembershipGeneration(session) : null
    for (const event of events) await append(session, documentEntry(event), { event, generation })
    if (events.length > 0) wakeAfterCommit(session)
  },
}

/** The same for what happens to no document. Sign-ins are left out: they concern nobody but the log. */
export const serverOutbox: ServerListener = {
  name: 'outbox',
  events: ['user_created', 'user_modified', 'user_deleted', 'group_created', 'group_modified', 'group_deleted'],
  async handle(event, session) {
    await append(session, serverEntry(event))
    wakeAfterCommit(session)
  },
}

/** As the transaction sees it, where directories live in the same database. */
async function readMembershipGeneration({ tx, repository }: WriteSession): Promise<number> {
  const { home } = repository
  const { directories } = home === repository ? tx : home.store.reader
  return directories.membershipGeneration()
}

const insertEvent = fixed(sql`
  INSERT INTO outbox_events (event, event_date, principal_name, category, comment, doc_id, doc_type, doc_path, doc_life_cycle,
                             doc_acp_id, is_quiet, extended, doc_parent_id, doc_change_token, membership_generation, trace)
  VALUES (${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null}, ${null})`)

interface OfDocument {
  readonly event: DocumentEvent
  readonly generation: number | null
}

/** Nobody waits for it: what comes after sees it, and a failure ends the transaction. */
async function append({ tx, model, repository }: WriteSession, entry: NewEntry, of?: OfDocument): Promise<void> {
  const event = of?.event
  const { eventId, time, category, principalName, comment, document, extended } = entry
  const statement = insertEvent(
    eventId,
    Date.parse(time),
    madeStorable(principalName),
    category,
    comment === null ? null : madeStorable(comment),
    document?.id ?? null,
    document?.type ?? null,
    document?.path ?? null,
    document?.lifeCycle ?? null,
    event?.document.acpId ?? null,
    event === undefined || isWrittenDown(event, model) ? 0 : 1,
    extended,
    event?.document.parentId ?? null,
    event === undefined ? null : shownChangeToken(repository.rules, event.document),
    event !== undefined && removalEvents.has(event.name) ? (of?.generation ?? null) : null,
    repository.tracer.isOn ? (repository.tracer.current()?.traceparent ?? null) : null,
  )
  await tx.tables.send(statement)
}

/** Who is to be told in this process that something was appended, by repository. */
export const wakersOf = memoised((_: Repository) => new Set<() => void>())

function wakeAfterCommit({ tx, repository }: WriteSession): void {
  const wakers = wakersOf(repository)
  tx.afterCommit(() => {
    for (const wake of wakers) wake()
    repository.store.nudge()
  })
}
