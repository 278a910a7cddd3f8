import { definePlugin } from '../../plugin/define-plugin.ts'
import { pictureFacets, pictureSchemas, picturesInFolders, pictureTypes } from './picture-model.ts'

/** Pictures, their views in other sizes, and what cameras tell of them. */
export default definePlugin({
  name: 'pictures',
  requires: ['content-model', 'publishing', 'comments', 'tags'],
  schemas: pictureSchemas,
  facets: pictureFacets,
  documentTypes: pictureTypes,
  documentTypeAdditions: picturesInFolders,
})
