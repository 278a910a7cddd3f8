import type { DocumentId } from '../../../model/document.ts'
import { allowedTransitions, noLifecycle } from '../../../model/lifecycle.ts'
import { requirePermission } from '../../permissions.ts'
import type { Session } from '../../session.ts'
import { throughProxy } from '../proxies/proxy.ts'
import { documentNotFound, findStored } from '../read-document.ts'

/** Where a document is in its life. */
export interface LifecycleState {
  /** The name of the lifecycle. */
  readonly policy: string
  readonly state: string
  /** What the state allows, the transitions into the trash and out of it included. */
  readonly transitions: readonly string[]
}

/** @throws documentNotFound, or privilegeMissing without ReadLifeCycle. */
export async function readLifecycle(session: Session, id: DocumentId): Promise<LifecycleState> {
  const found = await findStored(session, id)
  if (found === undefined) throw documentNotFound({ reference: id })
  await requirePermission(session, found, 'ReadLifeCycle')
  const { type, state } = await throughProxy(session, found)
  const lifecycle = session.model.lifecycleOf(type)
  return { policy: lifecycle?.name ?? noLifecycle, state, transitions: allowedTransitions(lifecycle, state) }
}
