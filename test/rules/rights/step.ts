import fc from 'fast-check'
import type { Ace, Acl } from '../../../src/model/rights/acl.ts'

export const users = ['ann', 'bob', 'carol', 'Administrator'] as const
export const groups = ['red', 'green', 'blue', 'administrators'] as const
const start = Date.parse('2031-01-01T00:00:00.000Z')

/** Something that happens. Documents are picked by number among those there are by then. */
export type Step = PlaceStep | EndStep | RightsStep | PeopleStep | { readonly kind: 'wait'; readonly until: string }

export type PlaceStep =
  | { readonly kind: 'create'; readonly at: number }
  | { readonly kind: 'move' | 'proxy' | 'copy'; readonly at: number; readonly to: number }

export type EndStep = { readonly kind: 'version' | 'remove'; readonly at: number }

export type RightsStep =
  | { readonly kind: 'set'; readonly at: number; readonly acls: readonly Acl[]; readonly overwrite: boolean }
  | { readonly kind: 'add' | 'replace'; readonly at: number; readonly acl: string; readonly ace: Ace }
  | { readonly kind: 'removeUser'; readonly at: number; readonly acl: string; readonly user: string }
  | { readonly kind: 'block' | 'unblock' | 'removeAcl'; readonly at: number; readonly acl: string }

export type PeopleStep = {
  readonly kind: 'regroup'
  readonly group: string
  readonly users: readonly string[]
  readonly groups: readonly string[]
}

const moment = (millis: number) => new Date(start + millis).toISOString()
const aDate = fc.option(
  fc.integer({ min: 0, max: 4 }).map((seconds) => moment(seconds * 1_000)),
  { freq: 2 },
)
/** On a turn, a millisecond after it, and between. */
const aTime = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(0, 1, 500)).map(([s, ms]) => moment(s * 1_000 + ms))
const aPermission = fc.constantFrom(
  'Browse',
  'Read',
  'Write',
  'ReadWrite',
  'ReadCanCollect',
  'WriteSecurity',
  'Everything',
  'Fly',
)

const anAce: fc.Arbitrary<Ace> = fc
  .record({
    username: fc.constantFrom(...users, ...groups, 'Everyone', 'stranger'),
    permission: aPermission,
    granted: fc.boolean(),
    creator: fc.constantFrom(null, 'ann'),
    begin: aDate,
    end: aDate,
  })
  .map((ace) =>
    ace.begin !== null && ace.end !== null && ace.begin > ace.end ? { ...ace, begin: ace.end, end: ace.begin } : ace,
  )
const aBlock = aDate.map((end) => ({
  username: 'Everyone',
  permission: 'Everything',
  granted: false,
  creator: null,
  begin: null,
  end,
}))
const anEntry = fc.oneof({ arbitrary: anAce, weight: 6 }, { arbitrary: aBlock, weight: 1 })
const anAclName = fc.constantFrom('local', 'local', 'workflow', 'routing')
const at = fc.nat()

const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('version' as const, 'remove' as const), at }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('move', 'move', 'proxy', 'copy'), at, to: fc.nat() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      at,
      acls: fc.array(fc.record({ name: anAclName, aces: fc.array(anEntry, { maxLength: 3 }) }), { maxLength: 3 }),
      overwrite: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('add' as const, 'replace' as const), at, acl: anAclName, ace: anAce }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('removeUser' as const),
      at,
      acl: anAclName,
      user: fc.constantFrom(...users, ...groups),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('block' as const, 'unblock' as const, 'removeAcl' as const),
      at,
      acl: anAclName,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('regroup' as const),
      group: fc.constantFrom(...groups),
      users: fc.subarray([...users]),
      groups: fc.subarray([...groups]),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), until: aTime }) },
)

export const someSteps = (maxLength: number) => fc.array(aStep, { minLength: 1, maxLength, size: 'max' })
