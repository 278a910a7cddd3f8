import fc from 'fast-check'

/** Something that somebody does. Documents are told by number: which one that is depends on what there is by then. */
export type Step = { readonly by: Actor } & Action

export type Actor = 'Administrator' | 'anna' | 'ben'

export type Action =
  | { readonly kind: 'create'; readonly in: number; readonly type: string; readonly name: string }
  | { readonly kind: 'update'; readonly what: number; readonly title: string; readonly versioning?: 'minor' | 'major' }
  | { readonly kind: 'checkIn'; readonly what: number; readonly increment: 'minor' | 'major' }
  | { readonly kind: 'checkOut'; readonly what: number }
  | { readonly kind: 'restore'; readonly what: number; readonly version: number }
  | { readonly kind: 'move'; readonly what: number; readonly to: number; readonly name?: string }
  | { readonly kind: 'rename'; readonly what: number; readonly name: string }
  | { readonly kind: 'copy'; readonly what: number; readonly to: number }
  | { readonly kind: 'order'; readonly what: number; readonly before: number | null }
  | { readonly kind: 'trash'; readonly what: number }
  | { readonly kind: 'untrash'; readonly what: number }
  | { readonly kind: 'grant'; readonly what: number; readonly to: string; readonly permission: string }
  | { readonly kind: 'revoke'; readonly what: number; readonly from: string }
  | { readonly kind: 'block'; readonly what: number }
  | { readonly kind: 'unblock'; readonly what: number }
  | { readonly kind: 'publish'; readonly what: number; readonly to: number }
  | { readonly kind: 'proxy'; readonly what: number; readonly to: number }
  | { readonly kind: 'transition'; readonly what: number; readonly transition: string }
  | { readonly kind: 'lock'; readonly what: number }
  | { readonly kind: 'unlock'; readonly what: number }
  | { readonly kind: 'remove'; readonly what: number }
  | { readonly kind: 'removeVersion'; readonly what: number; readonly version: number }

const document = fc.nat({ max: 1_000 })
const name = fc.constantFrom('a', 'b', 'b c', 'ä', '%', 'a.1709631234567')
const somebody = fc.constantFrom('anna', 'ben', 'members', 'Everyone')

const actions: { readonly [Kind in Action['kind']]: fc.Arbitrary<Extract<Action, { kind: Kind }>> } = {
  create: fc.record({
    kind: fc.constant('create'),
    in: document,
    type: fc.constantFrom('Folder', 'OrderedFolder', 'Section', 'File', 'Note'),
    name,
  }),
  update: fc.record(
    { kind: fc.constant('update'), what: document, title: name, versioning: fc.constantFrom('minor', 'major') },
    { requiredKeys: ['kind', 'what', 'title'] },
  ),
  checkIn: fc.record({ kind: fc.constant('checkIn'), what: document, increment: fc.constantFrom('minor', 'major') }),
  checkOut: fc.record({ kind: fc.constant('checkOut'), what: document }),
  restore: fc.record({ kind: fc.constant('restore'), what: document, version: document }),
  move: fc.record({ kind: fc.constant('move'), what: document, to: document, name }, { requiredKeys: ['kind', 'what', 'to'] }),
  rename: fc.record({ kind: fc.constant('rename'), what: document, name }),
  copy: fc.record({ kind: fc.constant('copy'), what: document, to: document }),
  order: fc.record({ kind: fc.constant('order'), what: document, before: fc.option(document) }),
  trash: fc.record({ kind: fc.constant('trash'), what: document }),
  untrash: fc.record({ kind: fc.constant('untrash'), what: document }),
  grant: fc.record({
    kind: fc.constant('grant'),
    what: document,
    to: somebody,
    permission: fc.constantFrom('Read', 'ReadWrite', 'Everything', 'Browse'),
  }),
  revoke: fc.record({ kind: fc.constant('revoke'), what: document, from: somebody }),
  block: fc.record({ kind: fc.constant('block'), what: document }),
  unblock: fc.record({ kind: fc.constant('unblock'), what: document }),
  publish: fc.record({ kind: fc.constant('publish'), what: document, to: document }),
  proxy: fc.record({ kind: fc.constant('proxy'), what: document, to: document }),
  transition: fc.record({
    kind: fc.constant('transition'),
    what: document,
    transition: fc.constantFrom('approve', 'obsolete', 'backToProject', 'delete', 'undelete'),
  }),
  lock: fc.record({ kind: fc.constant('lock'), what: document }),
  unlock: fc.record({ kind: fc.constant('unlock'), what: document }),
  remove: fc.record({ kind: fc.constant('remove'), what: document }),
  removeVersion: fc.record({ kind: fc.constant('removeVersion'), what: document, version: document }),
}

/** Without documents nothing can happen to them. */
const weights: Partial<Record<Action['kind'], number>> = {
  create: 12,
  update: 3,
  move: 3,
  copy: 2,
  trash: 2,
  publish: 2,
  proxy: 2,
}

const anAction: fc.Arbitrary<Action> = fc.oneof(
  ...Object.entries(actions).map(([kind, arbitrary]) => ({ weight: weights[kind as Action['kind']] ?? 1, arbitrary })),
)
const anActor = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Actor>('Administrator') },
  { weight: 2, arbitrary: fc.constantFrom<Actor>('anna', 'ben') },
)

export const aHistory = (max: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.tuple(anActor, anAction).map(([by, action]) => ({ by, ...action })),
    { minLength: 5, maxLength: max, size: 'max' },
  )
