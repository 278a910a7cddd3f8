import { accessTo } from '../../core/access.ts'
import { takeTransition } from '../../core/documents/lifecycle/lifecycle-step.ts'
import type { AsynchronousListener, Repository, Session, ToldEvent, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { allowedTransitions } from '../../model/lifecycle.ts'
import { createPrincipal, type Principal, systemPrincipal, systemUser } from '../../model/rights/principal.ts'

// So many in a transaction that it is worth its commit, so few that no transaction waits long for one of them.
const followedAtOnce = 100

/**
 * What is in a folder follows its transitions, as far as the states allow. A child that does is told of in turn, and so what
 * is in it follows as well.
 */
export const followBelow: AsynchronousListener = {
  name: 'lifecycleBelow',
  when: 'asynchronous',
  events: ['lifecycle_transition_event'],
  // Most that change their state are no folders.
  concerns: ({ document, properties }, session) => leadsOn(session, document, String(properties['transition'])),
  async handle(bundle, repository) {
    for (const event of bundle) await followInFolder(repository, event)
  },
}

async function followInFolder(repository: Repository, { documentId, principal, properties }: ToldEvent): Promise<void> {
  const transition = String(properties['transition'])
  const followed = await repository.store.reader.documents.find(documentId)
  if (followed === undefined || !leadsOn(repository, followed, transition)) return
  const server = serverFor(principal)
  for (const folders = [documentId]; folders.length > 0; ) {
    const ids = await repository.store.reader.documents.listChildIds(folders.pop() ?? '')
    for (let start = 0; start < ids.length; start += followedAtOnce) {
      const page = ids.slice(start, start + followedAtOnce)
      folders.push(...(await accessTo(repository, server).write((session) => followAll(session, page, transition))))
    }
  }
}

/** Gives the folders among them that cannot follow: what is in those may. */
async function followAll(session: WriteSession, ids: readonly DocumentId[], transition: string): Promise<DocumentId[]> {
  const passed: DocumentId[] = []
  for (const id of ids) {
    const child = await session.tx.documents.findForUpdate(id)
    if (child === undefined || child.isProxy) continue
    const isAllowed = allowedTransitions(session.model.lifecycleOf(child.type), child.state).includes(transition)
    if (isAllowed) await takeTransition(session, child, transition)
    else if (leadsOn(session, child, transition)) passed.push(id)
  }
  return passed
}

function leadsOn({ model }: Pick<Session, 'model'>, document: Document, transition: string): boolean {
  const { type, hasFacet } = model.shapeOf(document)
  return hasFacet('Folderish') && !type.ownTransitions?.includes(transition)
}

/** The server, on behalf of the user who began it, who needs no rights on everything below the folder. */
function serverFor(name: string): Principal {
  return name === systemUser ? systemPrincipal() : systemPrincipal(createPrincipal(name, [], { isAdministrator: false }))
}
