import { createDocumentIndexing } from '../../src/nxql/document-indexing.ts'
import { builtinModel } from './model/builtin-model.ts'

/** What is indexed of documents of the built-in types. */
export const builtinIndexing = createDocumentIndexing(builtinModel)
