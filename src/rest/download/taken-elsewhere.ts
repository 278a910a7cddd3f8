import type { OperationContext } from '../../automation/context.ts'
import { typedName } from '../../base/typed-name.ts'
import { accessTo } from '../../core/access.ts'
import type { DocumentBlob } from '../../core/blobs/document-blobs.ts'
import { defineJob, type JobHandler } from '../../core/jobs/worker.ts'
import type { Document } from '../../model/document.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { actingName, createPrincipal } from '../../model/rights/principal.ts'
import type { Services } from '../services.ts'
import { announceDownload } from './download.ts'

interface TakenFile {
  readonly repository: string
  readonly documentId: string
  readonly xpath: string
  readonly blob: BlobValue
  readonly user: string
}

const kind = typedName<TakenFile>('tellTakenElsewhere')

/**
 * Has listeners of another repository told that a file of theirs was taken by an operation here, if the call succeeds. Later: the
 * transaction of the call is of this repository, and two that wait for each other's would wait for ever.
 */
export async function leaveToTell(
  context: Pick<OperationContext, 'session' | 'writeAtEnd'>,
  document: Document,
  { xpath, blob }: DocumentBlob,
): Promise<void> {
  const user = actingName(context.session.principal)
  const taken: TakenFile = { repository: document.repository, documentId: document.id, xpath, blob, user }
  await context.writeAtEnd(({ tx }) => tx.jobs.add(kind, taken, { owner: user }))
}

export const tellTakenElsewhere = (services: Pick<Services, 'repositories'>): JobHandler =>
  defineJob({
    kind,
    async run({ repository: name, documentId, xpath, blob, user }) {
      const there = services.repositories.get(name)
      if (there === undefined) return
      // Nobody is asked for rights any more: the name says who took it.
      await accessTo(there, createPrincipal(user, [], { isAdministrator: false })).write(async (session) => {
        const document = await session.tx.documents.find(documentId)
        if (document !== undefined) await announceDownload(session, { blob, xpath, document, reason: 'download' })
      })
    },
  })
