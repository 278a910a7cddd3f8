import type { IsoDate } from '../../../base/iso-date.ts'
import { routeManagersGroup } from '../../../core/principals/power-users.ts'
import { principalIn } from '../../../core/references.ts'
import { type Ace, type Acl, deny, grant, localAclName, passingAclName } from '../../../model/rights/acl.ts'
import { everyone, systemUser } from '../../../model/rights/principal.ts'

// Which rights the engine gives and takes back (contract: workflow 6.1). A task may name whomever it likes; an entry for a name that nobody has
// would be that of whoever is called so one day.

const creator = 'Workflow'
const routing = 'routing'
const routingTask = 'routingTask'

/** Whom a task is for, and who of them was just asked and is known: the others have what they have had, and nothing that they have lost. */
export interface TaskPeople {
  readonly actors: readonly string[]
  readonly delegates: readonly string[]
  /** Names of users and groups that there are, without `user:` or `group:`. */
  readonly given: ReadonlySet<string>
}

/** Who of these gets an entry, beside entries that are there already. */
function entitled(names: readonly string[], given: ReadonlySet<string>, before: readonly Acl[]): readonly string[] {
  const had = new Set(before.flatMap(({ aces }) => aces.map(({ username }) => username)))
  return [...new Set(names.map(principalIn))].filter((name) => given.has(name) || had.has(name))
}

/** What a task gives on a document, and until when at the most; null: as long as it lasts. */
export interface GivenRight {
  readonly permission: string
  readonly until: IsoDate | null
}

/** The rights that somebody has on the documents of a workflow while a task is theirs. */
export interface TaskGrant extends TaskPeople {
  readonly taskId: string
  /** Undefined: none more than they have anyway. */
  readonly right: GivenRight | undefined
}

/** Before all others, so that they hold although something else denies them. */
export function withTaskRights(acls: readonly Acl[], { taskId, actors, delegates, given, right }: TaskGrant): readonly Acl[] {
  const others = withoutTaskRights(acls, taskId)
  if (right === undefined) return others
  const { permission, until: end } = right
  const before = acls.filter((acl) => !others.includes(acl))
  const grantsTo = (names: readonly string[]): readonly Ace[] =>
    entitled(names, given, before).map((name) => grant(name, permission, { creator, end }))
  const own = [
    { name: passingAclName('delegation', taskId), aces: grantsTo(delegates) },
    { name: passingAclName('routing', taskId), aces: grantsTo(actors) },
  ]
  return [...own.filter(({ aces }) => aces.length > 0), ...others]
}

export function withoutTaskRights(acls: readonly Acl[], taskId: string): readonly Acl[] {
  const own = [passingAclName('delegation', taskId), passingAclName('routing', taskId)]
  return acls.filter(({ name }) => !own.includes(name))
}

/** Who may read a task and complete it: whoever it is for, and the server. */
export function taskAcls({ actors, delegates, given }: TaskPeople, before: readonly Acl[] = []): readonly Acl[] {
  const named = entitled([...actors, ...delegates], given, before)
  return [{ name: localAclName, aces: [grant(systemUser, 'Everything'), ...named.map((name) => grant(name, 'Everything'))] }]
}

export function initiatorAcls(initiator: string): readonly Acl[] {
  return [{ name: routing, aces: [grant(initiator, 'WriteLifeCycle'), grant(initiator, 'Read')] }]
}

/** Whether who started the instance is still there: what was given to a removed user is taken away, and nobody of that name gets it back. */
export function hasInitiator(acls: readonly Acl[], initiator: string): boolean {
  return acls.some(({ name, aces }) => name === routing && aces.some(({ username }) => username === initiator))
}

/** Whoever has or had a task of an instance may follow it. */
export function withParticipants(acls: readonly Acl[], given: ReadonlySet<string>): readonly Acl[] {
  const before = acls.find(({ name }) => name === routingTask)?.aces ?? []
  const missing = [...given].filter((name) => !before.some(({ username }) => username === name))
  if (missing.length === 0) return acls
  const aces = [...before, ...missing.map((name) => grant(name, 'ReadWrite'))]
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
