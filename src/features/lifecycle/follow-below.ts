import { accessTo, actingAs } from '../../core/access.ts'
import { takeTransition } from '../../core/documents/lifecycle/lifecycle-step.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { AsynchronousListener, Repository, Session, ToldEvent, WriteSession } from '../../core/session.ts'
import { type Document, type DocumentId, isUnderRetentionOrHold } from '../../model/document.ts'
import { allowedTransitions } from '../../model/lifecycle.ts'
import { createPrincipal, isOwn, type Principal, systemPrincipal, systemUser } from '../../model/rights/principal.ts'
import type { Services } from '../../rest/services.ts'

// So many in a transaction that it is worth its commit, so few that no transaction waits long for one of them.
const followedAtOnce = 100

/** For whom what is in a folder follows. */
interface Followers {
  /** Who acts, and needs the right to. */
  readonly principal: Principal
  /** Those of whom one needs it as well, where the server acts for them with rights that they do not have. */
  readonly people: readonly Principal[] | undefined
}

/**
 * What is in a folder follows its transitions, as far as the states allow and where the caller could have followed them alone. A child
 * that does is told of in turn, and so what is in it follows as well.
 */
export function followBelow(services: Pick<Services, 'principals'>): AsynchronousListener {
  return {
    name: 'lifecycleBelow',
    when: 'asynchronous',
    events: ['lifecycle_transition_event'],
    // Most that change their state are no folders.
    concerns: ({ document, properties }, session) => leadsOn(session, document, String(properties['transition'])),
    async handle(bundle, repository) {
      for (const event of bundle) {
        const principal = await whoFollows(services, event)
        const people = await forWhom(services, event)
        // Who began it is no user any more, and so may do nothing.
        if (principal !== undefined) await followInFolder(repository, { principal, people }, event)
      }
    },
  }
}

async function followInFolder(repository: Repository, followers: Followers, event: ToldEvent): Promise<void> {
  const { documentId, properties } = event
  const access = accessTo(repository, followers.principal)
  const transition = String(properties['transition'])
  const followed = await repository.store.reader.documents.find(documentId)
  if (followed === undefined || !leadsOn(repository, followed, transition)) return
  for (const folders = [documentId]; folders.length > 0; ) {
    const ids = await repository.store.reader.documents.listChildIds(folders.pop() ?? '')
    for (let start = 0; start < ids.length; start += followedAtOnce) {
      const page = ids.slice(start, start + followedAtOnce)
      const isUndone = await access.write(async (session) => {
        if (await isTakenBack(session, event)) return true
        folders.push(...(await followAll(session, page, transition, followers.people)))
        return false
      })
      if (isUndone) return
    }
  }
}

/**
 * Whether the folder is again where it came from: the job of what took it there may be done by now, at another server or for another user,
 * and nobody would take back what followed only after it.
 */
async function isTakenBack(
  { tx: { documents } }: WriteSession,
  { documentId, properties: { from, to } }: ToldEvent,
): Promise<boolean> {
  const seen = await documents.find(documentId)
  const folder = seen && (await documents.findForShare(seen))
  return folder === undefined || (folder.state === from && from !== to)
}

/** Gives the folders among them that do not follow: what is in those may. */
async function followAll(
  session: WriteSession,
  ids: readonly DocumentId[],
  transition: string,
  people: Followers['people'],
): Promise<DocumentId[]> {
  const options = people && { askedBy: people.map(({ name }) => name) }
  const passed: DocumentId[] = []
  for (const id of ids) {
    const child = await session.tx.documents.findForUpdate(id)
    if (child === undefined || child.isProxy || child.isTrashed) continue
    if (await follows(session, child, transition, people)) await takeTransition(session, child, transition, options)
    else if (leadsOn(session, child, transition)) passed.push(id)
  }
  return passed
}

/** What is kept by law changes only when it is itself asked to, and what another user has locked or nobody lets the caller near, not at all. */
async function follows(
  session: WriteSession,
  child: Document,
  transition: string,
  people: Followers['people'],
): Promise<boolean> {
  const isAllowed = allowedTransitions(session.model.lifecycleOf(child.type), child.state).includes(transition)
  const { principal } = session
  if (!isAllowed || isUnderRetentionOrHold(child, session.now) || isLockedFor({ principal, people }, child)) return false
  return (await hasPermission(session, child, 'WriteLifeCycle')) && (people === undefined || mayOneOf(session, child, people))
}

/** The server has all rights, also on behalf of users, whom the lock of another keeps away. */
function isLockedFor({ principal: { isSystem, onBehalfOf }, people }: Followers, { lock }: Document): boolean {
  if (!isSystem || lock === null) return false
  if (people !== undefined) return !people.some((one) => isOwn(one, lock.owner, lock.created))
  return onBehalfOf !== undefined && lock.owner !== onBehalfOf
}

/** The lock of one of them keeps none of them away, and that of another has been looked at. */
async function mayOneOf(session: Session, child: Document, people: readonly Principal[]): Promise<boolean> {
  const unlocked = { ...child, lock: null }
  for (const one of people) if (await hasPermission(actingAs(session, one), unlocked, 'WriteLifeCycle')) return true
  return false
}

function leadsOn({ model }: Pick<Session, 'model'>, document: Document, transition: string): boolean {
  const { type, hasFacet } = model.shapeOf(document)
  return hasFacet('Folderish') && !type.ownTransitions?.includes(transition)
}

/** The user who began it, with the rights of now; the server, on behalf of that user, where it was the server that began it. */
async function whoFollows({ principals }: Pick<Services, 'principals'>, event: ToldEvent): Promise<Principal | undefined> {
  const { principal: name, isByServer, time } = event
  if (name === systemUser) return systemPrincipal()
  return isByServer ? systemPrincipal(createPrincipal(name, [], { isAdministrator: false })) : principals.findDoer(name, time)
}

/** Whoever has such a name only since then is none of them. Undefined where nobody in particular is asked for. */
async function forWhom(
  { principals }: Pick<Services, 'principals'>,
  { properties: { askedBy }, time }: ToldEvent,
): Promise<readonly Principal[] | undefined> {
  if (!Array.isArray(askedBy)) return undefined
  const people = await Promise.all(askedBy.map((name) => principals.findDoer(String(name), time)))
  return people.filter((one) => one !== undefined)
}
