import type { Random } from '../faults/kill/random.ts'
import { type Making, type WorldRequest, write } from '../same-answers/requests.ts'
import { textOf, words } from '../same-answers/world.ts'

export const people = ['ann', 'bob', 'carol'] as const
export const groups = ['red', 'green', 'blue'] as const

/** Something that may change what others are answered; refused ones belong to it as well. */
export interface Change {
  readonly by: string
  readonly request: WorldRequest
  /** So many milliseconds after it the clock changes rights by itself. */
  readonly turnsAfter?: number
}

/** Soon, but not before what is asked meanwhile has been answered and is remembered. */
const soon = 700

const some = <One>(random: Random, ...all: readonly One[]) => random.pick(all) as One

/** The next change. Documents are told by number. */
export function anyChange(making: Making): Change {
  const { random } = making
  const maker = some(
    random,
    documentChange,
    documentChange,
    documentChange,
    rightsChange,
    rightsChange,
    peopleChange,
    datedChange,
  )
  return maker(making)
}

function operation(making: Making, id: string, params: object = {}): WorldRequest {
  const number = making.random.between(0, making.documents)
  return { kind: id, method: 'POST', path: `/automation/${id}`, body: { input: `doc:{${number}}`, params, context: {} } }
}

function documentChange(making: Making): Change {
  const { random, documents } = making
  const by = some(random, 'Administrator', 'Administrator', 'bob', 'ann')
  if (random.next() < 0.4) return { by, request: write(making) }
  const [number, other] = [random.between(0, documents), random.between(0, documents)]
  const update = (properties: object, headers = {}): WorldRequest => ({
    kind: 'update',
    method: 'PUT',
    path: `/id/{${number}}`,
    headers,
    body: { 'entity-type': 'document', properties },
  })
  const request = some<WorldRequest>(
    random,
    update({ 'dc:title': textOf(random, 3), 'dc:source': random.pick(words) }),
    update({ 'dc:subjects': ['art/comics'], 'dc:nature': 'article', 'dc:contributors': ['ann'] }),
    update({ 'note:note': textOf(random, 20) }, { 'X-Versioning-Option': 'MINOR' }),
    // Refused: nothing of it may be seen.
    update({ 'dc:title': 'never', 'dc:created': 'no date' }),
    {
      ...update({ 'dc:title': 'never' }),
      body: { 'entity-type': 'document', changeToken: '0-0', properties: { 'dc:title': 'x' } },
    },
    operation(making, 'Document.Move', { target: `{${other}}`, name: `moved${random.between(0, 4)}` }),
    operation(making, 'Document.Move', { target: '/default-domain/workspaces', name: `up${random.between(0, 4)}` }),
    operation(making, 'Document.CreateLiveProxy', { 'Destination Path': `{path ${other}}` }),
    operation(making, 'Document.CheckOut'),
    operation(making, 'Document.RestoreVersion'),
    operation(making, 'Document.FollowLifecycleTransition', { value: some(random, 'approve', 'obsolete', 'backToProject') }),
    operation(making, 'Document.Retain', { until: new Date(Date.now() + 3_600_000).toISOString() }),
    operation(making, 'Document.Hold'),
    operation(making, 'Document.Unhold'),
    operation(making, 'Document.Trash'),
    operation(making, 'Document.Untrash'),
    operation(making, 'Document.RemoveProxies'),
    ...(random.next() < 0.2 ? [operation(making, 'Document.Delete'), operation(making, 'Document.EmptyTrash')] : []),
  )
  return { by, request }
}

const permissions = ['Read', 'ReadWrite', 'Everything', 'Browse', 'Write', 'WriteSecurity']

function grantee(random: Random): string {
  return some(random, ...people, ...groups, 'members', 'Everyone')
}

function rightsChange(making: Making): Change {
  const { random } = making
  const user = grantee(random)
  const request = some(
    random,
    operation(making, 'Document.AddPermission', { users: [user], permission: random.pick(permissions) }),
    operation(making, 'Document.AddPermission', {
      users: [user],
      permission: 'Read',
      blockInheritance: true,
      acl: some(random, 'local', 'other'),
    }),
    operation(making, 'Document.RemovePermission', { user, acl: some(random, 'local', 'other') }),
    operation(making, 'Document.RemovePermission', { user: some(random, 'bob', 'red') }),
    operation(making, 'Document.RemoveACL', { acl: some(random, 'local', 'other') }),
    operation(making, 'Document.BlockPermissionInheritance'),
    operation(making, 'Document.UnblockPermissionInheritance'),
  )
  return { by: 'Administrator', request }
}

/** Rights that begin or end a moment later, and what may be removed again then. */
function datedChange(making: Making): Change {
  const { random } = making
  const turn = new Date(Date.now() + soon).toISOString()
  const far = new Date(Date.now() + 3_600_000).toISOString()
  const entry = operation(making, 'Document.AddPermission', {
    users: [grantee(random)],
    permission: some(random, 'Read', 'ReadWrite', 'Browse'),
    blockInheritance: random.next() < 0.5,
    ...some(random, { end: turn }, { begin: turn }, { begin: turn, end: far }),
  })
  const request = some(random, entry, entry, entry, operation(making, 'Document.Retain', { until: turn }))
  return { by: 'Administrator', request, turnsAfter: soon }
}

function peopleChange({ random }: Making): Change {
  const [group, other] = [some(random, ...groups), some(random, ...groups)]
  const person = some(random, ...people)
  const entity = (method: 'POST' | 'PUT', path: string, type: 'user' | 'group', body: object): WorldRequest => ({
    kind: `${method} ${type}`,
    method,
    path,
    body: { 'entity-type': type, ...body },
  })
  const plain = (method: 'POST' | 'DELETE', path: string): WorldRequest => ({ kind: `${method} people`, method, path })
  const request = some<WorldRequest>(
    random,
    plain('POST', `/group/${group}/user/${person}`),
    plain('POST', `/group/${group}/user/${person}`),
    plain('DELETE', `/user/${person}/group/${group}`),
    entity('PUT', `/group/${group}`, 'group', { memberGroups: [other] }),
    entity('PUT', `/group/${group}`, 'group', { memberGroups: [] }),
    entity('PUT', `/group/${group}`, 'group', { memberUsers: [person] }),
    entity('PUT', `/group/${group}`, 'group', { grouplabel: textOf(random, 1) }),
    plain('DELETE', `/group/${group}`),
    entity('POST', '/group', 'group', { id: group, memberUsers: [person] }),
    plain('POST', `/group/administrators/user/${person}`),
    plain('DELETE', `/user/${person}/group/administrators`),
    entity('PUT', `/user/${person}`, 'user', { id: person, properties: { firstName: textOf(random, 1) } }),
    plain('DELETE', '/user/carol'),
    entity('POST', '/user', 'user', { id: 'carol', properties: { username: 'carol', password: 'carol', groups: [group] } }),
    {
      kind: 'PUT directory entry',
      method: 'PUT',
      path: '/directory/nature/article',
      body: {
        'entity-type': 'directoryEntry',
        directoryName: 'nature',
        id: 'article',
        properties: { id: 'article', label: textOf(random, 1), obsolete: 0, ordering: 1 },
      },
    },
  )
  return { by: 'Administrator', request }
}
