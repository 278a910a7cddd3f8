import { contentModel } from '../../src/model/builtin/content-model.ts'
import { createModel } from '../../src/model/model.ts'
import { createDocumentIndexing } from '../../src/nxql/document-indexing.ts'

/** What is indexed of documents of the built-in types. */
export const builtinIndexing = createDocumentIndexing(createModel(contentModel))
