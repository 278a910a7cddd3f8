import { openContext } from '../../automation/run/open-context.ts'
import { accessIn } from '../../core/access.ts'
import type { WriteSession } from '../../core/session.ts'
import type { DocumentId } from '../../model/document.ts'
import { backgroundEnvironment } from '../../rest/operations/background-environment.ts'
import type { Services } from '../../rest/services.ts'

/**
 * Runs operations and chains that a rule names on a document, as the server itself: nobody else may remove what a rule says is to go. That is
 * why only administrators decide, by two vocabularies, which ones a rule may name. What a document is already is not done to it again; once
 * it is gone, nothing is left to do.
 */
export async function runActions(
  services: Services,
  session: WriteSession,
  id: DocumentId,
  actions: readonly string[],
): Promise<void> {
  const system = session.asSystem()
  for (const action of actions) {
    const document = await system.tx.documents.findForUpdate(id)
    if (document === undefined) return
    if (action === 'Document.Lock' && document.lock !== null) continue
    if (action === 'Document.Unlock' && document.lock === null) continue
    const environment = backgroundEnvironment({ access: accessIn(system), services, baseUrl: '' })
    await openContext(environment, system).run(action, { kind: 'document', document }, { isDeclared: true })
  }
}
