import { awaitDerivation, derivationJob } from '../../core/derived-files.ts'
import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { diffOperations } from './diff-operations.ts'
import { forgetOldViews, pictureFacetName, viewsDerivation, viewsDone } from './make-views.ts'
import { pictureOperations } from './operations.ts'
import { pictureFacets, pictureSchemas, picturesInFolders, pictureTypes } from './picture-model.ts'
import { recomputeViews, recomputeViewsOperation } from './recompute-views.ts'
import { findViewToShow } from './stored-views.ts'
import { viewRenditions } from './view-renditions.ts'

export { findViewToShow } from './stored-views.ts'

/** Pictures, their views in other sizes, and what cameras tell of them. */
export default definePlugin({
  name: 'pictures',
  requires: ['content-model', 'publishing', 'comments', 'tags', 'files', 'search', 'bulk', 'conversion', 'thumbnails'],
  schemas: pictureSchemas,
  facets: pictureFacets,
  documentTypes: pictureTypes,
  documentTypeAdditions: picturesInFolders,
  events: eventsOf('after', viewsDone),
  operations: [...pictureOperations, ...diffOperations],
  thumbnailFactories: [{ name: 'pictures', facet: pictureFacetName, find: findViewToShow }],
  contribute(_, services) {
    const derivation = viewsDerivation(services)
    const action = recomputeViews(services)
    return {
      listeners: [forgetOldViews, awaitDerivation(derivation)],
      jobs: [derivationJob(derivation)],
      renditionProviders: [viewRenditions(services)],
      bulkActions: [action],
      operations: [recomputeViewsOperation(action)],
    }
  },
})
