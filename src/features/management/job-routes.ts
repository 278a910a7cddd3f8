import { defineProblem } from '../../base/problem.ts'
import type { Repository } from '../../core/session.ts'
import { entity, noContent } from '../../rest/answer.ts'
import { requireManager } from '../../rest/management.ts'
import { emptyAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import type { Job } from '../../store/jobs.ts'

export const jobNotFound = defineProblem(
  'jobNotFound',
  'notFound',
  (of: { repository: string; id: string }) => `There is no job ${of.id} in the repository ${of.repository}. It may be done.`,
)

export const jobNotParked = defineProblem(
  'jobNotParked',
  'conflict',
  (of: { id: string; state: string }) =>
    `The job ${of.id} is ${of.state}. Only jobs that were given up are tried anew or dropped.`,
)

const jobSchema = Type.Object(
  {
    'entity-type': Type.Literal('job'),
    repository: Type.String(),
    id: Type.String(),
    kind: Type.String(),
    state: Type.Enum(['waiting', 'running', 'parked'], { description: '`parked` ones were given up' }),
    owner: Type.Nullable(Type.String({ description: 'Who caused it; null for work of the server itself' })),
    attempts: Type.Integer(),
    runAfter: Type.Moment(),
    error: Type.Nullable(Type.String({ description: 'Why the last attempt failed' })),
  },
  { $id: 'Job' },
)
const jobsSchema = Type.Object(
  {
    'entity-type': Type.Literal('jobs'),
    pending: Type.Integer({ description: 'All that are due or running, shown or not' }),
    parked: Type.Integer({ description: 'All that were given up' }),
    resultsCount: Type.Integer({ description: 'All that fit what is asked for, of which a page is shown' }),
    entries: Type.Array(jobSchema),
  },
  { $id: 'Jobs' },
)

const mostShown = 1_000
const path = '/management/jobs'
const forbidden = { 403: 'the caller does not look after the server' }
const refusalsOfOne = { ...forbidden, 404: 'there is no such job', 409: 'it was not given up' }

/** What is left to be done after requests, and what was given up. What a job holds is not shown: it may be a secret. */
export const jobRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path,
    operationId: 'listJobs',
    under: 'api',
    summary: 'Work in the background, in the order of arrival',
    query: Type.Object({
      state: Type.Optional(Type.Enum(['waiting', 'running', 'parked'])),
      kind: Type.Optional(Type.String()),
      pageSize: Type.Optional(
        Type.Integer({ minimum: 1, maximum: mostShown, description: 'Most that are shown; 50 unless told' }),
      ),
      currentPageIndex: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The page, counted from 0' })),
    }),
    answers: { 200: jobsSchema, ...forbidden },
    async handle(exchange, _parameters, { query: { state, kind, pageSize = 50, currentPageIndex = 0 } }) {
      requireManager(exchange)
      const filter = { ...(state !== undefined && { state }), ...(kind !== undefined && { kind }) }
      const entries: Static<typeof jobSchema>[] = []
      let [pending, parked, resultsCount] = [0, 0, 0]
      const start = currentPageIndex * pageSize
      for (const { name, store, now } of exchange.services.repositories.values()) {
        const { jobs } = store.reader
        pending += await jobs.countPending(now())
        parked += await jobs.countParked()
        const room = pageSize - entries.length
        // A page may begin in one repository and go on in the next.
        const offset = Math.max(0, start - resultsCount)
        resultsCount += await jobs.count(filter)
        if (room > 0 && start < resultsCount)
          entries.push(...(await jobs.list(filter, room, offset)).map((job) => showJob(name, job)))
      }
      return entity('jobs', { 'entity-type': 'jobs', pending, parked, resultsCount, entries })
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/{repository}/{id}/retry`,
    operationId: 'retryJob',
    under: 'api',
    summary: 'Try a job anew that was given up',
    ignoresBody: true,
    answers: { 204: emptyAnswer('it will be tried again'), ...refusalsOfOne },
    async handle(exchange, { repository = '', id = '' }) {
      const { store, job } = await findParked(exchange, repository, id)
      if (!(await store.transact(({ jobs }) => jobs.resume(job.kind, id)))) throw jobNotFound({ repository, id })
      return noContent()
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${path}/{repository}/{id}`,
    operationId: 'dropJob',
    under: 'api',
    summary: 'Forget a job that was given up',
    ignoresBody: true,
    answers: { 204: emptyAnswer('it is gone'), ...refusalsOfOne },
    async handle(exchange, { repository = '', id = '' }) {
      const { store, job } = await findParked(exchange, repository, id)
      if (!(await store.transact(({ jobs }) => jobs.discard(job.kind, id)))) throw jobNotFound({ repository, id })
      return noContent()
    },
  }),
]

function showJob(repository: string, { id, kind, state, owner, attempts, runAfter, error }: Job): Static<typeof jobSchema> {
  return { 'entity-type': 'job', repository, id, kind, state, owner: owner || null, attempts, runAfter, error }
}

/** @throws managersOnly, jobNotFound, jobNotParked */
async function findParked(exchange: Exchange, name: string, id: string): Promise<Pick<Repository, 'store'> & { job: Job }> {
  requireManager(exchange)
  const store = exchange.services.repositories.get(name)?.store
  const [job] = (await (isJobId(id) ? store?.reader.jobs.findAll([id]) : undefined)) ?? []
  if (store === undefined || job === undefined) throw jobNotFound({ repository: name, id })
  if (job.state !== 'parked') throw jobNotParked({ id, state: job.state })
  return { store, job }
}

function isJobId(id: string): boolean {
  return /^[1-9]\d{0,14}$/.test(id)
}
