import { defineOperation } from '../../automation/operation.ts'
import { defaulted } from '../../automation/parameter.ts'
import { defineProblem } from '../../base/problem.ts'
import { type BulkAction, defineBulkAction } from '../../core/bulk/bulk-action.ts'
import { findFile } from '../../core/derived-files.ts'
import { documentsWhere } from '../../core/search/providers/conditions.ts'
import type { Services } from '../../rest/services.ts'
import { startBulk } from '../bulk/index.ts'
import { nxqlProvider } from '../search/index.ts'
import { makeViews, pictureFacetName } from './make-views.ts'

export const viewsOfMainFileOnly = defineProblem(
  'viewsOfMainFileOnly',
  'invalid',
  (of: { xpath: string }) =>
    `Views are made of file:content alone, not of ${of.xpath.slice(0, 100)}. Leave the parameter xpath out.`,
)

/** Makes the views of pictures anew, one after the other, so that its status tells how many are done. */
export const recomputeViews = (services: Pick<Services, 'conversions'>): BulkAction =>
  defineBulkAction({
    name: 'recomputeViews',
    isOpen: false,
    check({ xpath = 'file:content' }) {
      if (xpath !== 'file:content') throw viewsOfMainFileOnly({ xpath: String(xpath) })
    },
    findSlowRun:
      () =>
      async ({ repository }, id) => {
        const document = await repository.store.reader.documents.find(id)
        if (document === undefined || document.isProxy) return
        const file = repository.model.shapeOf(document).hasFacet(pictureFacetName) ? findFile(document) : undefined
        if (file !== undefined) await makeViews(services, { document, file }, repository, { isAnew: true })
      },
  })

const withoutViews = documentsWhere("ecm:mixinType = 'Picture'", 'picture:views/*/title IS NULL')

export const recomputeViewsOperation = (action: BulkAction) =>
  defineOperation({
    id: 'Picture.RecomputeViews',
    category: 'Services',
    description: 'Makes the views of all pictures that a query finds anew, in the background.',
    effect: 'writes',
    access: { administrators: true },
    params: {
      query: defaulted('string', withoutViews, { description: 'NXQL that finds them; those without views unless told' }),
    },
    run: ({ on }) => [
      on('void', 'void', async (_, { session, params: { query } }) => {
        await startBulk(session, action, { provider: nxqlProvider(session, query), request: {} }, { parameters: {} })
      }),
    ],
  })
