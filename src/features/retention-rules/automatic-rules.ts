import type { IsoDate } from '../../base/iso-date.ts'
import { Problem } from '../../base/problem.ts'
import { typedName } from '../../base/typed-name.ts'
import { systemAccess } from '../../core/access.ts'
import { defineJob, type JobHandler } from '../../core/jobs/worker.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { AsynchronousListener, InlineListener, Repository, WriteSession } from '../../core/session.ts'
import { type Document, type DocumentId, isUnderRetentionOrHold } from '../../model/document.ts'
import type { Services } from '../../rest/services.ts'
import { type ActiveRules, readRules } from './active-rules.ts'
import { acceptsType, attachRule, type UsableRule } from './attach-rule.ts'
import { holds } from './conditions.ts'
import { isUnderRule } from './record-copy.ts'
import { targetIn } from './rule-definition.ts'
import { ruleFacet } from './rule-model.ts'
import { walk } from './walk.ts'

/** What makes a document one that a rule may be for. */
const occasions = ['documentCreated', 'documentImported', 'documentModified', 'documentUntrashed', 'afterRemoveLegalHold']
/** The same for all that is below the document, of which nothing is told. */
const occasionsBelow = ['documentMoved', 'documentCreatedByCopy']

type Waiting = { readonly since: IsoDate } | { readonly below: DocumentId }
type Applied = Waiting & { readonly after: DocumentId }

const applyKind = typedName<Applied>('retention.applyRules')

/** Automatic rules are asked about documents in the background, a moment after these were written. */
export function automaticRules(services: Services, active: ActiveRules) {
  const loadRules: InlineListener = {
    name: 'loadRetentionRules',
    when: 'inline',
    gate: active.gate,
    events: [...occasions, ...occasionsBelow],
    async handle(_, session) {
      await active.load(session)
    },
  }
  const applyRules: AsynchronousListener = {
    name: 'applyRetentionRules',
    when: 'asynchronous',
    gate: active.gate,
    events: [...occasions, ...occasionsBelow],
    concerns: ({ name, document }, session) => {
      const rules = active.loaded(session)
      if (occasionsBelow.includes(name)) return rules.length > 0
      return rules.some((rule) => isCandidate(session, rule, document))
    },
    async handle(bundle, repository) {
      for (const { name, documentId } of bundle) {
        await applyOrTell(services, repository, documentId)
        if (!occasionsBelow.includes(name)) continue
        await repository.store.transact((tx) => tx.jobs.add(applyKind, { below: documentId, after: '' }))
      }
    },
  }
  return { listeners: [loadRules, applyRules, noteRules(active)], jobs: [applyJob(services)] }
}

function isCandidate({ model, now }: WriteSession, rule: UsableRule, document: Document): boolean {
  if (document.isVersion || document.isProxy || document.isTrashed || isUnderRule(document)) return false
  return acceptsType(model, rule, document) && !isUnderRetentionOrHold(document, now)
}

/** A rule that cannot be attached, as one of its actions fails, keeps no other document back. */
async function applyOrTell(services: Services, repository: Repository, id: DocumentId): Promise<void> {
  try {
    await applyTo(services, repository, id)
  } catch (err) {
    if (!(err instanceof Problem)) throw err
    repository.log.warn({ event: 'retention.notApplied', document: id, err }, 'an automatic rule could not be attached')
  }
}

/**
 * Attaches the first rule that is for the document, as it is now. Rules are asked in the order of their folder. A document that had a rule
 * before is not given another one, be its retention over.
 */
async function applyTo(services: Services, repository: Repository, id: DocumentId): Promise<void> {
  await systemAccess(repository).write(async (session) => {
    const document = await session.tx.documents.findForUpdate(id)
    if (document === undefined) return
    for (const rule of await readRules(session)) {
      if (!isCandidate(session, rule, document)) continue
      const { expression } = targetIn(rule.document.properties)
      if (!(await holds(services, session, { expression, document }))) continue
      await attachRule(services, session, id, rule)
      return
    }
  })
}

const ruleOccasions = [
  'documentCreated',
  'documentImported',
  'documentModified',
  'documentCreatedByCopy',
  'documentMoved',
  'documentRestored',
  'documentTrashed',
  'documentUntrashed',
  'documentRemoved',
]

// By then no process knows the rules of before any more, even if a request took long.
const catchUpSeconds = 60
const looksBackSeconds = 300

/** What was written while other processes did not know of a rule yet is looked through a little later. */
function noteRules(active: ActiveRules): InlineListener {
  return {
    name: 'noteRetentionRules',
    when: 'inline',
    facet: ruleFacet,
    events: ruleOccasions,
    // Before the rules are loaded for what the same event tells of.
    order: -100,
    async handle({ name, document }, session) {
      active.forget(session)
      const { isAutomatic, isEnabled } = targetIn(document.properties)
      if (!isAutomatic || !isEnabled || document.isTrashed || name === 'documentRemoved') return
      const [since, runAfter] = [-looksBackSeconds, catchUpSeconds].map((seconds) => secondsFrom(session.now, seconds))
      await session.tx.jobs.add(applyKind, { since: since ?? session.now, after: '' }, { ...(runAfter && { runAfter }) })
    },
  }
}

function secondsFrom(moment: IsoDate, seconds: number): IsoDate {
  return new Date(Date.parse(moment) + seconds * 1_000).toISOString()
}

function applyJob(services: Services): JobHandler {
  return defineJob({
    kind: applyKind,
    isBulk: true,
    async run(payload, repository, _signal, progress) {
      const visit = (id: DocumentId) => applyOrTell(services, repository, id)
      const after = await walk(repository, { conditions: conditionsOf(payload), after: payload.after }, visit)
      if (after !== undefined) await repository.store.transact((tx) => progress.handOver(tx, applyKind, { ...payload, after }))
    },
  })
}

function conditionsOf(payload: Applied): readonly string[] {
  return 'below' in payload
    ? [`ecm:ancestorId = ${quoted(payload.below)}`, 'ecm:isTrashed = 0']
    : [`dc:modified >= TIMESTAMP '${payload.since.slice(0, 10)} ${payload.since.slice(11, 19)}Z'`, 'ecm:isTrashed = 0']
}
