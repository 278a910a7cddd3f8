import type { IsoDate } from '../../base/iso-date.ts'
import { defineProblem } from '../../base/problem.ts'
import { typedName } from '../../base/typed-name.ts'
import { accessIn, systemAccess } from '../../core/access.ts'
import { defineJob, type JobHandler } from '../../core/jobs/worker.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { Repository, WriteSession } from '../../core/session.ts'
import { requireShort } from '../../core/short-text.ts'
import type { DocumentId } from '../../model/document.ts'
import { actingName } from '../../model/rights/principal.ts'
import type { Services } from '../../rest/services.ts'
import { writeEntry } from '../audit/index.ts'
import { requireRecordManager } from './rule-managers.ts'
import { definitionProperties, recordFacet } from './rule-model.ts'
import { startByEvent, startingEvents } from './start-retention.ts'
import { walk } from './walk.ts'

export const retentionEventUnknown = defineProblem(
  'retentionEventUnknown',
  'invalid',
  (of: { name: string }) =>
    `There is no retention event ${JSON.stringify(of.name)}. It is one of the vocabulary RetentionEvent that is not obsolete.`,
)
export const retentionEventHappens = defineProblem(
  'retentionEventHappens',
  'invalid',
  (of: { name: string }) => `${of.name} happens to documents by itself, and cannot be fired for all of them.`,
)
export const eventInputWrong = defineProblem(
  'eventInputWrong',
  'invalid',
  (_: object) => 'The input of a retention event is made of letters from A to Z, digits, blanks, and the signs - _ and .',
)

const inputPattern = /^[a-zA-Z0-9\-_.\s]+$/
const maxName = 200
const maxInput = 1_000

export interface SentEvent {
  readonly name: string
  readonly input: string | undefined
  readonly isAudited: boolean
}

interface FiredEvent {
  readonly name: string
  readonly input: string | null
  readonly time: IsoDate
}

const fireKind = typedName<FiredEvent>('retention.fireEvent')
const startKind = typedName<FiredEvent & { readonly after: DocumentId }>('retention.startRecords')

/**
 * Begins the retention of all records that wait for the event, in every repository and in the background.
 * @throws notARecordManager, retentionEventUnknown, retentionEventHappens, eventInputWrong, textTooLong
 */
export async function fireEvent(session: WriteSession, { name: sent, input, isAudited }: SentEvent): Promise<void> {
  requireRecordManager(session, 'Firing retention events')
  const name = requireShort('The name of the event', sent.trim(), maxName)
  await requireKnown(session, name)
  if (startingEvents.includes(name)) throw retentionEventHappens({ name })
  const given = input?.trim() ? requireShort('The input of the event', input, maxInput) : null
  if (given !== null && !inputPattern.test(given)) throw eventInputWrong({})
  await session.tx.jobs.add(fireKind, { name, input: given, time: session.now }, { owner: session.principal.name })
  if (isAudited) await writeDown(session, name, given)
}

async function requireKnown(session: WriteSession, name: string): Promise<void> {
  const entry = await accessIn(session).directories.read(({ reader }) => reader.directories.find('RetentionEvent', name))
  if (entry === undefined || Number(entry.values['obsolete'] ?? 0) > 0) throw retentionEventUnknown({ name })
}

function writeDown(session: WriteSession, eventId: string, comment: string | null): Promise<void> {
  const principalName = actingName(session.principal)
  return writeEntry(session, { eventId, time: session.now, principalName, category: 'Retention', comment, extended: null })
}

export function eventJobs(services: Services): readonly JobHandler[] {
  return [
    // Each repository has jobs of its own. Told of an event twice, its records have begun already.
    defineJob({
      kind: fireKind,
      async run(event) {
        for (const { store } of services.repositories.values())
          await store.transact((tx) => tx.jobs.add(startKind, { ...event, after: '' }))
      },
    }),
    defineJob({
      kind: startKind,
      isBulk: true,
      async run(payload, repository, _signal, progress) {
        const after = await startWaiting(services, repository, payload)
        if (after === undefined) return
        await repository.store.transact((tx) => progress.handOver(tx, startKind, { ...payload, after }))
      },
    }),
  ]
}

const indeterminate = "ecm:retainUntil = TIMESTAMP '9999-01-01 00:00:00Z'"

/** Each record in a transaction of its own: one that cannot begin keeps no other back. Served by the index of events. */
async function startWaiting(
  services: Services,
  repository: Repository,
  { name, input, time, after }: FiredEvent & { readonly after: DocumentId },
): Promise<DocumentId | undefined> {
  const event = { name, time, input: input ?? undefined }
  const conditions = [`${definitionProperties.event} = ${quoted(name)}`, `ecm:mixinType = '${recordFacet}'`, indeterminate]
  return walk(repository, { conditions, after }, async (id) => {
    try {
      await systemAccess(repository).write((session) => startByEvent(services, session, id, event))
    } catch (err) {
      repository.log.error(
        { event: 'retention.notStarted', document: id, name, err },
        'the retention of a record could not begin',
      )
    }
  })
}
