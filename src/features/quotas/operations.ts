import { defineOperation, type Operation } from '../../automation/operation.ts'
import { optional, required } from '../../automation/parameter.ts'
import { jsonBlob } from '../../automation/values/flowing-blob.ts'
import type { Value } from '../../automation/values/value.ts'
import { defineProblem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { documentNotFound, readDocumentByPath, requireRead } from '../../core/documents/read-document.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { findUserWorkspace } from '../user-workspaces/index.ts'
import { quotaNotActive } from './problems.ts'
import { findQuota, readQuotaInfo, slicesOf } from './quota-info.ts'
import { orderRecount } from './recount.ts'
import { setQuota } from './set-quota.ts'

const category = 'Quotas'
const onDocument = { description: 'Instead of the input' }

const documentMissing = defineProblem(
  'quotaDocumentMissing',
  'invalid',
  (_: object) => "There is no document: send one as the input, or name it as 'documentRef'.",
)

function named(documentRef: Document | undefined): Document {
  if (documentRef === undefined) throw documentMissing({})
  return documentRef
}

export const getInfo = defineOperation({
  id: 'Quotas.GetInfo',
  category,
  description:
    'Tells how many bytes of files a document holds, alone and with all below it, and how many it may; -1 where that is not counted.',
  effect: 'reads',
  params: { documentRef: optional('document', onDocument) },
  run: ({ on }) => [
    on('document', 'object', (document, { session, context: { services } }) => tell(session, document, services.vendored)),
    on('void', 'object', (_, { session, params, context: { services } }) =>
      tell(session, named(params.documentRef), services.vendored),
    ),
  ],
})

async function tell(session: Session, document: Document, vendored: VendorIdentifiers): Promise<Value> {
  await requireRead(session, document)
  const entityType = vendored('org.platform.ecm.quota.automation.SimpleQuotaInfo')
  return { kind: 'entity', entityType, json: { value: await readQuotaInfo(session, document) } }
}

export const getStatistics = defineOperation({
  id: 'Quotas.GetStatistics',
  category,
  description:
    'Gives the bytes of live documents, of the trash and of versions in a folder with a quota, as a file of JSON for a chart.',
  effect: 'reads',
  params: {
    documentRef: required('document'),
    language: optional('string', { description: 'Of the labels: en unless it is fr' }),
  },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, params: { documentRef, language } }) => {
      await requireRead(session, documentRef)
      const folder = await findQuota(session, documentRef)
      if (folder === undefined) throw quotaNotActive({ id: documentRef.id })
      return jsonBlob(slicesOf(folder.sizes, language))
    }),
  ],
})

export const setMaxSize = (mostAllowed: number): Operation =>
  defineOperation({
    id: 'Quotas.SetMaxSize',
    category,
    description:
      'Sets how many bytes of files a folder may hold, versions and the trash included, and gives them; -1 lifts the quota.',
    effect: 'writes',
    access: { administrators: true },
    params: {
      targetSize: required('long', { description: 'Bytes; 0 counts without a limit' }),
      documentRef: optional('document', onDocument),
    },
    run: ({ on }) => [
      on('document', 'long', ({ id }, { session, params: { targetSize } }) => setQuota(session, id, targetSize, mostAllowed)),
      on('void', 'long', (_, { session, params: { targetSize, documentRef } }) =>
        setQuota(session, named(documentRef).id, targetSize, mostAllowed),
      ),
    ],
  })

const sizeUpdater = 'documentsSizeUpdater'

export const recomputeNotValid = defineProblem('recomputeNotValid', 'invalid', ({ reason }: { reason: string }) => reason)

export const recomputeStatistics = defineOperation({
  id: 'Quotas.RecomputeStatistics',
  category,
  description:
    'Counts anew, in the background, what the folders with a quota hold: all of them, or those that a tenant, a user or a path has to do with.',
  effect: 'writes',
  access: { administrators: true },
  params: {
    tenantId: optional('string', { description: 'The name of a folder below the root' }),
    username: optional('string', { description: 'Whose personal workspace' }),
    path: optional('string'),
    updaterName: optional('string', { description: 'What is counted', values: [sizeUpdater] }),
  },
  run: ({ on }) => [
    on('void', 'string', async (_, { session, params: { updaterName = sizeUpdater, ...about } }) => {
      if (updaterName !== sizeUpdater) {
        throw recomputeNotValid({
          reason: `Nothing is counted by ${JSON.stringify(updaterName)}. Send ${sizeUpdater}, or no updaterName.`,
        })
      }
      return `status.quota.initialComputation${await orderRecount(session, await recountedPath(session, about))}`
    }),
  ],
})

interface RecountWish {
  readonly tenantId: string | undefined
  readonly username: string | undefined
  readonly path: string | undefined
}

async function recountedPath(session: WriteSession, { tenantId, username, path }: RecountWish): Promise<string> {
  if ([tenantId, username, path].filter((one) => one !== undefined).length > 1) {
    throw recomputeNotValid({ reason: 'Only one of tenantId, username or path can be defined' })
  }
  if (tenantId !== undefined) {
    if (tenantId === '' || tenantId.includes('/')) throw recomputeNotValid({ reason: `Invalid tenantId: ${tenantId}` })
    return pathOf(await readDocumentByPath(session, `/${tenantId}`))
  }
  if (username !== undefined) {
    const workspace = await findUserWorkspace(session, username)
    if (workspace === undefined) throw documentNotFound({ reference: `The personal workspace of '${username}'` })
    return pathOf(workspace)
  }
  return path === undefined ? '/' : pathOf(await readDocumentByPath(session, path))
}

function pathOf(document: Document): string {
  if (document.path === null) throw recomputeNotValid({ reason: `${document.id} has no place in the tree` })
  return document.path
}
