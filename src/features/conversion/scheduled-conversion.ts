import { newId } from '../../base/ids.ts'
import { defineProblem, Problem } from '../../base/problem.ts'
import { typedName } from '../../base/typed-name.ts'
import type { Conversions, ConversionTarget } from '../../core/conversion/conversions.ts'
import type { ConversionParameters } from '../../core/conversion/converter.ts'
import { findReadable } from '../../core/documents/read-document.ts'
import { requireShareOfQueue } from '../../core/jobs/queue-share.ts'
import { defineJob, type JobHandler } from '../../core/jobs/worker.ts'
import type { Repository, Session } from '../../core/session.ts'
import type { DocumentId } from '../../model/document.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { isOwn } from '../../model/rights/principal.ts'
import type { Answer } from '../../rest/answer.ts'
import { repositoryPlace } from '../../rest/document-url.ts'
import { answerDownload } from '../../rest/download/download.ts'
import { downloadQuery } from '../../rest/download/download-conditions.ts'
import { type Download, downloadRefused, mayDownload } from '../../rest/download/download-rule.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { downloadHeaders } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import type { Route } from '../../rest/route.ts'
import type { Services } from '../../rest/services.ts'
import type { TransientWriter } from '../../store/transient.ts'

const conversionNotFound = defineProblem(
  'conversionNotFound',
  'notFound',
  (of: { id: string }) => `There is no conversion ${of.id}, or it failed, or its result is gone.`,
)

const conversionNotReady = defineProblem(
  'conversionNotReady',
  'notFound',
  (of: { id: string }) => `The conversion ${of.id} is not done yet.`,
)

export const scheduledSchema = Type.Object(
  {
    'entity-type': Type.Literal('conversionScheduled'),
    conversionId: Type.String(),
    pollingURL: Type.String({ description: 'Where to ask how far it is' }),
    resultURL: Type.String({ description: 'Where the result will be' }),
  },
  { $id: 'ConversionScheduled' },
)

const statusSchema = Type.Object(
  {
    'entity-type': Type.Literal('conversionStatus'),
    conversionId: Type.String(),
    status: Type.String({ description: '`scheduled`, `running` or `completed`' }),
    resultURL: Type.String(),
  },
  { $id: 'ConversionStatus' },
)

/** A conversion that somebody will ask for later, as all processes see it. */
interface ScheduledConversion {
  readonly owner: string
  /** Absent from what an older program stored. */
  readonly submitted?: string
  readonly status: 'scheduled' | 'running' | 'completed'
  /** Absent of a file that belongs to no document. */
  readonly source?: ConvertedSource
  readonly blob?: BlobValue
}

/** What is converted: who fetches the result later must be allowed to have that then. */
interface ConvertedSource extends Pick<Download, 'blob' | 'xpath' | 'reason' | 'rendition'> {
  readonly documentId: DocumentId
}

interface ConversionWork extends Pick<ScheduledConversion, 'owner' | 'submitted' | 'source'> {
  readonly id: string
  readonly blob: BlobValue
  readonly target: ConversionTarget
  readonly parameters: ConversionParameters
}

const kind = typedName<ConversionWork>('convertFile')
const transientKey = (id: string) => typedName<ScheduledConversion>(`conversion-result/${id}`)

export interface WantedLater {
  readonly source: Download
  readonly target: ConversionTarget
  readonly parameters: ConversionParameters
}

/** Has it converted after the answer. @throws converterUnknown, noConverter and the like at once, and tooManyJobsWait */
export async function answerScheduled(exchange: Exchange, wanted: WantedLater): Promise<Answer> {
  const { repository, principal, services } = exchange
  const { target, parameters } = wanted
  requirePlan(services.conversions, wanted.source.blob, target)
  const id = newId()
  const owner = principal.name
  const stored = wanted.source.bytes && (await repository.blobs.write(wanted.source.bytes))
  const source = sourceOf(wanted.source)
  const of = { owner, submitted: repository.now(), ...(source !== undefined && { source }) }
  const work: ConversionWork = { id, blob: { ...wanted.source.blob, ...stored }, target, parameters, ...of }
  await exchange.write(async ({ tx, now }) => {
    await requireShareOfQueue(repository, tx.jobs, owner, [kind])
    await store(services, tx.transient, id, { ...of, status: 'scheduled' }, now)
    await tx.jobs.add(kind, work, { owner })
  })
  const { pollingURL, resultURL } = addressesOf(exchange, id)
  const body: Static<typeof scheduledSchema> = { 'entity-type': 'conversionScheduled', conversionId: id, pollingURL, resultURL }
  return { kind: 'entity', status: 202, entityType: 'conversionScheduled', body, headers: { Location: pollingURL } }
}

function sourceOf({ document, blob, xpath, reason, rendition }: Download): ConvertedSource | undefined {
  if (document === undefined) return undefined
  const place = { ...(xpath !== undefined && { xpath }), ...(rendition !== undefined && { rendition }) }
  return { documentId: document.id, blob, reason, ...place }
}

/** What is refused at once need not be asked for. */
function requirePlan({ planner }: Conversions, blob: BlobValue, target: ConversionTarget): void {
  const mimeType = (blob['mime-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if ('converter' in target) planner.byName(target.converter, mimeType)
  else planner.byType(mimeType, target.type.toLowerCase())
}

/** In the form that the request had. */
function addressesOf({ request, repository }: Exchange, id: string) {
  const site = request.serverPath.startsWith('/site/') ? 'site/' : ''
  const address = `${request.baseUrl}${site}api/v1/${repositoryPlace(repository.name)}conversions/${id}`
  return { pollingURL: `${address}/poll`, resultURL: `${address}/result` }
}

function store(
  services: Pick<Services, 'uploads'>,
  transient: TransientWriter,
  id: string,
  value: ScheduledConversion,
  now: string,
) {
  const expires = new Date(Date.parse(now) + services.uploads.rules.ttlSeconds * 1_000).toISOString()
  return transient.set(transientKey(id), value, expires)
}

const conversionsAtOnce = 2

/** A failure is told by the conversion not being there any more: nobody tries it again. */
export const scheduledConversions = (services: Services): JobHandler =>
  defineJob({
    kind,
    maxAttempts: 1,
    ownWorkers: conversionsAtOnce,
    async run({ id, blob, target, parameters, ...of }, repository) {
      const tell = (value: ScheduledConversion) =>
        repository.store.transact(({ transient }) => store(services, transient, id, value, repository.now()))
      await tell({ ...of, status: 'running' })
      try {
        const [result] = await services.conversions.convert({
          repository,
          source: { blob },
          target,
          parameters,
          user: of.owner,
          isBackground: true,
        })
        if (result === undefined) await forget(repository, id)
        else await tell({ ...of, status: 'completed', blob: result })
      } catch (err) {
        await forget(repository, id)
        const isOurs = !(err instanceof Problem) || err.kind === 'failed'
        services.log[isOurs ? 'error' : 'info']({ event: 'conversion.scheduledFailed', id, err }, 'a conversion failed')
      }
    },
  })

function forget({ store: { transact } }: Repository, id: string): Promise<void> {
  return transact(({ transient }) => transient.remove(transientKey(id)))
}

/** Of another user's there is nothing to be seen. @throws conversionNotFound */
async function readScheduled({ reader, principal, now }: Session, id: string): Promise<ScheduledConversion> {
  const found = await reader.transient.find(transientKey(id), now)
  if (found === undefined) throw conversionNotFound({ id })
  if (!principal.isAdministrator && !isOwn(principal, found.owner, found.submitted)) throw conversionNotFound({ id })
  return found
}

/**
 * The document and the place that the result is of. What is made of a file is not had by who may not have the file any more, and
 * fetching it is a download of the file as fetching it at once is. @throws conversionNotFound, downloadRefused
 */
async function readConverted(
  { services }: Exchange,
  session: Session,
  id: string,
  { documentId, blob, ...place }: ConvertedSource,
): Promise<Omit<Download, 'blob'>> {
  const document = await findReadable(session, documentId)
  if (document === undefined) throw conversionNotFound({ id })
  if (!(await mayDownload(services.downloads.rules, session, { ...place, blob, document }))) throw downloadRefused({})
  return { ...place, document }
}

export const scheduledRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/conversions/{id}/poll',
    operationId: 'getConversionStatus',
    under: 'api',
    summary: 'How far a conversion is',
    answers: { 200: statusSchema, 404: 'unknown, failed, or its result is gone' },
    handle: (exchange, { id = '' }) =>
      exchange.read(async (session) => {
        const { status } = await readScheduled(session, id)
        const { resultURL } = addressesOf(exchange, id)
        const body: Static<typeof statusSchema> = { 'entity-type': 'conversionStatus', conversionId: id, status, resultURL }
        return { kind: 'entity', status: 200, entityType: 'conversionStatus', body }
      }),
  },
  {
    method: 'GET',
    path: '/conversions/{id}/result',
    operationId: 'getConversionResult',
    under: 'api',
    summary: 'The result of a conversion, as often as wanted until it expires',
    query: downloadQuery,
    headers: Type.Object(downloadHeaders),
    answers: {
      200: bytesAnswer('the result'),
      403: 'the file may not be downloaded any more',
      404: 'unknown, failed, not done, or gone, as is one of a document that may not be read any more',
    },
    handle: (exchange, { id = '' }) =>
      exchange.read(async (session) => {
        const { blob, source } = await readScheduled(session, id)
        if (blob === undefined) throw conversionNotReady({ id })
        const about = source === undefined ? { reason: 'download' as const } : await readConverted(exchange, session, id, source)
        return answerDownload(exchange, session, { blob, isUndated: true, ...about })
      }),
  },
]
