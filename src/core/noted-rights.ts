import { createYieldPoint } from '../base/event-loop.ts'
import type { DocumentId } from '../model/document.ts'
import type { Grant, Principal } from '../model/rights/principal.ts'
import { accessTo } from './access.ts'
import { hasPermission } from './permissions.ts'
import type { Repository, Session } from './session.ts'

/** What a caller was, and was granted, while something was made for them. It is told again only while they still may all of it. */
export interface NotedRights {
  readonly groups: readonly string[]
  readonly isAdministrator: boolean
  readonly grants: readonly Grant[]
  /** False where more was granted than is noted. */
  readonly isComplete: boolean
}

export interface RightsNotes {
  /** The caller, for whom it is to be made. */
  readonly principal: Principal
  rights(): NotedRights
}

// More than anything needs that is usually told again: checking all of them must not take long.
export const mostNoted = 5_000

/** Begins to note what a caller is granted. An administrator may everything, for as long as they are one. */
export function noteRights(principal: Principal): RightsNotes {
  const { groups, isAdministrator } = principal
  const grants = new Map<string, Grant>()
  let isComplete = true
  const granted = (grant: Grant) => {
    const key = `${grant.repository} ${grant.document} ${grant.permission}`
    if (grants.size < mostNoted) grants.set(key, grant)
    else if (!grants.has(key)) isComplete = false
  }
  return {
    principal: isAdministrator ? principal : { ...principal, granted },
    rights: () => ({ groups, isAdministrator, grants: [...grants.values()], isComplete }),
  }
}

/** A document that is gone has no rights to ask about; what was done to it is past. */
export async function mayStill(
  repositories: ReadonlyMap<string, Repository>,
  principal: Principal,
  { groups, isAdministrator, grants }: NotedRights,
): Promise<boolean> {
  if (isAdministrator && !principal.isAdministrator) return false
  if (groups.some((group) => !principal.names.has(group))) return false
  const pace = createYieldPoint()
  for (const { repository: name, document: id, permission } of grants) {
    const repository = repositories.get(name)
    if (repository !== undefined && (await accessTo(repository, principal).read((session) => isLost(session, id, permission)))) {
      return false
    }
    await pace()
  }
  return true
}

async function isLost(session: Session, id: DocumentId, permission: string): Promise<boolean> {
  const document = await session.reader.documents.find(id)
  return document !== undefined && !(await hasPermission(session, document, permission))
}
