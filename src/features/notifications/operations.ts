import type { OperationServices } from '../../automation/context.ts'
import { defineOperation } from '../../automation/operation.ts'
import { optional } from '../../automation/parameter.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { subscribe, unsubscribe } from './subscribe.ts'

const params = {
  notifications: optional('stringlist', { description: 'Names of notifications; all when absent' }),
}

/** A list of none is the caller's way of naming none. */
function namesIn(notifications: readonly string[] | undefined): readonly string[] | undefined {
  const names = notifications?.map((name) => name.trim()).filter((name) => name !== '') ?? []
  return names.length === 0 ? undefined : names
}

type Change = (
  session: WriteSession,
  services: OperationServices,
  document: Document,
  names: readonly string[] | undefined,
) => Promise<Document>

async function changeAll(
  session: WriteSession,
  services: OperationServices,
  documents: readonly Document[],
  change: Change,
  names: readonly string[] | undefined,
): Promise<readonly Document[]> {
  const changed: Document[] = []
  for (const document of documents) changed.push(await change(session, services, document, names))
  return changed
}

const subscriptionOperation = (id: string, description: string, change: Change) =>
  defineOperation({
    id,
    category: 'Document',
    description,
    effect: 'writes',
    params,
    run: ({ on }) => [
      on('documents', 'documents', (documents, { session, context: { services }, params: { notifications } }) =>
        changeAll(session, services, documents, change, namesIn(notifications)),
      ),
      on('document', 'document', (document, { session, context: { services }, params: { notifications } }) =>
        change(session, services, document, namesIn(notifications)),
      ),
    ],
  })

export const subscribeOperation = subscriptionOperation(
  'Document.Subscribe',
  'Has the current user told of what happens to the document and below it, by mail.',
  subscribe,
)

export const unsubscribeOperation = subscriptionOperation(
  'Document.Unsubscribe',
  'Ends what the current user has subscribed to on the document.',
  (session, _services, document, names) => unsubscribe(session, document, names),
)
