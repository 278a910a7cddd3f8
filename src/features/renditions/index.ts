import { definePlugin } from '../../plugin/define-plugin.ts'
import { renditionFacets, renditionSchemas } from './rendition-model.ts'

/** Documents in other forms: thumbnails, and what is made of a document and stored. */
export default definePlugin({ name: 'renditions', schemas: renditionSchemas, facets: renditionFacets })
