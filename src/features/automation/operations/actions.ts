import { defineOperation } from '../../../automation/operation.ts'
import { optional, required } from '../../../automation/parameter.ts'
import type { UiAction } from '../../../automation/ui-action.ts'
import { type FlowingBlob, jsonBlob } from '../../../automation/values/flowing-blob.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'

export const getActions = defineOperation({
  id: 'Actions.GET',
  category: 'Services',
  description: 'Lists what a user interface offers in a category, to the caller and for the document.',
  effect: 'reads',
  params: {
    category: required('string', { description: 'DOCUMENT_ACTIONS, USER_MENU …' }),
    lang: optional('string', { description: 'Labels are written as they are declared, whatever the language' }),
  },
  run: ({ on }) => [
    on('document', 'blob', (document, { params, session, context }) =>
      listOffered(context.services.uiActions, params.category, session, document),
    ),
    on('void', 'blob', (_, { params, session, context }) =>
      listOffered(context.services.uiActions, params.category, session, undefined),
    ),
  ],
})

async function listOffered(
  actions: readonly UiAction[],
  category: string,
  session: Session,
  document: Document | undefined,
): Promise<FlowingBlob> {
  const offered: object[] = []
  for (const action of actions.filter(({ categories }) => categories.includes(category))) {
    if ((await action.isOffered?.(session, document)) ?? true) offered.push(shown(action))
  }
  return jsonBlob(offered)
}

function shown({ id, link = '', icon = '', label = id, help = '', properties = {} }: UiAction): object {
  return { id, link, icon, label, help, properties }
}
