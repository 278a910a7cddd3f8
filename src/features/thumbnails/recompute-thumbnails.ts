import { defineOperation } from '../../automation/operation.ts'
import { defaulted } from '../../automation/parameter.ts'
import { type BulkAction, defineBulkAction } from '../../core/bulk/bulk-action.ts'
import { findFile } from '../../core/derived-files.ts'
import { allOf, documentsWhere, notProxy, notTrashed, notVersion } from '../../core/search/providers/conditions.ts'
import type { Services } from '../../rest/services.ts'
import { startBulk } from '../bulk/index.ts'
import { nxqlProvider } from '../search/index.ts'
import { makeThumbnail } from './make-thumbnail.ts'

/** Makes the thumbnails of documents anew, one after the other, so that its status tells how many are done. */
export const recomputeThumbnails = (services: Services): BulkAction =>
  defineBulkAction({
    name: 'recomputeThumbnails',
    isOpen: false,
    findSlowRun:
      () =>
      async ({ repository }, id) => {
        const document = await repository.store.reader.documents.find(id)
        const file = document && !document.isProxy ? findFile(document) : undefined
        if (document !== undefined && file !== undefined) await makeThumbnail(services, { document, file }, repository)
      },
  })

const withoutPicture = documentsWhere(
  allOf("ecm:mixinType = 'Thumbnail'", 'thumb:thumbnail/data IS NULL', notVersion, notProxy, notTrashed),
)

export const recomputeOperation = (action: BulkAction) =>
  defineOperation({
    id: 'RecomputeThumbnails',
    category: 'Services',
    description: 'Makes the thumbnails of all documents that a query finds anew, in the background.',
    effect: 'writes',
    access: { administrators: true },
    params: {
      query: defaulted('string', withoutPicture, { description: 'NXQL that finds them; those without one unless told' }),
    },
    run: ({ on }) => [
      on('void', 'void', async (_, { session, params: { query } }) => {
        await startBulk(session, action, { provider: nxqlProvider(session, query), request: {} }, { parameters: {} })
      }),
    ],
  })
