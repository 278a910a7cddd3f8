import { routeManagersGroup } from '../../../core/principals/power-users.ts'
import { principalIn } from '../../../core/references.ts'
import { type Ace, type Acl, deny, grant, localAclName, passingAclName } from '../../../model/rights/acl.ts'
import { everyone, systemUser } from '../../../model/rights/principal.ts'

// Which rights the engine gives and takes back (contract: workflow 6.1).

const creator = 'Workflow'
const routing = 'routing'
const routingTask = 'routingTask'

function grantsTo(names: readonly string[], permission: string): readonly Ace[] {
  return [...new Set(names.map(principalIn))].map((name) => grant(name, permission, { creator }))
}

/** The rights that somebody has on the documents of a workflow while a task is theirs. */
export interface TaskGrant {
  readonly taskId: string
  readonly actors: readonly string[]
  readonly delegates: readonly string[]
  /** Undefined: none more than they have anyway. */
  readonly permission: string | undefined
}

/** Before all others, so that they hold although something else denies them. */
export function withTaskRights(acls: readonly Acl[], { taskId, actors, delegates, permission }: TaskGrant): readonly Acl[] {
  const others = withoutTaskRights(acls, taskId)
  if (permission === undefined) return others
  const own = [
    { name: passingAclName('delegation', taskId), aces: grantsTo(delegates, permission) },
    { name: passingAclName('routing', taskId), aces: grantsTo(actors, permission) },
  ]
  return [...own.filter(({ aces }) => aces.length > 0), ...others]
}

export function withoutTaskRights(acls: readonly Acl[], taskId: string): readonly Acl[] {
  const own = [passingAclName('delegation', taskId), passingAclName('routing', taskId)]
  return acls.filter(({ name }) => !own.includes(name))
}

/** Who may read a task and complete it: whoever it is for, and the server. */
export function taskAcls(actors: readonly string[], delegates: readonly string[] = []): readonly Acl[] {
  const named = [...new Set([...actors, ...delegates].map(principalIn))]
  return [{ name: localAclName, aces: [grant(systemUser, 'Everything'), ...named.map((name) => grant(name, 'Everything'))] }]
}

export function initiatorAcls(initiator: string): readonly Acl[] {
  return [{ name: routing, aces: [grant(initiator, 'WriteLifeCycle'), grant(initiator, 'Read')] }]
}

/** Whoever has or had a task of an instance may follow it. */
export function withParticipants(acls: readonly Acl[], names: readonly string[]): readonly Acl[] {
  const known = acls.find(({ name }) => name === routingTask)?.aces ?? []
  const missing = [...new Set(names.map(principalIn))].filter((name) => !known.some(({ username }) => username === name))
  if (missing.length === 0) return acls
  const aces = [...known, ...missing.map((name) => grant(name, 'ReadWrite'))]
  return [...acls.filter(({ name }) => name !== routingTask), { name: routingTask, aces }]
}

export const modelsRootAcls: readonly Acl[] = [{ name: localAclName, aces: [grant(everyone, 'Read')] }]

export function instancesRootAcls(administrators: readonly string[]): readonly Acl[] {
  const aces = [
    ...administrators.map((group) => grant(group, 'Everything')),
    grant(routeManagersGroup, 'ReadWrite'),
    deny(everyone, 'Everything'),
  ]
  return [{ name: localAclName, aces }]
}
