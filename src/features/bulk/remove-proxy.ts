import { defineBulkAction } from '../../core/bulk/bulk-action.ts'
import { findStored } from '../../core/documents/read-document.ts'
import { removeDocument } from '../../core/documents/remove-document.ts'

/** Removes the proxies among the documents, and leaves the others alone. */
export const removeProxy = defineBulkAction({
  name: 'removeProxy',
  isOpen: false,
  async run(session, id) {
    const document = await findStored(session, id)
    if (document?.isProxy) await removeDocument(session, id)
  },
})
